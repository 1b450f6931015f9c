import { z } from 'zod';
import type { Micros } from '../../base/index.ts';

/**
 * One schema for each member of T and for no other; optional members, and only these, are optional. So a type that gains a
 * member, or loses one, no longer compiles here.
 */
export type ShapeOf<T> = {
  readonly [Key in keyof T]-?: Record<never, never> extends Pick<T, Key>
    ? z.ZodOptional<z.ZodType<Exclude<T[Key], undefined>>>
    : z.ZodType<T[Key]>;
};

/** Schema of an object with exactly the members of T. @param id its name in the published schema */
export function objectOf<T extends object>(id: string, description: string, shape: ShapeOf<T>): z.ZodType<T> {
  // The shape is T's, member for member; only readonly and exactOptionalPropertyTypes are beyond what zod infers.
  return z.strictObject(shape).meta({ id, description }) as unknown as z.ZodType<T>;
}

/** As `objectOf`, written out where it stands instead of under a name. */
export function memberOf<T extends object>(description: string, shape: ShapeOf<T>): z.ZodType<T> {
  return z.strictObject(shape).describe(description) as unknown as z.ZodType<T>;
}

export const count = (description: string) => z.int().min(0).describe(description);
export const text = (description: string) => z.string().describe(description);
export const share = (description: string) => z.number().min(0).describe(description);
export const flag = (description: string) => z.boolean().describe(description);

/** Whole microseconds. */
export const micros = (description: string) =>
  z.int().min(0).describe(`${description} (µs)`) as unknown as z.ZodType<Micros>;
