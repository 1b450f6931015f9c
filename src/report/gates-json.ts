import { z } from 'zod';
import { inertJson } from '../base/index.ts';
import { GATES_FORMAT, GATES_VERSION, type GatesDocument } from '../gates/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { publishedSchema } from './published-schema.ts';
import { GateResultSchema, RoundSchema } from './schemas/gates.ts';
import { flag, formatOf, memberOf } from './schemas/parts.ts';

/** File name in a run's folder. */
export const GATES_FILE = 'gates.json';

/** The compiler checks that it has exactly the members of the type. */
export const GatesSchema: z.ZodType<GatesDocument> = memberOf<GatesDocument>('Results of the gates of a run', {
  ...formatOf(GATES_FORMAT, GATES_VERSION),
  runs: z.array(z.string()).describe('Ids of the runs that were judged together; the first is the run itself'),
  round: RoundSchema.optional(),
  complete: flag('Whether the histories are complete'),
  passed: flag('Whether no gate fails the run; true if there are no gates'),
  gates: z.array(GateResultSchema).describe("In the order of the scenario, then the command line's"),
});

/** The published JSON Schema (draft 2020-12). */
export const gatesJsonSchema = () => publishedSchema(GatesSchema, `spillway gates.json, version ${GATES_VERSION}`);

/** Writes `gates.json` atomically. @throws the disk's error */
export function writeGates(file: string, document: GatesDocument): Promise<void> {
  return writeFileAtomically(file, [inertJson(document)]);
}
