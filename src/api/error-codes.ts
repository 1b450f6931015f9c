import { z } from 'zod';
import { type LimitName, limitNames } from './limit-kinds.ts';
import { apart } from './values.ts';

/** The specification lists no codes: these are the embedded sandbox's. */
const ownCodes: Readonly<Record<LimitName, readonly string[]>> = {
  rate: ['rate_limited'],
  concurrency: ['concurrency_limited'],
  daily: ['daily_quota_exceeded'],
};

export const ErrorCodes = z
  .strictObject({
    rate: z.array(z.string()).default([...ownCodes.rate]),
    concurrency: z.array(z.string()).default([...ownCodes.concurrency]),
    daily: z.array(z.string()).default([...ownCodes.daily]),
    known: z
      .boolean()
      .optional()
      .describe(
        'True: a code of these lists is used for its limit alone. False: it may be used for others as well, until the history shows codes of those. Absent: true of codes that differ from the defaults, false of these.',
      ),
    otherBodies: z
      .literal('rate')
      .optional()
      .describe(
        '`rate`: a 429 whose body has no error code in JSON, as gateways and middlewares send it, is by the rate limit; one with a code of these lists is by that limit, whatever else its body lacks. Absent: both may be from an intermediary, are counted, and prove nothing.',
      ),
  })
  .refine(
    apart,
    'one code stands for two limits; leave it in the list of the one that it names, or out of all where it is used for several',
  )
  .prefault({})
  .describe('Error codes of a 429 by the limit that they name. Empty lists: the service does not say.');

/** A profile, as far as it says which error code names which limit. */
interface WithErrorCodes {
  readonly errorCodes: z.infer<typeof ErrorCodes>;
}

/** A 429, as far as it may say which limit refused. */
interface Refused {
  readonly error?: { readonly code: string } | undefined;
  readonly bodyProblem?: string | undefined;
}

/** The limit that the error code of a 429 names, or the lack of one; `undefined` where the profile maps it to none. */
export function limitOfRefusal({ errorCodes }: WithErrorCodes, { error, bodyProblem }: Refused): LimitName | undefined {
  if (error === undefined) return bodyProblem === undefined ? errorCodes.otherBodies : undefined;
  return limitNames.find((limit) => errorCodes[limit].includes(error.code));
}

/**
 * Whether a code that names a limit rules out every other. Of a default that nobody need have looked at it does not: a service may
 * have one code for all of its 429s, and call it so.
 */
export const namesNoOther = ({ errorCodes }: WithErrorCodes, limit: LimitName, code: string): boolean =>
  errorCodes.known ?? !ownCodes[limit].includes(code);
