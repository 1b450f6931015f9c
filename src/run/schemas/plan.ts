import { z } from 'zod';
import { limitNames } from '../../api/index.ts';
import type { ConfigProblem } from '../../base/index.ts';
import { count, flag, formatOf, memberOf, micros, objectOf, publishedSchema, text } from '../../report/index.ts';
import { type ArrivalLine, type ForecastLine, PLAN_FORMAT, PLAN_VERSION } from '../forecast/plan-lines.ts';
import type { Range } from '../forecast/price.ts';

const RangeSchema = objectOf<Range>('Range', 'Lowest and highest value over the rehearsals', {
  low: count('Lowest'),
  high: count('Highest'),
});
const range = (description: string) => RangeSchema.describe(description);

/** A plan has few problems: none stands for others. */
const ProblemSchema = objectOf<Omit<ConfigProblem, 'count'>>('Problem', 'Why spillway run would refuse the plan', {
  file: text('The file that declares it; absent for the command line').optional(),
  line: count('From 1; absent if unknown').optional(),
  column: count('From 1; absent if unknown').optional(),
  path: text('Path within the file'),
  message: text('What is wrong, without a full stop'),
  hint: text('What to write instead').optional(),
});

const unrefused = {
  requests: count('All requests, including those for tokens'),
  messages: count('Attempts to send a message'),
  newMessages: count('New messages accepted in all'),
  dailyUse: count('New messages on the fullest day'),
};

const ForecastSchema = objectOf<ForecastLine>('Forecast', 'The first line: what the plan will send', {
  ...formatOf(PLAN_FORMAT, PLAN_VERSION),
  kind: z.literal('price').describe('Tells the forecast from arrivals'),
  scenario: text('Name of the scenario'),
  seed: z.int().describe('Seed of the plan: the same scenario and seed give the same plan'),
  whole: flag('False: the rehearsals were cut off, and every count is a lower bound'),
  durationUs: range('Length of the run (µs)'),
  arrivals: range('Arrivals'),
  tokens: range('Requests for tokens'),
  requests: range('All others, including retries and polls, whether or not they count towards a limit'),
  polls: range('readTurn requests, included in requests'),
  messages: range('Attempts to send a message, resends included'),
  busiestMinute: range(
    "Requests in the fullest window of the rate limit, refused ones included, in one bucket of the limit's scope",
  ),
  openTurns: range("Most turns in process at once, in one bucket of the limit's scope"),
  newMessages: range('New messages accepted in all'),
  dailyUse: range('New messages on the fullest day'),
  dayIsKnown: flag(
    "False: it is unknown when the service's day changes; dailyUse then ranges from UTC days to the fullest 24 hours",
  ),
  refused: z.record(z.enum(limitNames), RangeSchema).describe('429s, by limit'),
  drops: range('Arrivals dropped by caps'),
  cutShort: memberOf<Required<ForecastLine>['cutShort']>(
    'What is left when the scenario ends the run before its plan is done; absent: the plan is done before',
    {
      by: z.enum(['deadline', 'gracefulStop']).describe('What ends it'),
      atUs: micros('When, after the start of the run'),
      arrivals: count('Planned arrivals, without those of users in a loop'),
      notStarted: range('Of these, those that do not start'),
      interrupted: range('Journeys that are broken off'),
    },
  ).optional(),
  most: memberOf<ForecastLine['most']>(
    'The highest counts, including those at a service that refuses nothing; compared with the budget',
    unrefused,
  ),
  ifFast: memberOf<Required<ForecastLine>['ifFast']>(
    'The same, including those at a service that also answers within 2 ms; absent: what is sent does not depend on how fast it answers',
    { ...unrefused, whole: flag('False: the rehearsal was cut off, and these counts are lower bounds') },
  ).optional(),
  wouldRefuse: z.array(ProblemSchema).describe('Why spillway run would refuse the plan; empty if it would not'),
});

const ArrivalSchema = objectOf<ArrivalLine>('Arrival', 'Every other line: one planned arrival', {
  kind: z.literal('arrival').describe('Tells arrivals from the forecast'),
  index: count('0, 1, … in order of time, as in the journal'),
  intendedAt: micros('When it is due, after the start of the run'),
  phase: text('Name of its phase'),
  journey: text('Name of its journey'),
  user: count('Index of its user'),
  ceiling: count('Number of its load model, if that sets noCatchUp; absent: a late arrival starts at once').optional(),
});

/** A line; the compiler checks that it has exactly the members of the types. */
export const PlanLineSchema: z.ZodType<ForecastLine | ArrivalLine> = z.union([ForecastSchema, ArrivalSchema]);

/** The published JSON Schema (draft 2020-12) of each line. */
export const planJsonSchema = () =>
  publishedSchema(PlanLineSchema, `each line of spillway plan --json, version ${PLAN_VERSION}`);
