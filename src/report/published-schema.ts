import { z } from 'zod';
import { type ColumnDoc, docOf } from './column-doc.ts';

/** A node of a JSON Schema; only the members that the documentation uses. */
interface JsonSchemaNode {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchemaNode>>;
  readonly $defs?: Readonly<Record<string, JsonSchemaNode>>;
  readonly $ref?: string;
}

/**
 * The JSON Schema (draft 2020-12) of a zod schema. Unlike that it allows unknown members, because members may be added within a
 * version and readers' validation must then still succeed.
 */
export function publishedSchema(definition: z.ZodType, title: string): JsonSchemaNode {
  const { $schema, ...schema } = z.toJSONSchema(definition, {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Bounds that only reflect the range of JavaScript's integers.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return { $schema, title, ...schema } as JsonSchemaNode;
}

/** The members of a document, two levels deep, for results/README.md. */
export function documentedMembers(schema: JsonSchemaNode): ColumnDoc[] {
  const resolve = (node: JsonSchemaNode): JsonSchemaNode => {
    const target = node.$ref === undefined ? undefined : schema.$defs?.[node.$ref.replace('#/$defs/', '')];
    return target === undefined ? node : { ...target, ...node };
  };
  return Object.entries(schema.properties ?? {}).flatMap(([name, node]) => {
    const member = resolve(node);
    const inner = Object.entries(member.properties ?? {}).map(([child, leaf]) =>
      documented(`${name}.${child}`, resolve(leaf)),
    );
    return [documented(name, member), ...inner];
  });
}

const documented = (name: string, { description = '' }: JsonSchemaNode): ColumnDoc => docOf(name, description);
