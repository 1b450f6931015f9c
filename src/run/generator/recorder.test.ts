import { stat } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import { type Millis, realClock } from '../../base/index.ts';
import type { JournalRecord, StreamRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { recorder } from './recorder.ts';

it('an event of a stream that is read after a standstill may have come during it, what the client did itself not', async () => {
  const clock = realClock();
  const written: JournalRecord[] = [];
  const ms = (value: number) => value as Millis;
  const records = recorder({
    journal: {
      ...{ write: (record) => written.push(record), announces: () => true, backlog: () => 0, lost: () => 0 },
      ...{ failure: undefined, close: async () => undefined },
    },
    ...{ baseUrl: 'http://127.0.0.1', followsDate: false, profile: sandboxProfile(), clock, openedUs: us(0) },
    ...{ onRecord: () => undefined, longestQueue: () => 0, takeUnasked: () => [], onUnusable: () => undefined },
    scenario: {
      warmUp: ms(0),
      generator: { medianLag: ms(50), p99Lag: ms(500), eventLoop: ms(50), lateDrops: 0.01, enforce: true },
    },
    among: undefined,
  });
  const stop = new AbortController();
  const watching = records.watch(stop.signal);
  await setTimeout(30);
  const event = (name: StreamRecord['event']): StreamRecord => ({
    ...{ kind: 'stream', turn: 't', event: name, at: clock.now() },
  });
  await new Promise<void>((done) => {
    stat(import.meta.filename, () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      for (const name of ['delta', 'completed', 'closed'] as const) records.record(event(name));
      done();
    });
  });
  stop.abort();
  await watching;
  const lates = written.flatMap((record) => (record.kind === 'stream' ? [record.readLateUs] : []));
  for (const late of lates.slice(0, 2)) expect(late).toBeGreaterThanOrEqual(200_000);
  expect(lates.slice(2)).toEqual([undefined]);
});
