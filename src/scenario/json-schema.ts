import { z } from 'zod';
import { TargetProfileSchema } from '../api/index.ts';
import { ScenarioSchema } from './schema.ts';

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of scenario files as people write them, for completion and checks in editors. */
export const scenarioJsonSchema = (): JsonSchema =>
  inputSchema(
    ScenarioSchema,
    'Spillway scenario',
    'Journeys, load and expectations of one run against the partner conversation API.',
  );

/** The schema of target profiles as people write them. */
export const profileJsonSchema = (): JsonSchema =>
  inputSchema(
    TargetProfileSchema,
    'Spillway target profile',
    'How one service settles what the specification of the partner conversation API leaves open.',
  );

function inputSchema(schema: z.ZodType, title: string, description: string): JsonSchema {
  const { $schema, ...generated } = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    reused: 'ref',
    override: ({ jsonSchema }) => {
      // The bound of a float's whole numbers is zod's own; nobody wrote it.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return { $schema, title, description, ...generated };
}
