import { z } from 'zod';
import { DurationText, EnvironmentReference, TargetProfileSchema } from '../../api/index.ts';
import { LoadModelSchema } from '../load-models/index.ts';
import { Gates } from './gates.ts';
import { Generator } from './generator.ts';
import { Policy } from './policy.ts';
import { Sandbox } from './sandbox.ts';
import { Step } from './steps.ts';
import { Identifier, Label, PositiveDuration } from './values.ts';

const Journey = z.strictObject({
  weight: z.number().positive().default(1).describe('Share of the arrivals, relative to the other journeys.'),
  description: z.string().optional(),
  onRefused: Policy.optional().describe("After a 429, unless the step says otherwise; default: the scenario's."),
  onError: Policy.optional().describe('After a missing answer or an error status; same default as onRefused.'),
  steps: z.array(Step).min(1).describe('What a user does, in this order.'),
});
export type Journey = z.infer<typeof Journey>;

const Load = z
  .union([LoadModelSchema, z.array(LoadModelSchema).min(1)], {
    error: 'must be an object or a list; write for example { model: burst, count: 1 }',
  })
  .describe('One load model, or several that run in parallel.');

const Phase = z.strictObject({
  name: z.string().min(1).describe('Name in stages.csv and in gates.'),
  load: Load,
  duration: PositiveDuration.optional().describe(
    'Length of the phase; the next one begins after it. Default: the longest of its load models. Required before another phase if none of its load models has a planned length.',
  ),
});

const Caps = z.strictObject({
  inFlight: z.int().min(1).optional().describe('Maximum of requests that wait for an answer at the same time.'),
  openTurns: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Maximum of turns that are accepted and not known to be finished. A turn that its journey does not follow to the end counts until the journey ends.',
    ),
  requestsPerMinute: z
    .int()
    .min(1)
    .max(10_000_000)
    .optional()
    .describe(
      "Maximum of requests per minute of the service's clock; only requests that count towards the rate limit.",
    ),
  whenFull: z
    .enum(['queue', 'drop'])
    .default('queue')
    .describe('What happens to an arrival when a cap is full: it waits, or it is dropped and counted.'),
});

/** Optional members of token requests. The specification names both and leaves open which a service needs. */
const whereabouts = {
  locale: z.string().optional().describe('Language and region of a token, for example fr-CH.'),
  timezone: z.string().optional().describe('Time zone of a token, for example Europe/Zurich.'),
};

const Users = z.union([
  z.int().min(1).max(1_000_000),
  z
    .array(
      z.strictObject({
        id: z.string().min(1).describe('external_user_id'),
        ...whereabouts,
        application: z.string().optional().describe('Name of an entry in applications; default the first.'),
      }),
    )
    .min(1),
]);

/**
 * A scenario file. Durations and rates are on the generator's clock unless a field says otherwise.
 */
export const ScenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
      'must be 1 to 64 letters without accents, digits, dots, hyphens or underscores, beginning with a letter or a digit: it names the results folder',
    )
    .describe('Names the results folder.'),
  description: z.string().optional(),
  profile: z
    .union([z.string().min(1), TargetProfileSchema])
    .optional()
    .describe("Target profile: a file beside this one, or its content. Default: the embedded sandbox's."),
  sandbox: Sandbox.prefault({}).describe('Settings of the embedded sandbox; unused with another target.'),
  seed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .default(1)
    .describe('The same seed gives the same plan; `--seed` overrides it.'),
  variables: z
    .record(Identifier, z.union([z.string(), z.number()]))
    .default({})
    .describe('Used as ${vars.NAME}; `-e NAME=VALUE` overrides them.'),
  applications: z
    .record(
      Label(32),
      z.strictObject({ clientId: EnvironmentReference, clientSecret: EnvironmentReference }).nullable(),
    )
    .optional()
    .describe(
      "Partner applications by label. Default: one, a1, with the profile's credentials. null: the embedded sandbox creates credentials.",
    ),
  users: Users.default(1).describe('Number of users, or a list of them; arrivals use them in turn.'),
  tokens: z
    .strictObject(whereabouts)
    .prefault({})
    .describe(
      'Locale and time zone of token requests, unless the user or the step sets them. Default: neither is sent.',
    ),
  data: z
    .record(
      Identifier,
      z.strictObject(
        {
          file: z
            .string()
            .min(1)
            .describe('CSV with a header line, or a JSON array of objects; path relative to this file.'),
          order: z
            .enum(['sequential', 'random'])
            .default('sequential')
            .describe(
              'sequential: arrival 0 has the first row, and so on, over and over. random: a row drawn by the seed.',
            ),
        },
        {
          error: ({ code, input }) =>
            code === 'invalid_type' && typeof input === 'string'
              ? `must be an object; write { file: ${input} }`
              : undefined,
        },
      ),
    )
    .default({})
    .describe('Rows of data; one row per arrival, used as ${data.NAME.COLUMN}.'),
  journeys: z
    .record(Label(64), Journey)
    .refine((journeys) => Object.keys(journeys).length > 0, 'needs at least one journey')
    .describe('What users do, by name; each arrival goes through one of them.'),
  load: Load.optional(),
  phases: z.array(Phase).min(1).optional().describe('Phases one after the other; instead of load.'),
  caps: Caps.prefault({}).describe('Client-side limits; waiting for them is measured.'),
  onRefused: Policy.prefault('stop').describe('After a 429, unless the journey or the step says otherwise.'),
  onError: Policy.prefault('stop').describe(
    'After a missing answer or an error status, unless the journey or the step says otherwise.',
  ),
  gates: Gates.default({}),
  warmUp: DurationText.prefault('0').describe('Exchanges intended before this time are excluded from all metrics.'),
  deadline: PositiveDuration.optional().describe('The run stops after this time, even if requests are open.'),
  gracefulStop: DurationText.optional().describe(
    'How long after the planned end the run stops as it does at its deadline. Default: it goes on until everything planned is done.',
  ),
  generator: Generator.prefault({}).describe('Thresholds from which the generator itself counts as the bottleneck.'),
  record: z
    .strictObject({
      messages: z
        .boolean()
        .default(false)
        .describe('Write message texts into the journal, without values from the environment.'),
    })
    .prefault({})
    .describe('What the journal has besides.'),
});

/** A validated scenario with every default filled in; durations in milliseconds, rates per second. */
export type Scenario = z.infer<typeof ScenarioSchema>;
