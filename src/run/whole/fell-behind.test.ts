import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spillway, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { answer, serveBadly, someCredentials } from '../../testing/service.ts';

const TAKES_MS = 25;

/** Answers one request after the other, 40 a second, and refuses none: only queues tell that 60 a second are too many. */
it('stairs end at a service that answers slower than it is asked, although it refuses nothing', async () => {
  let free = 0;
  const service = await serveBadly({
    createConversation: (asked) => {
      // By the clock: on a busy machine, late timers must not slow it down.
      free = Math.max(free, Date.now()) + TAKES_MS;
      setTimeout(
        () => answer(asked, 201, { conversation_id: randomUUID(), title: 'New', created_at: '2026-01-15T09:00:00Z' }),
        free - Date.now(),
      );
    },
  });
  const scenario = scenarioFile(`name: slower
${WHATEVER_THE_MACHINE}
profile: { limits: { rate: { max: 1000000 }, concurrency: { max: 10000 }, daily: { max: 1000000 } } }
users: 5
journeys: { look: { steps: [createConversation: {}] } }
load: { model: steps, from: 10/s, by: 25/s, steps: 3, each: 3s }`);
  const folder = join(temporaryFolder(), 'out');
  const { code, err, out } = await spillway(['run', scenario, '--target', service.url, '--out', folder], {
    env: someCredentials,
  });
  await service.close();
  expect(code, err).toBe(0);

  const { stages = [], knee } = resultsIn(folder).summary();
  expect(stages.map(({ state }) => state)).toEqual(['held', 'held', 'gave-in']);
  expect(stages.map(({ arrivals, journeys }) => [arrivals, journeys.completed])).toEqual([
    [30, 30],
    [105, 105],
    [180, 180],
  ]);
  expect(knee).toMatchObject({ held: 'stair-2', gaveIn: 'stair-3' });
  // All 180 journeys of the last stair were completed, but a third of them after its end.
  const achieved = stages.map(({ perMinute }) => (perMinute?.completedJourneys ?? 0) / 60);
  expect(achieved[1]).toBeGreaterThan(33);
  expect(achieved[2]).toBeGreaterThan(36);
  expect(achieved[2]).toBeLessThan(41);
  // 20 a second more are due than answered: about 30 in each half.
  const { half = 0, end = 0 } = stages[2]?.behind ?? {};
  expect(end - half).toBeGreaterThan(24);
  expect(end - half).toBeLessThan(36);
  expect((out + err).replaceAll(/\s+/g, ' ')).toContain(
    `fell behind: ${half} unanswered at its half, ${end} at its end`,
  );
  expect(resultsIn(folder).rows('stages.csv')[2]).toMatchObject({
    state: 'gave-in',
    behind_half: String(half),
    behind_end: String(end),
  });
}, 60_000);
