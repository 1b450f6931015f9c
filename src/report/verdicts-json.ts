import { z } from 'zod';
import { inertJson } from '../base/index.ts';
import type { Verdicts, Weighed } from '../check/index.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { publishedSchema } from './published-schema.ts';
import { formatOf, memberOf } from './schemas/parts.ts';
import {
  AcceptedSchema,
  FindingSchema,
  LimitSchema,
  ProofSchema,
  RefusalsSchema,
  SoundnessSchema,
} from './schemas/verdicts.ts';

/** File name in a run's folder. */
export const VERDICTS_FILE = 'verdicts.json';

/** The content of `verdicts.json` and `spillway check --json`: the verdicts, and which violations are proven or accepted. */
export type VerdictsDocument = Verdicts & Weighed;

/** The compiler checks that it has exactly the members of the type. */
export const VerdictsSchema: z.ZodType<VerdictsDocument> = memberOf<VerdictsDocument>(
  'Everything that spillway concludes from a history: the limits, the refusals, and other findings',
  {
    ...formatOf('spillway-verdicts', 1),
    limits: z.array(LimitSchema).describe('One per limit'),
    refusals: RefusalsSchema,
    findings: z.array(FindingSchema).describe('At most twenty of a kind and basis'),
    soundness: SoundnessSchema,
    proven: z
      .array(ProofSchema)
      .describe('Proven violations that fail the run (exit code 10); empty if there are none'),
    accepted: z.array(AcceptedSchema).describe('Proven violations that the profile accepts'),
  },
);

/** The published JSON Schema (draft 2020-12). */
export const verdictsJsonSchema = () => publishedSchema(VerdictsSchema, 'spillway verdicts.json, version 1');

/** Writes `verdicts.json` atomically. @throws the disk's error */
export function writeVerdicts(file: string, document: VerdictsDocument): Promise<void> {
  return writeFileAtomically(file, [inertJson(document)]);
}
