import { z } from 'zod';
import type { Fault, Path } from './faults.ts';

/** Says of a key that is unknown where it stands whether it belongs nearby: a common mistake of indentation. */
export function withPlace(fault: Fault, schema: z.ZodType): Fault {
  if (!fault.isVague) return fault;
  const hint = placeOutside(schema, fault.path) ?? placeInside(schema, fault.path);
  return hint === undefined ? fault : { ...fault, hint, isVague: false };
}

/** The nearest object around the holder of the key that takes it. */
function placeOutside(schema: z.ZodType, path: Path): string | undefined {
  const holder = path.slice(0, -1);
  for (let depth = holder.length - 1; depth >= 0; depth--) {
    const neighbour = holder[depth];
    const around = objectsAt(schema, holder.slice(0, depth));
    if (
      typeof neighbour === 'string' &&
      around.some((object) => takes(object, neighbour) && takes(object, path.at(-1)))
    )
      return `it belongs beside ${neighbour}, not in it`;
  }
  return undefined;
}

/** The members of the holder that take the key. */
function placeInside(schema: z.ZodType, path: Path): string | undefined {
  const key = String(path.at(-1));
  const members = objectsAt(schema, path.slice(0, -1)).flatMap(({ shape }) => Object.entries<z.ZodType>(shape));
  const places = members.flatMap(([name, member]) => [
    ...(objectsAt(member, []).some((object) => takes(object, key)) ? [`${name}: { ${key}: … }`] : []),
    ...(objectsAt(member, ['NAME']).some((object) => takes(object, key)) ? [`${name}: { NAME: { ${key}: … } }`] : []),
  ]);
  return places.length === 0 ? undefined : `it belongs in ${[...new Set(places)].join(' or ')}`;
}

const takes = (object: z.ZodObject, key: PropertyKey | undefined): boolean =>
  key !== undefined && Object.hasOwn(object.shape, key);

/** The objects that a value at the path may be. */
function objectsAt(schema: z.ZodType, path: Path): readonly z.ZodObject[] {
  let here = alternatives(schema);
  for (const key of path) here = here.flatMap((each) => alternativesBelow(each, key));
  return here.filter((each) => each instanceof z.ZodObject);
}

function alternativesBelow(schema: z.ZodType, key: PropertyKey): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) return takes(schema, key) ? alternatives(schema.shape[String(key)]) : [];
  if (schema instanceof z.ZodRecord) return alternatives(schema.valueType as z.ZodType);
  return schema instanceof z.ZodArray && typeof key === 'number' ? alternatives(schema.element as z.ZodType) : [];
}

/** A schema without its wrappers: one, or the options of a union. */
function alternatives(schema: z.ZodType): readonly z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => alternatives(option as z.ZodType));
  if (schema instanceof z.ZodPipe) return alternatives(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray || !('unwrap' in schema)) return [schema];
  return alternatives((schema.unwrap as () => z.ZodType)());
}
