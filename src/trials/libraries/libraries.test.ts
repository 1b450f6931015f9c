import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkJournal } from '../../check/index.ts';
import type { ScenarioInput } from '../../scenario/index.ts';
import { PATIENCE_MS, spillway, temporaryFolder } from '../../testing/cli.ts';
import { afterThisFile } from '../../testing/leftovers.ts';
import { serveBadly, someCredentials } from '../../testing/service.ts';
import { behindExpressRateLimit, MAX, type PublicLimiter, publicLimiters, WINDOW_MS } from './limiters.ts';

/*
 * Our judge against limiters that others wrote, over real sockets: what it knows of readings was not learned from our own sandbox.
 */

const burst = (count: number) => ({ burst: { of: 'readHistory', count } }) as const;
const pause = (ms: number) => ({ pause: `${ms}ms` }) as const;

/**
 * A window that begins with the first request ends between the first two bursts; both are within one W, and delays of two seconds
 * change nothing. By the third, a bucket has regained some of what the second took.
 */
const traffic = (reading: string): ScenarioInput => ({
  name: 'both-sides-of-an-edge',
  profile: {
    name: 'limiter',
    limits: {
      rate: { max: MAX, window: `${WINDOW_MS}ms`, reading, scope: 'application', counts: ['readHistory'] },
    },
    errorCodes: { rate: ['rate_limited'], known: true },
    exclusive: true,
    flushed: { rate: true },
  },
  journeys: {
    bursts: {
      onRefused: 'continue',
      steps: [
        { createConversation: {} },
        { readHistory: {} },
        pause(3_000),
        burst(30),
        pause(3_300),
        burst(30),
        pause(2_200),
        { burst: { of: 'readHistory', count: 5, gap: '100ms' } },
        pause(3_800),
        burst(30),
      ],
    },
  },
  load: { model: 'burst', count: 1 },
  // Whether the machine is busy says nothing about the limiters.
  generator: { enforce: false },
});

interface Outcome {
  readonly code: number | null;
  readonly text: string;
  /** Its path. */
  readonly journal: string;
}

async function runAgainst({ reading, serve }: Pick<PublicLimiter, 'reading' | 'serve'>): Promise<Outcome> {
  const service = await serveBadly({ readHistory: await serve() });
  afterThisFile(() => service.close());
  const folder = temporaryFolder();
  const file = join(folder, 'scenario.json');
  writeFileSync(file, JSON.stringify(traffic(reading)));
  const run = ['run', file, '--target', service.url, '--out', join(folder, 'run'), '--yes', '--quiet'];
  const { code, out, err } = await spillway(run, { env: someCredentials });
  return { code, text: `${out}\n${err}`, journal: join(folder, 'run/history.ndjson') };
}

describe('over real sockets, a limiter that others wrote', () => {
  const oneTooMany = { reading: 'fixed-window-anchored', serve: () => behindExpressRateLimit(MAX + 1) };
  const outcomes = new Map<string, Outcome>();

  // All side by side, and judged only afterwards: the services are in this process, and judging one would make the others late.
  beforeAll(async () => {
    const limiters = Object.entries({ ...publicLimiters, oneTooMany });
    await Promise.all(limiters.map(async ([name, limiter]) => outcomes.set(name, await runAgainst(limiter))));
  }, PATIENCE_MS);

  it.each(Object.entries(publicLimiters))('%s, has its own reading, and others are refuted', (name, limiter) => {
    const { code, text, journal } = outcomes.get(name) as Outcome;
    expect(code, text).toBe(0);
    const verdictUnder = (reading: string) =>
      checkJournal(journal, { declared: { rate: reading }, infers: false }).limits[0]?.verdict;
    expect(verdictUnder(limiter.reading)).toBe('consistent');
    expect(limiter.refuted.filter((reading) => verdictUnder(reading) !== 'violated')).toEqual([]);
  });

  it('that admits one too many is convicted', () => {
    const { code, text } = outcomes.get('oneTooMany') as Outcome;
    expect(code, text).toBe(10);
    expect(text).toMatch(
      /rate: violated \(over-admission\)\n {2}41 requests were admitted within \d\.\d+ s; no fixed window anchored of 20 per 6 s admits more than 40/,
    );
  });
});
