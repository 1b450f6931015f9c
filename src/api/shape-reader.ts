import type { z } from 'zod';
import type { BodyForm } from './calls.ts';

/** Whether a value certainly has a shape. False says nothing: the schema itself decides then. */
type Check = (value: unknown) => boolean;

/**
 * Makes a reader for answers of a shape: as strict as the schema, at a third of its price where the answer is right, which on a
 * fast run is asked a hundred thousand times a second. A quick check says yes only where the schema would, and only of schemas
 * that change nothing of the members they name; otherwise the schema is asked.
 * The reader takes the form of the body, where it is known, and believes of all bodies of a form what it found of one.
 * @returns the answer, at times with members that the shape does not name; `undefined` when it has another shape
 */
export function shapeReader<S extends z.ZodType>(
  schema: S,
): (value: unknown, form?: BodyForm) => z.output<S> | undefined {
  const isRight = checkOf(schema) ?? never;
  return (value, form) => {
    if (form?.shape === schema) return value as z.output<S>;
    if (isRight(value)) {
      if (form) form.shape = schema;
      return value as z.output<S>;
    }
    const read = schema.safeParse(value);
    return read.success ? read.data : undefined;
  };
}

const never: Check = () => false;

/** @returns `undefined` for what is not known here: then the schema is always asked */
function checkOf(schema: z.core.$ZodType): Check | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return stringCheck(def);
    case 'number':
      return numberCheck(def);
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'unknown':
      return () => true;
    case 'catch':
      return checkOf(def.innerType);
    case 'optional':
      return optionalCheck(checkOf(def.innerType));
    case 'array':
      return (def.checks ?? []).length > 0 ? undefined : arrayCheck(checkOf(def.element));
    case 'object':
      return objectCheck(def);
    case 'union':
      return anyOf(def.options.map(checkOf));
    default:
      return undefined;
  }
}

function stringCheck(def: z.core.$ZodStringDef): Check | undefined {
  const pattern = 'pattern' in def && def.pattern instanceof RegExp ? def.pattern : undefined;
  const minimum = shortest(def.checks ?? []);
  // A pattern with a memory of its own answers every other time.
  if (minimum === undefined || pattern?.global || pattern?.sticky) return undefined;
  if (pattern) {
    const quick = 'format' in def && (def.format === 'uuid' || def.format === 'guid') ? isPlainUuid : never;
    return (value) => typeof value === 'string' && value.length >= minimum && (quick(value) || pattern.test(value));
  }
  return 'format' in def ? undefined : (value) => typeof value === 'string' && value.length >= minimum;
}

/** Versions 1 to 8 of the variant of RFC 9562, in lower case: what the pattern of a UUID takes too, at twice the price. */
function isPlainUuid(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== 36) return false;
  let digits = 0;
  for (let index = 0; index < 36; index++) digits += IS_DIGIT[value.charCodeAt(index)] ?? 0;
  const version = value.charCodeAt(14);
  const variant = value.charCodeAt(19);
  const isVariant = variant === 0x38 || variant === 0x39 || variant === 0x61 || variant === 0x62;
  const isKnown = version > 0x30 && version < 0x39 && isVariant;
  return digits === 32 && isKnown && value[8] === '-' && value[13] === '-' && value[18] === '-' && value[23] === '-';
}

const IS_DIGIT = new Uint8Array(128);
for (const digit of '0123456789abcdef') IS_DIGIT[digit.charCodeAt(0)] = 1;

/** The length that they ask for at least; `undefined` when they ask for anything else. */
function shortest(checks: readonly z.core.$ZodCheck<never>[]): number | undefined {
  let minimum = 0;
  for (const { _zod } of checks) {
    const def = _zod.def as z.core.$ZodCheckDef & { readonly minimum?: unknown };
    if (def.check !== 'min_length' || typeof def.minimum !== 'number') return undefined;
    minimum = Math.max(minimum, def.minimum);
  }
  return minimum;
}

function numberCheck(def: z.core.$ZodNumberDef): Check | undefined {
  const isInteger = 'format' in def && def.format === 'safeint';
  if ('format' in def && !isInteger) return undefined;
  const [only, ...others] = def.checks ?? [];
  if (only === undefined) return isInteger ? Number.isSafeInteger : (value) => Number.isFinite(value);
  const bound = only._zod.def as z.core.$ZodCheckDef & { readonly value?: unknown; readonly inclusive?: boolean };
  const { value: least } = bound;
  if (others.length > 0 || isInteger || bound.check !== 'greater_than' || typeof least !== 'number') return undefined;
  return (value) => Number.isFinite(value) && (value as number) > least;
}

function optionalCheck(inner: Check | undefined): Check | undefined {
  return inner && ((value) => value === undefined || inner(value));
}

function arrayCheck(element: Check | undefined): Check | undefined {
  if (!element) return undefined;
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (let index = 0; index < value.length; index++) if (!element(value[index])) return false;
    return true;
  };
}

/** Members that the shape does not name may be anything: an object that forbids them is left to the schema. */
function objectCheck(def: z.core.$ZodObjectDef): Check | undefined {
  if (def.catchall !== undefined && (def.catchall as z.core.$ZodTypes)._zod.def.type !== 'unknown') return undefined;
  if ((def.checks ?? []).length > 0) return undefined;
  const members = Object.entries(def.shape).map(([name, schema]) => ({ name, check: checkOf(schema) }));
  if (members.some(({ check }) => check === undefined)) return undefined;
  const names = members.map(({ name }) => name);
  const checks = members.map(({ check }) => check ?? never);
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (let index = 0; index < names.length; index++) {
      const member = (value as Record<string, unknown>)[names[index] ?? ''];
      if (!checks[index]?.(member)) return false;
    }
    return true;
  };
}

function anyOf(options: readonly (Check | undefined)[]): Check | undefined {
  const checks = options.filter((check) => check !== undefined);
  return checks.length < options.length ? undefined : (value) => checks.some((check) => check(value));
}
