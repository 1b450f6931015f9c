import { expect, it } from 'vitest';
import type { Micros } from '../../../base/index.ts';
import { type AcceptedMessage, RunContext } from '../../../collect/index.ts';
import { header } from '../../exporters/journals.exam.ts';
import { Thinned } from '../gather/thinned.ts';
import { quotaOf } from './quota.ts';

const us = (seconds: number): Micros => (seconds * 1_000_000) as Micros;

/** The service's clock starts at 23:59:20 and is ten times as fast, so its day ends at 4 s of run time. */
function midnightAtFour(): RunContext {
  const context = new RunContext();
  context.add(header());
  const serviceUs = (Date.UTC(2026, 0, 15, 23, 59, 20) * 1_000) as Micros;
  context.add({ kind: 'clock', at: us(0), serviceUs, plusMinusUs: us(0), rate: 10 });
  return context;
}

const message = (seconds: number, day: string): AcceptedMessage =>
  ({ sentAt: us(seconds), day, application: 'a1', user: 'u1' }) as AcceptedMessage;

it('ends each line with its day, and says how many refusals one mark stands for', () => {
  const refused = new Thinned<number>();
  for (let i = 0; i < 6; i++) refused.add(us(i));
  refused.halve();
  const messages = [message(1, '2026-01-15'), message(2, '2026-01-15'), message(5, '2026-01-16')];
  const made = quotaOf(messages, { max: 50, scope: 'application', refused, context: midnightAtFour() });
  expect(made?.quota.lines).toEqual([
    { name: 'a1, 2026-01-15', points: [us(1), 1, us(2), 2], to: us(4) },
    { name: 'a1, 2026-01-16', points: [us(5), 1], to: us(4 + 8_640) },
  ]);
  expect(made?.quota.refused).toHaveLength(3);
  expect(made?.quota.refusedStride).toBe(2);
  expect(made?.quota.midnights).toEqual([us(4)]);
});

it('draws the last step of a line of which it leaves steps out', () => {
  const messages = Array.from({ length: 2_002 }, (_, index) => message(index / 1_000, '2026-01-15'));
  const made = quotaOf(messages, {
    max: 5_000,
    scope: 'application',
    refused: new Thinned<number>(),
    context: midnightAtFour(),
  });
  expect(made?.quota.lines[0]?.points.slice(-4)).toEqual([us(2), 2_001, us(2.001), 2_002]);
  expect(made?.leftOut).toEqual(['1 step in 2 is drawn']);
});
