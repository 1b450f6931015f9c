import type { z } from 'zod';
import { nearest } from '../../base/index.ts';
import { type Fault, membersOf, type Path, pathText, suggestion, valueAt, within } from './faults.ts';
import { k6KeyHint, modelOfExecutor } from './k6-words.ts';
import { kindWithArticle } from './kinds.ts';

/** The objects of a discriminated union. */
export type Variants = readonly { readonly shape: Readonly<Record<string, z.ZodType>> }[];

interface Unknown {
  /** The member that tells the variants apart: `model`, `distribution`. */
  readonly discriminator: string;
  readonly names: readonly string[];
  readonly variants: Variants;
  /** All faults of a value; empty if there are none. */
  readonly faultsOf: (schema: z.ZodType, value: unknown) => readonly Fault[];
}

/**
 * Faults of an object of which nobody knows what it is, because its discriminator is unknown or missing: that, and what is wrong
 * whatever it is.
 * @param path of the discriminator
 */
export function unknownVariantFaults(root: unknown, path: Path, unknown: Unknown): readonly Fault[] {
  const parent = path.slice(0, -1);
  const value = valueAt(root, path);
  const members = membersOf(valueAt(root, parent)).filter(([key]) => key !== unknown.discriminator);
  const named =
    value === undefined ? members.map(([key]) => key).find((key) => unknown.names.includes(key)) : undefined;
  return [
    named === undefined ? discriminatorFault(value, path, unknown) : nameAsKey(named, parent, unknown),
    ...members
      .filter(([key]) => key !== named)
      .flatMap(([key, member]) => memberFaults(key, member, [...parent, key], unknown)),
  ];
}

/** `load: { burst: { count: 5 } }` */
const nameAsKey = (name: string, parent: Path, { discriminator }: Unknown): Fault => ({
  path: [...parent, name],
  atKey: true,
  message: `"${name}" is a ${discriminator}, not a key`,
  hint: `write { ${discriminator}: ${name}, … }`,
});

function discriminatorFault(value: unknown, path: Path, { discriminator, names }: Unknown): Fault {
  if (value === undefined) return { path, message: 'is missing', hint: `write one of ${names.join(', ')}` };
  const model = modelOfExecutor(String(value));
  const hint = model !== undefined && names.includes(model) ? `it is called ${model} here` : undefined;
  const message = `there is no ${discriminator} ${kindWithArticle(value)}`;
  return { path, message, hint: hint ?? suggestion(String(value), names) };
}

function memberFaults(
  key: string,
  value: unknown,
  path: Path,
  { discriminator, variants, faultsOf }: Unknown,
): readonly Fault[] {
  const schemas = variants.flatMap(({ shape }) => (Object.hasOwn(shape, key) ? [shape[key] as z.ZodType] : []));
  if (schemas.length === 0) {
    const near = nearest(key, [...new Set(variants.flatMap(({ shape }) => Object.keys(shape)))]);
    const known = k6KeyHint(key) ?? (near === undefined ? undefined : `did you mean ${near}?`);
    const hint = known ?? `no ${discriminator} has it`;
    return [{ path, atKey: true, message: `unknown key "${key}"`, hint, isVague: known === undefined }];
  }
  const [first = [], ...others] = [...new Set(schemas)].map((schema) => faultsOf(schema, value));
  const told = others.map((faults) => new Set(faults.map(textOf)));
  return within(
    path,
    first.filter((fault) => told.every((texts) => texts.has(textOf(fault)))),
  );
}

const textOf = ({ path, message }: Fault): string => `${pathText(path)}: ${message}`;
