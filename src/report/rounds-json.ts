import { z } from 'zod';
import { inertJson } from '../base/index.ts';
import type { GatesDocument } from '../gates/index.ts';
import type { RoundOf } from '../history/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { GatesSchema } from './gates-json.ts';
import { publishedSchema } from './published-schema.ts';
import { count, formatOf, memberOf, text } from './schemas/parts.ts';

const ROUNDS_FORMAT = 'spillway-rounds';
const ROUNDS_VERSION = 1;

/** File name in a folder of rounds. It lists the runs in the order in which they ran. */
export const ROUNDS_FILE = 'rounds.json';

const side = z.enum(['base', 'candidate']);

/** One run of `spillway run --repeat`. */
export interface RoundRun {
  /** From 1. */
  readonly round: number;
  readonly side: RoundOf['side'];
  /** Relative to the folder of the rounds, with forward slashes. */
  readonly folder: string;
  readonly runId: string;
  readonly exitCode: number;
  /** Present if the run is invalid, even if its exit code reports a proven violation instead. */
  readonly invalid?: true;
}

/** The content of `rounds.json`. */
export interface Rounds {
  readonly format: typeof ROUNDS_FORMAT;
  readonly version: typeof ROUNDS_VERSION;
  readonly scenario: string;
  /** Base addresses; `sandbox` for the embedded one. `candidate` is absent if nothing was compared. */
  readonly targets: { readonly base: string; readonly candidate?: string };
  /** Number of planned rounds; absent in files of earlier versions. */
  readonly rounds?: number;
  readonly runs: readonly RoundRun[];
  /** The run in progress, or in which the command was killed; absent between runs and after the last one. */
  readonly running?: Pick<RoundRun, 'round' | 'side' | 'folder'>;
  /** The decisive gate results: the gates of each side over all its rounds. Absent until the last round is over. */
  readonly gates?: { readonly base?: GatesDocument; readonly candidate?: GatesDocument };
  /** Why not all rounds ran: names the round that has no results or that ended all rounds; absent if all ran. */
  readonly brokenOff?: string;
}

const RoundSchema = memberOf<RoundRun>('One run', {
  round: count('Round, from 1'),
  side: side.describe('Both sides run in each round; which comes first alternates'),
  folder: text("The run's folder, below this file's"),
  runId: text('Identifier of the run'),
  exitCode: count('Exit code that spillway run would have had, apart from gates that did not end the run'),
  invalid: z
    .literal(true)
    .describe('The run is invalid, even if a violation is proven (exit code 10); absent: it is valid')
    .optional(),
});

/** The compiler checks that it has exactly the members of the type. */
export const RoundsSchema: z.ZodType<Rounds> = memberOf<Rounds>('Repeated runs of one scenario', {
  ...formatOf(ROUNDS_FORMAT, ROUNDS_VERSION),
  scenario: text('Name of the scenario'),
  targets: memberOf<Rounds['targets']>('Base addresses; sandbox for the embedded one', {
    base: text('Of the base'),
    candidate: text('Of the candidate; absent if nothing was compared').optional(),
  }),
  rounds: count('Number of planned rounds').optional(),
  runs: z.array(RoundSchema).describe('In the order in which they ran'),
  running: memberOf<NonNullable<Rounds['running']>>(
    'The run in progress, or in which the command was killed; absent between runs and after the last one',
    {
      round: count('Round, from 1'),
      side: side.describe('Which of the runs of the round'),
      folder: text("The run's folder, below this file's"),
    },
  ).optional(),
  gates: memberOf<NonNullable<Rounds['gates']>>(
    'The decisive gate results: the gates of each side over all its rounds; absent until the last round is over',
    { base: GatesSchema.optional(), candidate: GatesSchema.optional() },
  ).optional(),
  brokenOff: text(
    'Why not all rounds ran: the round that has no results or that ended all rounds, and the reason; absent if all ran',
  ).optional(),
});

/** The published JSON Schema (draft 2020-12). */
export const roundsJsonSchema = () => publishedSchema(RoundsSchema, `spillway rounds.json, version ${ROUNDS_VERSION}`);

export const roundsDocument = (rounds: Omit<Rounds, 'format' | 'version'>): Rounds => ({
  format: ROUNDS_FORMAT,
  version: ROUNDS_VERSION,
  ...rounds,
});

/** Writes `rounds.json` atomically. @throws the disk's error */
export function writeRounds(file: string, rounds: Omit<Rounds, 'format' | 'version'>): Promise<void> {
  return writeFileAtomically(file, [inertJson(roundsDocument(rounds))]);
}

/** Checks only the members that are read back, because later versions may have others. */
const KnownGates = z.custom<GatesDocument>((value) => z.object({ runs: z.array(z.string()) }).safeParse(value).success);

/** Parses `rounds.json`; unknown members are ignored. @returns `undefined` if the text is not such a file */
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
          side,
          folder: z.string(),
          runId: z.string(),
          exitCode: z.int(),
          invalid: z.literal(true).exactOptional(),
        }),
      ),
      rounds: z.int().exactOptional(),
      running: z.object({ round: z.int(), side, folder: z.string() }).exactOptional(),
      gates: z.object({ base: KnownGates.exactOptional(), candidate: KnownGates.exactOptional() }).exactOptional(),
      brokenOff: z.string().exactOptional(),
    })
    .safeParse(value);
  return known.success ? known.data : undefined;
}
