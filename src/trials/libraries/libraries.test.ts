import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkJournal, readingNames } from '../../check/index.ts';
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
 * Times after the first request, at the earliest: a window that began with it ends between the first two bursts. Both are within one
 * W, and delays of a second change nothing. By the third, a bucket would have regained what the second took.
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
        pause(2_600),
        burst(30),
        pause(1_600),
        burst(30),
        pause(2_000),
        { burst: { of: 'readHistory', count: 5, gap: '100ms' } },
        pause(2_000),
        burst(30),
      ],
    },
  },
  load: { model: 'burst', count: 1 },
});

/** @returns exit code and text of the run, and the path of its journal */
async function runAgainst({ reading, serve }: Pick<PublicLimiter, 'reading' | 'serve'>) {
  const service = await serveBadly({ readHistory: await serve() });
  afterThisFile(() => service.close());
  const folder = temporaryFolder();
  const file = join(folder, 'scenario.json');
  writeFileSync(file, JSON.stringify(traffic(reading)));
  const run = ['run', file, '--target', service.url, '--out', join(folder, 'run'), '--yes', '--quiet'];
  const { code, out, err } = await spillway(run, { env: someCredentials });
  return { code, text: `${out}\n${err}`, journal: join(folder, 'run/history.ndjson') };
}

describe.concurrent('over real sockets, a limiter that others wrote', { timeout: PATIENCE_MS }, () => {
  it.each(Object.entries(publicLimiters))('%s, has its own reading, and others are refuted', async (_name, limiter) => {
    const { code, text, journal } = await runAgainst(limiter);
    expect(code, text).toBe(0);
    const verdictUnder = (reading: string) =>
      checkJournal(journal, { declared: { rate: reading }, infers: false }).limits[0]?.verdict;
    const refuted = readingNames('rate').filter((reading) => verdictUnder(reading) === 'violated');
    expect({ own: verdictUnder(limiter.reading), refuted }).toEqual({
      own: 'consistent',
      refuted: readingNames('rate').filter((reading) => limiter.refuted.includes(reading)),
    });
  });

  it('that admits one too many is convicted', async () => {
    const { code, text } = await runAgainst({
      reading: 'fixed-window-anchored',
      serve: () => behindExpressRateLimit(MAX + 1),
    });
    expect(code, text).toBe(10);
    expect(text).toMatch(
      /rate: violated \(over-admission\)\n {2}41 requests were admitted within 1\.\d+ s; no fixed window anchored of 20 per 4 s admits more than 40/,
    );
  });
});
