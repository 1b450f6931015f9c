import { z } from 'zod';
import type { Summary } from '../../collect/index.ts';
import type { SummaryDocument } from '../judged.ts';
import { count, flag, memberOf, micros, objectOf, text } from './parts.ts';

export const RunSchema = objectOf<SummaryDocument['run']>('Run', 'What ran, and how complete its history is', {
  runId: text('Identifier of the run'),
  scenario: text('Name of the scenario'),
  seed: z.int().describe('Seed of the plan'),
  startedAt: text('UTC, ISO 8601'),
  tool: text('Name and version of the tool'),
  node: text('Version of Node'),
  target: text('Name of the target profile').optional(),
  address: text('Base address of the service; absent for the embedded sandbox').optional(),
  durationUs: micros('Time to the end; for an incomplete history, to the last recorded instant'),
  warmUpUs: micros('Exchanges intended before this are excluded from all numbers'),
  complete: flag('Whether the history is complete'),
  incompleteBecause: text(
    'Why it is incomplete; absent if it is complete: interrupted, deadline (gracefulStop, too), gate, budget, disk, target, sandbox, no-end (the last line is missing), lines-lost, lines-unreadable, lines-doubled',
  ).optional(),
  invalid: text(
    'Why the numbers must not be used (exit code 11, or that of a more severe reason): the generator was the bottleneck, nothing was answered, the history is incomplete, …; absent if they may be used, as after an end by deadline, gate or budget',
  ).optional(),
  arrivals: count(
    'Arrivals, including dropped ones and the warm-up; of a history that was cut off (no-end), those of which something is recorded, so more than journeys and drops together',
  ),
  exchanges: count('Recorded exchanges, including the warm-up'),
  warmUp: memberOf<Summary['run']['warmUp']>('Usage by the warm-up', {
    exchanges: count('Exchanges'),
    newMessages: count('New messages'),
  }),
  streamRecords: count('Records of streams, including the warm-up'),
  inFlightAtEnd: count(
    'Requests that were sent and have no recorded end: each may have been admitted. A lower bound if the history was cut off (no-end), since its last lines may be missing',
  ),
  missingSeq: count('Sequence numbers that are in no line, because lines were lost'),
  serviceClock: z
    .enum(['recorded', 'assumed'])
    .describe("assumed: the service's clock is unknown, and the generator's clock is used instead"),
  clockRate: z
    .number()
    .optional()
    .describe(
      "Service seconds per run second, of a clock that runs visibly faster or slower: limits, windows, days and proofs count its time; latencies are in the run's. Absent otherwise",
    ),
});

export const LimitsSchema = memberOf<NonNullable<Summary['limits']>>(
  "Limits as the journal's header declares them; absent without a header",
  {
    rate: memberOf<NonNullable<Summary['limits']>['rate']>('Requests per window', {
      max: count('Requests'),
      windowUs: micros("Window, on the service's clock"),
    }),
    concurrency: memberOf<{ max: number }>('Turns in process at once', { max: count('Turns') }),
    daily: memberOf<{ max: number }>('New messages per day', { max: count('Messages') }),
  },
);
