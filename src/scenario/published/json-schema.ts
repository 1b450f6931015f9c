import { z } from 'zod';
import { TargetProfileSchema } from '../../api/index.ts';
import { ScenarioSchema } from '../schema/schema.ts';

/** A JSON Schema, draft 2020-12. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of scenario files as written, for completion and checks in editors. */
export const scenarioJsonSchema = (): JsonSchema =>
  inputSchema(
    ScenarioSchema,
    'Spillway scenario',
    'Journeys, load and expectations of one run against the partner conversation API.',
  );

/** The schema of target profiles as written. */
export const profileJsonSchema = (): JsonSchema =>
  inputSchema(
    TargetProfileSchema,
    'Spillway target profile',
    'The choices of one service where the specification of the partner conversation API leaves something open.',
  );

function inputSchema(schema: z.ZodType, title: string, description: string): JsonSchema {
  const { $schema, ...generated } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    reused: 'ref',
    override: ({ jsonSchema }) => {
      // zod adds this bound to every integer.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return { $schema, title, description, ...generated };
}
