import { z } from 'zod';
import { DurationText, longerThanZero, timed } from '../../api/index.ts';
import { type PerSecond, parseRate } from '../../base/index.ts';

/** A duration above 0, in milliseconds once parsed. */
export const PositiveDuration = DurationText.refine(
  (ms) => ms > 0,
  'must be longer than 0; write for example 30s',
).meta(longerThanZero);

const RATE_OR_ZERO = 'write for example 20/min, 0.5/s or 0/s';

/** A rate that may be 0, in events per second once parsed: `20/min`, `0/s`. */
export const RateOrZero = z
  .string({ error: `must be a rate with its unit; ${RATE_OR_ZERO}` })
  .transform((text, context): PerSecond => {
    // Checks the unit of 0 by parsing the text with 1 instead.
    const nothing = /^0+(?:\.0+)?(\s*\/.+)$/.exec(text.trim());
    const read = parseRate(nothing ? `1${nothing[1]}` : text);
    const rate = nothing && read !== undefined ? (0 as PerSecond) : read;
    if (rate !== undefined) return rate;
    context.addIssue({ code: 'custom', message: `"${text}" is not a rate; ${RATE_OR_ZERO}` });
    return z.NEVER;
  })
  .meta({ title: 'Rate or zero', description: 'A rate with its unit, which may be 0/s: 20/min, 0.5/s, 50/day.' })
  .register(timed, { change: 'divide' });

/** A name for templates: `city`, `first_turn`. */
export const Identifier = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, 'must be letters, digits and underscores, not beginning with a digit');

/** A name for reports. @param longest maximum of characters */
export const Label = (longest: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9_-]{1,${longest}}$`),
      `must be 1 to ${longest} letters without accents, digits, hyphens or underscores`,
    );
