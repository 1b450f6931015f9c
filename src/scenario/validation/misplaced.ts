import { z } from 'zod';
import { type Fault, type Path, valueAt } from './faults.ts';

/** Says of a key that is unknown where it stands whether it belongs nearby: a common mistake of indentation. */
export function withPlace(fault: Fault, schema: z.ZodType, root: unknown): Fault {
  if (!fault.isVague) return fault;
  const hint = placeOutside(schema, fault.path, root) ?? placeInside(schema, fault.path);
  return hint === undefined ? fault : { ...fault, hint, isVague: false };
}

/** The nearest object around the holder of the key that takes it and does not have it yet. */
function placeOutside(schema: z.ZodType, path: Path, root: unknown): string | undefined {
  const holder = path.slice(0, -1);
  const key = String(path.at(-1));
  for (let depth = holder.length - 1; depth >= 0; depth--) {
    const neighbour = holder[depth];
    const around = objectsAt(schema, holder.slice(0, depth));
    if (
      typeof neighbour === 'string' &&
      around.some((object) => takes(object, neighbour) && takes(object, key)) &&
      valueAt(root, [...holder.slice(0, depth), key]) === undefined
    )
      return `it belongs beside ${neighbour}, not in it`;
  }
  return undefined;
}

/** A value within the holder, and how a text is written in its place. */
interface Spot {
  readonly schema: z.ZodType;
  readonly write: (inner: string) => string;
}

/** How many objects deep a place is looked for: `profile: { client: { connections: … } }` is two. */
const DEEPEST = 2;
/** More places than these tell nobody where the key belongs. */
const MOST_PLACES = 3;

/** The nearest members of the holder that take the key. */
function placeInside(schema: z.ZodType, path: Path): string | undefined {
  const key = String(path.at(-1));
  let spots: readonly Spot[] = objectsAt(schema, path.slice(0, -1)).map((object) => ({ schema: object, write: bare }));
  for (let depth = 1; depth <= DEEPEST; depth++) {
    spots = spots.flatMap(membersOf);
    const takers = spots.filter((spot) => spot.schema instanceof z.ZodObject && takes(spot.schema, key));
    const places = [...new Set(takers.map(({ write }) => write(`{ ${key}: … }`)))];
    if (places.length > 0) return places.length > MOST_PLACES ? undefined : `it belongs in ${places.join(' or ')}`;
  }
  return undefined;
}

const bare = (inner: string): string => inner;

function membersOf({ schema, write }: Spot): readonly Spot[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.ZodType>(schema.shape).flatMap(([name, member]) =>
    withinLists({
      schema: member,
      write: (inner) => write(write === bare ? `${name}: ${inner}` : `{ ${name}: ${inner} }`),
    }),
  );
}

/** What a value may be; in place of lists and of maps by name, what these hold. */
function withinLists({ schema, write }: Spot): readonly Spot[] {
  const options = alternatives(schema);
  return options.flatMap((option) => {
    if (option instanceof z.ZodRecord)
      return withinLists({ schema: option.valueType as z.ZodType, write: (inner) => write(`{ NAME: ${inner} }`) });
    // A list of what may also stand alone is written without.
    if (option instanceof z.ZodArray && options.length === 1)
      return withinLists({ schema: option.element as z.ZodType, write: (inner) => write(`[${inner}]`) });
    return [{ schema: option, write }];
  });
}

const takes = (object: z.ZodObject, key: PropertyKey | undefined): boolean =>
  key !== undefined && Object.hasOwn(object.shape, key);

/** The objects that a value at the path may be. */
export function objectsAt(schema: z.ZodType, path: Path): readonly z.ZodObject[] {
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
