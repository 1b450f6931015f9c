import { z } from 'zod';
import type { ColumnDoc } from './exporters/exporter.ts';

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

/** Members of a document, two levels deep, for the README. */
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

function documented(name: string, node: JsonSchemaNode): ColumnDoc {
  const description = node.description ?? '';
  const inMicros = description.endsWith(' (µs)');
  return { name, ...(inMicros && { unit: 'µs' }), meaning: inMicros ? description.slice(0, -5) : description };
}
