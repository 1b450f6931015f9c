import type { Exchange, Header } from '../../history/index.ts';
import { exchange, header, us } from '../../testing/history/sample-records.ts';
import type { World } from './worlds.exam.ts';

/** What the journal of a simulated service says. */

const SECOND = 1_000_000;

export interface Answer {
  readonly status: number;
  readonly code?: string;
  readonly turn?: { readonly id: string; readonly status: string };
}

export const digestOf = (id: string) => Buffer.from(id.padEnd(16, '.')).toString('hex').slice(0, 32);

export function recordOf(
  operation: Exchange['operation'],
  labels: Partial<Exchange>,
  seq: number,
  sentAt: number,
  receivedAt: number,
  answer: Answer | undefined,
  codes: boolean,
): Exchange {
  const { headersAt: _, status: __, ...plain } = exchange({ seq, operation, ...labels });
  const times = { sentAt: us(sentAt), intendedAt: us(sentAt), receivedAt: us(receivedAt) };
  if (!answer) return { ...plain, ...times, outcome: 'failed', failure: 'ECONNRESET' };
  return {
    ...plain,
    ...times,
    headersAt: us(receivedAt),
    outcome: answer.status === 429 ? 'refused' : 'answered',
    status: answer.status,
    ...(answer.turn && { turn: answer.turn }),
    ...(answer.code && codes && { error: { code: answer.code, retryable: true, requestId: 'r' } }),
  };
}

/** A number stands for a zone that was not requested: the service's own, if all tokens have the same. */
function timezonesOf({ zones }: World): Header['timezones'] {
  const names = zones.filter((zone) => typeof zone === 'string');
  return zones.length > 1 && names.length < zones.length ? undefined : names;
}

export function headerOf(world: World): Header {
  const timezones = timezonesOf(world);
  const { slots, quota, day, scope, slot, graceUs, driftPpm, declared, sameTurn, delayUs, staleUs } = world;
  return header({
    limits: {
      rate: { max: 1_000_000, windowUs: us(60 * SECOND), reading: 'unknown' },
      concurrency: { max: slots },
      daily: { max: quota },
    },
    clock: { driftPpm, granularityUs: us(1_000), maxServerDelayUs: us(6 * delayUs + SECOND) },
    ...(timezones && { timezones }),
    profile: {
      errorCodes: { known: true },
      idempotency: { scope: 'conversation', sameTurn },
      ...(staleUs > 0 && { turns: { staleFor: staleUs / 1_000 } }),

      limits: {
        concurrency: { scope, slot, releaseGrace: graceUs / 1_000, reading: declared.slots ? slot : 'unknown' },
        daily: { scope, day: declared.day ? day : 'unknown', reading: 'unknown' },
      },
    },
  });
}
