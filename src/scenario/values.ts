import { z } from 'zod';
import { DurationText } from '../api/index.ts';

/** A duration above 0, in milliseconds once parsed. */
export const PositiveDuration = DurationText.refine((ms) => ms > 0, 'must be longer than 0; write for example 30s');

/** A name that texts can use: `city`, `first_turn`. */
export const Identifier = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be letters, digits and underscores, not beginning with a digit');

/** A name that reports can use. @param longest characters */
export const Label = (longest: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{1,${longest}}$`),
      `must be 1 to ${longest} letters, digits, hyphens or underscores`,
    );
