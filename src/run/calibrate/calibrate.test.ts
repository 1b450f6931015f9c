import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, spillway, temporaryFolder } from '../../testing/cli.ts';
import { us } from '../../testing/history/sample-records.ts';
import { isWhole } from '../../testing/share.ts';
import { typed } from '../../testing/typed.ts';
import { peerCapacity } from './capacity.ts';
import type { Calibration } from './index.ts';
import { type Pacing, paceAt, pacingOf } from './pacing.ts';
import { isPrecise, renderCalibration } from './render.ts';

const evenly = (rate: number, count: number) => Array.from({ length: count }, (_, k) => (k * 1_000_000) / rate);

describe('pacing', () => {
  it('reports lags by nearest rank, and the shortest time in which a second’s worth was sent', () => {
    const lags = Array.from({ length: 200 }, (_, k) => 200 - k);
    expect(pacingOf(100, lags, evenly(100, 200))).toEqual({
      sent: 200,
      lagP50Us: 100,
      lagP99Us: 198,
      lagMaxUs: 200,
      fastestSecondMs: 1_000,
    });
  });

  it('detects that a second’s worth was sent at once', () => {
    const bursts = Array.from({ length: 300 }, (_, k) => Math.floor(k / 100) * 1_000_000 + (k % 100) * 10);
    expect(pacingOf(100, [0], bursts).fastestSecondMs).toBe(1_000);
    const catchingUp = [...evenly(100, 100), ...Array.from({ length: 100 }, (_, k) => 1_500_000 + k * 1_000)];
    expect(pacingOf(100, [0], catchingUp).fastestSecondMs).toBeLessThan(700);
  });

  it('is not judged by a second that was not measured completely', () => {
    expect(pacingOf(100, [5], evenly(100, 50))).toEqual({ sent: 50, lagP50Us: 5, lagP99Us: 5, lagMaxUs: 5 });
  });

  const precise: Pacing = {
    rate: 1_000,
    planned: 2_000,
    sent: 2_000,
    lagP50Us: us(50),
    lagP99Us: us(1_000),
    lagMaxUs: us(9_000),
    fastestSecondMs: 900,
    cpuShare: 1,
  };

  it.each<[string, Partial<Pacing>, boolean]>([
    ['at every bound', {}, true],
    ['half of it late', { lagP50Us: us(51) }, false],
    ['one in a hundred late', { lagP99Us: us(1_001) }, false],
    ['a second’s worth too soon', { fastestSecondMs: 899 }, false],
    ['not all of it sent', { sent: 1_900 }, false],
  ])('is precise or not: %s', (_, change, expected) => {
    expect(isPrecise({ ...precise, ...change })).toBe(expected);
  });

  it('is reported with conclusions', () => {
    const capacity = { requests: 3, seconds: 1, perSecond: 20_000, perCpuSecond: 40_000 };
    const calibration = {
      machine: { cpu: 'Some CPU', cores: 2, os: 'linux', kernel: '6.1' },
      ours: capacity,
      autocannon: capacity,
      pacing: [precise, { ...precise, rate: 5_000, planned: 10_000, sent: 10_000, lagP99Us: us(30_000) }],
    } as unknown as Calibration;
    const text = renderCalibration(calibration);
    expect(text).toContain("no second's worth in less than 0.9 s): 1,000 a second.");
    expect(text).toContain("\n  fastest s: the shortest time in which a second's worth of requests left; 1 s if none");
    expect(text).toContain('spillway       20,000 a second,   40,000 per second of CPU  everything recorded');
    const none = renderCalibration({ ...calibration, pacing: [{ ...precise, lagP50Us: us(80) }] });
    expect(none).toContain('No rate was paced precisely');
    // Measured for a second only.
    const { fastestSecondMs: _, ...short } = precise;
    expect(renderCalibration({ ...calibration, pacing: [short] })).toContain(
      'Paced precisely (p50 within 0.05 ms, p99 within 1 ms): 1,000 a second.',
    );
  });
});

const token = '{"access_token":"calibration","token_type":"Bearer","expires_in":86400}';
const answer = `HTTP/1.1 201 Created\r\ncontent-length: ${token.length}\r\n\r\n${token}`;

describe('spillway calibrate', { timeout: PATIENCE_MS }, () => {
  it.runIf(isWhole)('measures this machine, and says so in numbers', async () => {
    const { code, out, err } = await spillway(['calibrate', '--seconds', '1', '--json']);
    expect(code, err).toBe(0);
    const { format, version, ours, autocannon, pacing } = JSON.parse(out) as Calibration;
    expect([format, version]).toEqual(['spillway-calibration', 1]);
    for (const { requests, perCpuSecond } of [ours, autocannon]) {
      expect(requests).toBeGreaterThan(100);
      expect(perCpuSecond).toBeGreaterThan(100);
    }
    expect(pacing.map(({ rate, planned }) => [rate, planned])).toEqual([
      [100, 100],
      [1_000, 1_000],
      [5_000, 5_000],
      [10_000, 10_000],
    ]);
    // However busy the machine: what is planned is sent, sooner or later.
    expect(pacing.map(({ sent }) => sent)).toEqual([100, 1_000, 5_000, 10_000]);
    expect(pacing.every(({ lagP50Us, lagP99Us, lagMaxUs }) => lagP50Us <= lagP99Us && lagP99Us <= lagMaxUs)).toBe(true);
    expect(err).toContain('measuring pacing at 10000 a second');
  });

  it.skipIf(process.platform === 'win32')('reports before measuring that too few files may be open', async () => {
    const { code, err } = await spillway(['calibrate'], { before: 'ulimit -n 100' });
    expect([code, err]).toEqual([
      104,
      'spillway: calibrating needs about 114 open files, and the system allows 100; raise the limit (ulimit -n 114)\n',
    ]);
  });

  it('reports that its journal cannot be written, and what to do', async () => {
    const nowhere = join(temporaryFolder(), 'nowhere');
    const env = { TMPDIR: nowhere, TEMP: nowhere, TMP: nowhere };
    const { code, err } = await spillway(['calibrate', '--seconds', '1'], { env });
    expect(code).toBe(12);
    expect(err).toContain('spillway: the journal of a calibration cannot be written: ENOENT');
    expect(err).toContain('name another folder with TMPDIR');
  });

  it.each([
    ['our own pacing', (url: string) => paceAt(url, 100, 1)],
    ['autocannon', (url: string) => peerCapacity(url, 1)],
  ])('takes no request for sent that its service did not answer: %s', async (_, measure) => {
    let left = 30;
    const service = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        if (--left >= 0) return void socket.write(answer);
        service.close();
        socket.destroy();
      });
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = service.address() as AddressInfo;
      await expect(measure(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
        code: 'CALIBRATION_FAILED',
        message: expect.stringMatching(/^calibration's own service did not answer [\d,]+ of the requests/),
      });
    } finally {
      service.close();
    }
  });

  it('reports an invalid duration', async () => {
    const { code, err } = await typed(['calibrate', '--seconds', '0']);
    expect([code, err]).toEqual([104, 'spillway: one problem:\n--seconds: must be a whole number from 1 to 60\n']);
  });
});
