import { z } from 'zod';
import type { GatesDocument } from '../gates/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { GatesSchema } from './gates-json.ts';
import { inertJson } from './inert-text.ts';
import { publishedSchema } from './published-schema.ts';
import { count, memberOf, text } from './schemas/parts.ts';

const ROUNDS_FORMAT = 'spillway-rounds';
const ROUNDS_VERSION = 1;

/** File of a folder of rounds: which runs lie in it, in the order in which they ran. */
export const ROUNDS_FILE = 'rounds.json';

/** One run of `spillway run --repeat`. */
export interface RoundRun {
  /** From 1. */
  readonly round: number;
  readonly side: 'base' | 'candidate';
  /** Below the folder of the rounds, with slashes. */
  readonly folder: string;
  readonly runId: string;
  readonly exitCode: number;
  /** Its numbers are not to be used, also where something is proven and the exit code says that; absent: they are. */
  readonly invalid?: true;
}

/** The content of `rounds.json`. */
export interface Rounds {
  readonly format: typeof ROUNDS_FORMAT;
  readonly version: typeof ROUNDS_VERSION;
  readonly scenario: string;
  /** Base addresses; `sandbox` for the embedded one. `candidate` is absent where nothing was compared. */
  readonly targets: { readonly base: string; readonly candidate?: string };
  /** How many rounds there were to be; absent in what earlier versions wrote. */
  readonly rounds?: number;
  readonly runs: readonly RoundRun[];
  /** The run that goes on, or in which the command was killed; absent between runs, and when all are over. */
  readonly running?: Pick<RoundRun, 'round' | 'side' | 'folder'>;
  /** What decides: the gates of each side over all its rounds. Absent until the last round is over. */
  readonly gates?: { readonly base?: GatesDocument; readonly candidate?: GatesDocument };
  /** Why not all rounds ran: names the round that has no results or that ended all rounds; absent if all ran. */
  readonly brokenOff?: string;
}

const RoundSchema = memberOf<RoundRun>('One run', {
  round: count('Round, from 1'),
  side: z.enum(['base', 'candidate']).describe('Of a round both are run, and which comes first alternates'),
  folder: text("The run's folder, below this file's"),
  runId: text('Identifier of the run'),
  exitCode: count('What spillway run would have exited with, but for gates that did not end it'),
  invalid: z
    .literal(true)
    .describe('Its numbers are not to be used, also where something is proven (exit code 10); absent: they are')
    .optional(),
});

/** It holds exactly the members of the type: the compiler compares them. */
export const RoundsSchema: z.ZodType<Rounds> = memberOf<Rounds>('Runs of one scenario, one after the other', {
  format: z.literal(ROUNDS_FORMAT).describe('Name of this format'),
  version: z
    .literal(ROUNDS_VERSION)
    .describe('Changes when a member is removed or changes its meaning; new members may be added within a version'),
  scenario: text('Name of the scenario'),
  targets: memberOf<Rounds['targets']>('Base addresses; sandbox for the embedded one', {
    base: text('Of the base'),
    candidate: text('Of the candidate; absent where nothing was compared').optional(),
  }),
  rounds: count('How many rounds were planned').optional(),
  runs: z.array(RoundSchema).describe('In the order in which they ran'),
  running: memberOf<NonNullable<Rounds['running']>>(
    'The run that goes on, or in which the command was killed; absent between runs, and when all are over',
    {
      round: count('Round, from 1'),
      side: z.enum(['base', 'candidate']).describe('Which of its two runs'),
      folder: text("The run's folder, below this file's"),
    },
  ).optional(),
  gates: memberOf<NonNullable<Rounds['gates']>>(
    'The gates of each side over all its rounds, which decide; absent until the last round is over',
    { base: GatesSchema.optional(), candidate: GatesSchema.optional() },
  ).optional(),
  brokenOff: text(
    'Why not all rounds ran: the round that has no results or that ended all rounds, and the reason; absent if all ran',
  ).optional(),
});

/** The published JSON Schema (draft 2020-12). */
export const roundsJsonSchema = () => publishedSchema(RoundsSchema, `spillway rounds.json, version ${ROUNDS_VERSION}`);

/** Writes `rounds.json`, whole or not at all. @throws the disk's error */
export function writeRounds(file: string, rounds: Omit<Rounds, 'format' | 'version'>): Promise<void> {
  return writeFileAtomically(file, [inertJson({ format: ROUNDS_FORMAT, version: ROUNDS_VERSION, ...rounds })]);
}

/** As much of it as is read again: later versions may have written more. */
const KnownGates = z.custom<GatesDocument>((value) => z.object({ runs: z.array(z.string()) }).safeParse(value).success);

/** Reads it; members that this version does not know are passed over. @returns `undefined` when it is not one */
export function readRounds(textOfFile: string): Rounds | undefined {
  let value: unknown;
  try {
    value = JSON.parse(textOfFile);
  } catch {
    return undefined;
  }
  const known = z
    .object({ format: z.literal(ROUNDS_FORMAT), version: z.literal(ROUNDS_VERSION), scenario: z.string() })
    .extend({
      targets: z.object({ base: z.string(), candidate: z.string().exactOptional() }),
      runs: z.array(
        z.object({
          round: z.int(),
          side: z.enum(['base', 'candidate']),
          folder: z.string(),
          runId: z.string(),
          exitCode: z.int(),
          invalid: z.literal(true).exactOptional(),
        }),
      ),
      rounds: z.int().exactOptional(),
      running: z.object({ round: z.int(), side: z.enum(['base', 'candidate']), folder: z.string() }).exactOptional(),
      gates: z.object({ base: KnownGates.exactOptional(), candidate: KnownGates.exactOptional() }).exactOptional(),
      brokenOff: z.string().exactOptional(),
    })
    .safeParse(value);
  return known.success ? known.data : undefined;
}
