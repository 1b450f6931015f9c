import { z } from 'zod';
import type { Micros } from '../../base/index.ts';
import type { GateResult } from '../../gates/index.ts';

/**
 * Exactly one schema per member of T, optional exactly for optional members. So the schema does not compile if a member is added to or
 * removed from the type.
 */
type ShapeOf<T> = {
  readonly [Key in keyof T]-?: Record<never, never> extends Pick<T, Key>
    ? z.ZodOptional<z.ZodType<Exclude<T[Key], undefined>>>
    : z.ZodType<T[Key]>;
};

/** Schema of an object with exactly the members of T. @param id its name in the published schema */
export function objectOf<T extends object>(id: string, description: string, shape: ShapeOf<T>): z.ZodType<T> {
  // ShapeOf guarantees the members; zod only cannot infer readonly and exactOptionalPropertyTypes.
  return z.strictObject(shape).meta({ id, description }) as unknown as z.ZodType<T>;
}

/** Like `objectOf`, but inlined in the published schema. */
export function memberOf<T extends object>(description: string, shape: ShapeOf<T>): z.ZodType<T> {
  return z.strictObject(shape).describe(description) as unknown as z.ZodType<T>;
}

export const count = (description: string) => z.int().min(0).describe(description);
export const text = (description: string) => z.string().describe(description);
export const share = (description: string) => z.number().min(0).describe(description);
export const flag = (description: string) => z.boolean().describe(description);

const units: Readonly<Record<NonNullable<GateResult['unit']>, true>> = {
  ms: true,
  share: true,
  count: true,
  bytes: true,
  '1/s': true,
  'bytes/s': true,
};

/** A unit, as text: metrics with other units may be added within a version, and must then still satisfy the published schema. */
export const unit = (description: string) =>
  text(
    `${description}: ${Object.keys(units).join(', ')}; others may be added within a version`,
  ) as unknown as z.ZodType<keyof typeof units>;

/** Integer microseconds. */
export const micros = (description: string) =>
  z.int().min(0).describe(`${description} (µs)`) as unknown as z.ZodType<Micros>;

/** The first two members of every published document. */
export const formatOf = <Format extends string, Version extends number>(format: Format, version: Version) => ({
  format: z.literal(format).describe('Name of this format'),
  version: z
    .literal(version)
    .describe('Changes when a member is removed or changes its meaning; new members may be added within a version'),
});
