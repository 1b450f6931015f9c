import { z } from 'zod';
import { GATES_FORMAT, GATES_VERSION, type GatesDocument } from '../gates/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { inertJson } from './inert-text.ts';
import { documentedMembers, publishedSchema } from './published-schema.ts';
import { GateResultSchema } from './schemas/gates.ts';
import { flag, memberOf } from './schemas/parts.ts';
import { RoundSchema } from './schemas/round.ts';

/** File of a run's folder. */
export const GATES_FILE = 'gates.json';

/** It holds exactly the members of the type: the compiler compares them. */
export const GatesSchema: z.ZodType<GatesDocument> = memberOf<GatesDocument>('What became of the gates of a run', {
  format: z.literal(GATES_FORMAT).describe('Name of this format'),
  version: z
    .literal(GATES_VERSION)
    .describe('Changes when a member is removed or changes its meaning; new members may be added within a version'),
  runs: z.array(z.string()).describe('Identifiers of the runs that were judged as one; the first is the run itself'),
  round: RoundSchema.optional(),
  complete: flag('Whether their histories are whole'),
  passed: flag('No gate fails the run; also true if there are none'),
  gates: z.array(GateResultSchema).describe("In the order of the scenario, then the command line's"),
});

/** The published JSON Schema (draft 2020-12). */
export const gatesJsonSchema = () => publishedSchema(GatesSchema, `spillway gates.json, version ${GATES_VERSION}`);

/** Members of `gates.json`, two levels deep, for the README. */
export const gatesMembers = () => documentedMembers(gatesJsonSchema());

/** Writes `gates.json`, whole or not at all. @throws the disk's error */
export function writeGates(file: string, document: GatesDocument): Promise<void> {
  return writeFileAtomically(file, [inertJson(document)]);
}
