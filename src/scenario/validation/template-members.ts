import { z } from 'zod';
import { stepSchemas, Template } from '../schema/steps.ts';

/** Without what makes it optional. */
const unwrapped = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? unwrapped(schema.unwrap())
    : schema;

function membersWithTemplates(schema: unknown): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, member]) => {
    const inner = unwrapped(member);
    if (inner === Template) return [name];
    const within = membersWithTemplates(inner);
    return within.length > 0 ? [name, ...within] : [];
  });
}

/** Names of the members of steps whose texts are templates, and of those that contain such members. */
export const templateMembers: ReadonlySet<string> = new Set(
  Object.entries(stepSchemas).flatMap(([name, { shape }]) =>
    membersWithTemplates((shape as Readonly<Record<string, unknown>>)[name]),
  ),
);
