import { z } from 'zod';

/** A node of a JSON Schema, as far as the documents made from it look. */
export interface JsonSchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>;
  readonly $defs?: Readonly<Record<string, JsonSchemaNode>>;
  readonly $ref?: string;
}

/**
 * A JSON Schema (draft 2020-12) for readers. Unlike the zod schema it allows members that it does not know, because a version
 * may gain members and a reader's validation must outlive that.
 */
export function publishedSchema(definition: z.ZodType, title: string): JsonSchemaNode {
  const { $schema, ...schema } = z.toJSONSchema(definition, {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Bounds of JavaScript's integers say nothing of the values.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { $schema, title, ...schema } as JsonSchemaNode;
}
