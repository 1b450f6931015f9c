import { z } from 'zod';
import { timed } from '../../api/index.ts';
import { isRecord } from '../../base/index.ts';
import type { Path } from '../validation/faults.ts';
import { implied } from './implied.ts';

/** The new value of a time in milliseconds, or of what is per time. */
export type Change = (value: number, change: 'multiply' | 'divide', path: Path) => number;

/**
 * A parsed value in which every time and every rate is changed, the defaults included, and nothing else. The schema knows which they
 * are: a list of fields by hand would miss the next one.
 */
export function changeTimes(schema: z.ZodType, value: unknown, change: Change, path: Path = []): unknown {
  const meant = schemaMeant(schema, value);
  if (meant === undefined) return value;
  const how = timed.get(meant)?.change;
  if (how !== undefined) return change(value as number, how, path);
  const below = (inner: z.ZodType, item: unknown, key: PropertyKey) => changeTimes(inner, item, change, [...path, key]);
  if (meant instanceof z.ZodArray)
    return (value as readonly unknown[]).map((item, index) => below(meant.element as z.ZodType, item, index));
  if (meant instanceof z.ZodRecord)
    return changed(value, (item, key) => below(meant.valueType as z.ZodType, item, key));
  if (!(meant instanceof z.ZodObject)) return value;
  return changed(withImplied(meant, value as Members), (item, key) =>
    // Not of the file: what loading added to it.
    Object.hasOwn(meant.shape, key) ? below(meant.shape[key] as z.ZodType, item, key) : item,
  );
}

type Members = Readonly<Record<string, unknown>>;

const changed = (value: unknown, change: (item: unknown, key: string) => unknown): Members =>
  Object.fromEntries(Object.entries(value as Members).map(([key, item]) => [key, change(item, key)]));

function withImplied(schema: z.ZodObject, value: Members): Members {
  const of = implied.get(schema)?.of;
  return of === undefined ? value : { ...value, ...of(value as never) };
}

/** The schema of a parsed value, without wrappers, and of a union the option that it fits; undefined if no time can be in it. */
function schemaMeant(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  if (timed.get(schema)) return typeof value === 'number' ? schema : undefined;
  if (schema instanceof z.ZodUnion) {
    for (const option of schema.options) {
      const meant = schemaMeant(option as z.ZodType, value);
      if (meant !== undefined) return meant;
    }
    return undefined;
  }
  if (schema instanceof z.ZodObject) return isRecord(value) && fits(schema, value) ? schema : undefined;
  if (schema instanceof z.ZodArray) return Array.isArray(value) ? schema : undefined;
  if (schema instanceof z.ZodRecord) return isRecord(value) ? schema : undefined;
  return 'unwrap' in schema ? schemaMeant((schema.unwrap as () => z.ZodType)(), value) : undefined;
}

/** Whether the value has every member that the object needs, and its name where an object is told by one. */
const fits = (object: z.ZodObject, value: Members): boolean =>
  Object.entries<z.ZodType>(object.shape).every(([key, member]) =>
    member instanceof z.ZodLiteral
      ? member.values.has(value[key] as never)
      : member instanceof z.ZodOptional || value[key] !== undefined,
  );
