import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../base/index.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import type { JournalRecord } from '../records.ts';
import { readJournalSync } from './journal-reader.ts';
import { LineSplitter } from './lines.ts';
import type { JournalReport } from './record-reader.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-reader-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const json = (value: unknown) => JSON.stringify(value);

function read(content: string | Uint8Array): { records: JournalRecord[]; report: JournalReport } {
  const path = join(folder, 'history.ndjson');
  writeFileSync(path, content);
  const reading = readJournalSync(path);
  return { records: [...reading], report: reading.report() };
}

function problemOf(content: string): string {
  try {
    read(content);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message.replace(`${folder}/`, '');
  }
  throw new Error('nothing was thrown');
}

it('a line is kept up to the longest length, in a chunk of its own or among others', () => {
  for (const chunks of [['12345\n', '123456\n'], ['12', '345\n1', '23456\n'], ['a\n12345\n123456\nb\n']]) {
    const splitter = new LineSplitter(5);
    const lines = chunks.flatMap((chunk) => splitter.push(Buffer.from(chunk)));
    expect(lines.filter((line) => line !== 'a' && line !== 'b')).toEqual(['12345', { bytes: 6 }]);
    expect(splitter.rest()).toBeUndefined();
  }
});

describe('readJournalSync', () => {
  it('reads a whole history', () => {
    const lines = [header(), exchange({ seq: 0 }), end({ exchanges: 1 })];
    const { records, report } = read(`${lines.map(json).join('\n')}\n`);
    expect(records).toEqual(lines);
    expect(report).toEqual({
      whole: true,
      tornLastLine: false,
      skippedKinds: {},
      badLines: 0,
      mayLackClock: false,
      tooLongLines: 0,
      missingSeq: 0,
    });
  });

  it('hands out an end as incomplete after a line that cannot be read: it may have been any record', () => {
    const whole = end({ exchanges: 1 });
    const lines = [json(header()), json(exchange({ seq: 0 })), 'garbage', json(whole)];
    const spoiled = { ...whole, complete: false, reason: 'lines-unreadable' };
    for (const order of [lines, [...lines.slice(0, 2), json(whole), 'garbage']]) {
      const { records, report } = read(`${order.join('\n')}\n`);
      expect(records).toEqual([header(), exchange({ seq: 0 }), spoiled]);
      expect(report).toMatchObject({ badLines: 1, whole: false });
    }
  });

  it('hands out the end last, wherever it stands', () => {
    const lines = [header(), end({ exchanges: 1 }), exchange({ seq: 0 })];
    const { records, report } = read(`${lines.map(json).join('\n')}\n`);
    expect(records.map(({ kind }) => kind)).toEqual(['header', 'exchange', 'end']);
    expect(report.whole).toBe(true);
  });

  it('hands out one of two ends, as incomplete', () => {
    const whole = end({ exchanges: 1 });
    const { records, report } = read([header(), exchange({ seq: 0 }), whole, whole].map(json).join('\n'));
    expect(records.slice(2)).toEqual([{ ...whole, complete: false, reason: 'lines-doubled' }]);
    expect(report).toMatchObject({ badLines: 0, whole: false });
  });

  it('refuses the lines of two runs, and not a second copy of the header', () => {
    const two = [header({ runId: 'a' }), exchange({ seq: 0 }), header({ runId: 'b' }), exchange({ seq: 1 })];
    expect(() => read(two.map(json).join('\n'))).toThrow(
      /history\.ndjson.*: holds the lines of two runs; put each run in/,
    );
    const { records, report } = read([header(), header(), exchange({ seq: 0 })].map(json).join('\n'));
    expect(records).toEqual([header(), exchange({ seq: 0 })]);
    expect(report.badLines).toBe(1);
  });

  it('reports what a crash leaves: a torn line, lost lines', () => {
    const sent = (seq: number) => ({ kind: 'sent' as const, seq, operation: 'sendMessage' as const, at: us(seq) });
    const lines = [
      header(),
      sent(0),
      exchange({ seq: 0 }),
      sent(1),
      sent(2),
      exchange({ seq: 2 }),
      exchange({ seq: 5 }),
      sent(6),
    ];
    const { records, report } = read(`${lines.map(json).join('\n')}\n{"kind":"exchange","seq":6,"oper`);
    expect(records).toEqual(lines);
    expect(report).toMatchObject({ whole: false, tornLastLine: true, badLines: 0, missingSeq: 2 });
  });

  it('accepts a complete last line without a newline', () => {
    const { records, report } = read(`${json(header())}\n${json(end())}`);
    expect(records).toHaveLength(2);
    expect(report).toMatchObject({ whole: true, tornLastLine: false });
  });

  it('distinguishes workers', () => {
    const lines = [
      header(),
      exchange({ seq: 0, worker: 1 }),
      exchange({ seq: 1, worker: 1 }),
      exchange({ seq: 1, worker: 2 }),
    ];
    expect(read(lines.map(json).join('\n')).report.missingSeq).toBe(1);
  });

  it('skips unknown kinds and bad lines, counts them, and is then not complete', () => {
    const bad = [
      '{"kind":"exchange","seq":"0"}',
      // Not exact: 2^53 + 1.
      '{"kind":"sent","seq":9007199254740993,"operation":"sendMessage","at":0}',
      'null',
      '[1]',
      '{"seq":1}',
      '{',
      json({ ...exchange({ seq: 1 }), sentAt: 1.5 }),
      ...[
        { bytes: null },
        { worker: -1 },
        { status: '200' },
        { headersAt: '900' },
        { capWaitUs: { pace: 'long' } },
        { outcome: 'lost' },
        { arrival: -1 },
        { error: { lacks: ['code'] } },
        { message: { id: 'm' } },
        { history: { limit: 20, offset: 0 } },
        { otherwise: { conversation: 7 } },
        { expect: { checked: 1 } },
      ].map((members) => json({ ...exchange({ seq: 1 }), ...members })),
      json({ ...exchange({ seq: 1 }), turn: null }),
      json({ ...exchange({ seq: 1 }), turn: 't' }),
      json({ ...exchange({ seq: 1 }), turn: { status: 'queued' } }),
      json(header()),
      `\uFEFF${json(exchange({ seq: 1 }))}`,
    ];
    const text = [
      json(header()),
      '{"kind":"weather","sky":"blue"}',
      '{"kind":"weather"}',
      // Names that every object has, or that set its prototype.
      '{"kind":"constructor"}',
      '{"kind":"__proto__"}',
      ...bad,
      '',
      json(end()),
    ].join('\n');
    const { records, report } = read(`${text}\n`);
    expect(records.map((record) => record.kind)).toEqual(['header', 'end']);
    expect(report).toMatchObject({ badLines: bad.length, whole: false });
    expect(Object.entries(report.skippedKinds)).toEqual([
      ['weather', 2],
      ['constructor', 1],
      ['__proto__', 1],
    ]);
  });

  it('is not whole if exchanges are missing or stand twice, the end is missing, or a line is unreadable', () => {
    expect(read(`${json(header())}\n${json(end({ exchanges: 1 }))}\n`).report.whole).toBe(false);
    expect(read(`${json(header())}\n`).report.whole).toBe(false);
    const twice = [header(), exchange({ seq: 0 }), exchange({ seq: 0 }), end({ exchanges: 1 })];
    expect(read(twice.map(json).join('\n')).report.whole).toBe(false);
    expect(read(`${json(header())}\n${json(end())}\ngarbage\n`).report.whole).toBe(false);
  });

  it('says that a clock may be lacking if a line that was not torn may have been one', () => {
    const clock = '{"kind":"clock","at":5';
    expect(read(`${json(header())}\n${clock}`).report).toMatchObject({
      mayLackClock: false,
      tornLastLine: true,
    });
    expect(read(`${json(header())}\n${clock}\n`).report).toMatchObject({ mayLackClock: true, badLines: 1 });
  });

  it('takes no time later than ten years on the service’s clock for one of the run', () => {
    const TEN_YEARS_US = 3_653 * 86_400e6;
    const at = (time: number) => exchange({ seq: 0, sentAt: us(1), headersAt: us(1), receivedAt: us(time) });
    const clock = (time: number): JournalRecord => ({
      ...{ kind: 'clock', at: us(time), serviceUs: us(7), plusMinusUs: us(0), rate: 60 },
    });
    const heard = (rate: number | undefined, ...records: JournalRecord[]) => {
      const known = header().clock;
      const { report } = read(
        [header({ clock: { ...known, ...(rate && { rate }) } }), ...records, end()].map(json).join('\n'),
      );
      return { badLines: report.badLines, mayLackClock: report.mayLackClock };
    };
    expect(heard(undefined, at(TEN_YEARS_US))).toEqual({ badLines: 0, mayLackClock: false });
    expect(heard(undefined, at(TEN_YEARS_US + 1))).toEqual({ badLines: 1, mayLackClock: false });
    expect(heard(60, at(TEN_YEARS_US / 60), clock(TEN_YEARS_US / 60))).toEqual({ badLines: 0, mayLackClock: false });
    expect(heard(60, at(TEN_YEARS_US / 60 + 1))).toEqual({ badLines: 1, mayLackClock: false });
    expect(heard(0.001, at(TEN_YEARS_US), at(TEN_YEARS_US + 1))).toEqual({ badLines: 1, mayLackClock: false });
    for (const time of [TEN_YEARS_US / 60 + 1, -TEN_YEARS_US])
      expect(heard(60, clock(time))).toEqual({ badLines: 1, mayLackClock: true });
  });

  it('takes no record for one with a time or duration of more than ten years: sums of such are not exact', () => {
    const longest = 3_653 * 86_400e6;
    const journey = { kind: 'journey', arrival: 0, journey: 'ask', startedAt: 0, endedAt: 0, outcome: 'completed' };
    const sent = { kind: 'sent', seq: 0, operation: 'sendMessage' };
    const recordsWith = (time: number) => [
      ...['intendedAt', 'sentAt', 'headersAt', 'receivedAt'].map((name) => ({ ...exchange({ seq: 0 }), [name]: time })),
      exchange({ seq: 0, capWaitUs: { pace: us(time) } }),
      { ...journey, startedAt: time },
      { ...sent, at: time },
    ];
    for (const [time, isRead] of [
      [longest, true],
      [-longest, true],
      [longest + 1, false],
      [-longest - 1, false],
    ] as const)
      for (const record of recordsWith(time)) {
        const { report } = read([header(), record, end()].map(json).join('\n'));
        expect(report.badLines, json(record)).toBe(isRead ? 0 : 1);
      }
  });

  it('reads stages in the order of time, also those without a length', () => {
    const stage = (name: string, fromUs: number, toUs: number) => ({ name, fromUs: us(fromUs), toUs: us(toUs) });
    const { records } = read(json(header({ stages: [stage('a', 0, 5), stage('b', 5, 5)] })));
    expect(records).toHaveLength(1);
    const many = (count: number) => Array.from({ length: count }, (_, k) => stage(`s${k}`, k, k + 1));
    expect(read(json(header({ stages: many(1_000) }))).records).toHaveLength(1);
    for (const stages of [
      many(1_001),
      [stage('a', 0, 5), stage('b', 4, 9)],
      [stage('a', 5, 4)],
      [stage('a', 0, 5), stage('a', 5, 9)],
    ])
      expect(problemOf(`${json(header({ stages }))}\n`)).toContain('is not a usable history');
  });

  it('keeps unknown members, and reads CRLF and a byte order mark', () => {
    const odd = { ...exchange({ seq: 0 }), colour: 'blue' };
    const { records, report } = read(`\uFEFF${json(header())}\r\n${json(odd)}\r\n${json(end({ exchanges: 1 }))}\r\n`);
    expect(records[1]).toEqual(odd);
    expect(report.whole).toBe(true);
    const blankFirst = read(`\n\n${json(header())}\n${json(end())}\n`);
    expect(blankFirst.report).toMatchObject({ whole: true, badLines: 0 });
  });

  it('skips a line of more than 16 MiB without keeping it', () => {
    const long = Buffer.alloc(17 * 1_024 * 1_024, 'x');
    const content = Buffer.concat([Buffer.from(`${json(header())}\n`), long, Buffer.from(`\n${json(end())}\n`)]);
    const { records, report } = read(content);
    expect(records.map((record) => record.kind)).toEqual(['header', 'end']);
    expect(report).toMatchObject({ badLines: 1, tooLongLines: 1, whole: false });
  });

  it('does not split a character between two chunks', () => {
    const texts = Array.from({ length: 700 }, (_, seq) => exchange({ seq, failure: `${'é€😀'.repeat(40)}${seq}` }));
    const { records } = read([header(), ...texts].map(json).join('\n'));
    expect(records.slice(1)).toEqual(texts);
  });

  it('reads an empty file, or one whose header is torn, as an incomplete history', () => {
    for (const content of ['', '{"kind":"header","form']) {
      const { records, report } = read(content);
      expect(records).toEqual([]);
      expect(report).toMatchObject({ whole: false, tornLastLine: content !== '' });
    }
  });

  it('reads no further once its reader has stopped', () => {
    const path = join(folder, 'history.ndjson');
    writeFileSync(path, [header(), exchange({ seq: 0 }), end({ exchanges: 1 })].map(json).join('\n'));
    const records = readJournalSync(path)[Symbol.iterator]();
    expect(records.next().value).toEqual(header());
    expect([records.return?.(), records.next()]).toEqual(Array(2).fill({ done: true, value: undefined }));
  });

  it('rejects files that are not histories, other versions, and unreadable files', () => {
    expect(problemOf('a,b\n1,2\n')).toBe(
      'history.ndjson: is not a history: its first line is no spillway-history header; give the path of a history.ndjson',
    );
    for (const first of [json(exchange({ seq: 0 })), 'null', '7', 'notes', '{"a":1}'])
      for (const newline of ['', '\n']) expect(problemOf(`${first}${newline}`)).toContain('is not a history');
    expect(problemOf(json({ ...header(), seed: 'x' }))).toContain('has values that are not allowed: seed;');
    expect(problemOf('{"kind":"header","format":"spillway-history","version":2}\n')).toBe(
      'history.ndjson: is a history of version 2, and this tool reads version 1; read it with the release that wrote it',
    );
    expect(problemOf(`${json({ ...header(), version: 0 })}\n`)).toContain('is a history of version 0');
    expect(problemOf('{"kind":"header","format":"spillway-history","version":1,"seed":1}\n')).toBe(
      'history.ndjson: is not a usable history: its header lacks clock, exclusive, flushed, limits, node, runId, scenario, startedAt, tool, warmUpUs; run the scenario again, or give each the value that results/README.md describes',
    );
    const { seed: _, ...withoutSeed } = header({ exclusive: 'yes' as never, warmUpUs: us(-1) });
    expect(problemOf(`${json(withoutSeed as never)}\n`)).toContain(
      'its header lacks seed, and has values that are not allowed: exclusive, warmUpUs; run',
    );
    const outOfRange = [
      { clock: { driftPpm: 900_000, granularityUs: us(0), maxServerDelayUs: us(0) } },
      { clock: { driftPpm: 0, granularityUs: us(-1), maxServerDelayUs: us(0) } },
      { warmUpUs: us(-1) },
      ...['yesterday', '', '2026-13-01T00:00:00Z', '2026-11-21T12:00:00', '2026-11-21T12:00:00+02:00'].map(
        (startedAt) => ({ startedAt }),
      ),
      { limits: { ...header().limits, rate: { max: 20, windowUs: us(2), reading: 'unknown' } } },
    ];
    for (const members of outOfRange)
      expect(problemOf(`${json(header(members))}\n`)).toContain(
        `its header has values that are not allowed: ${Object.keys(members)[0]}; run`,
      );
    for (const startedAt of ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.123456Z'])
      expect(read(`${json(header({ startedAt }))}\n`).records).toEqual([header({ startedAt })]);
    expect(() => [...readJournalSync(join(folder, 'none'))]).toThrow('cannot be read: no such file');
    expect(() => [...readJournalSync(folder)]).toThrow('cannot be read: it is a folder');
    expect(() => [...readJournalSync('/dev/null')]).toThrow('cannot be read: it is a pipe or a device');
  });
});
