import { z } from 'zod';
import { type LimitName, limitNames } from './limit-kinds.ts';
import { apart } from './values.ts';

/** The specification lists no codes: these are the embedded sandbox's. */
const ownCodes: Readonly<Record<LimitName, readonly string[]>> = {
  rate: ['rate_limited'],
  concurrency: ['concurrency_limited'],
  daily: ['daily_quota_exceeded'],
};

/** Statuses by which the specification, or HTTP of a proxy, says something else. */
const otherwiseTaken: readonly number[] = [401, 404, 407, 413, 422];

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
    otherStatuses: z
      .array(
        z
          .int()
          .min(400)
          .max(599)
          .refine((status) => status !== 429, 'must not be 429, which always is a refusal')
          .refine(
            (status) => !otherwiseTaken.includes(status),
            `must not be one of ${otherwiseTaken.join(', ')}, which say something else`,
          ),
      )
      .min(1)
      .optional()
      .describe(
        'Statuses of refusals besides 429, such as 503 of nginx. An answer with one of them is treated as a 429 if its error code is in these lists, or if its body has none and `otherBodies` names the limit (then every such answer, also that of an outage, is a refusal by it). With any other code, or without both, it stays an error of the service.',
      ),
  })
  .refine(
    apart,
    'one code stands for two limits; leave it in the list of the one that it names, or out of all where it is used for several',
  )
  .prefault({})
  .describe('Error codes of a refusal by the limit that they name. Empty lists: the service does not say.');

/** A profile, as far as it says which error code names which limit. */
interface WithErrorCodes {
  readonly errorCodes: z.infer<typeof ErrorCodes>;
}

/** A refusal, as far as it may say which limit refused. */
interface Refused {
  readonly error?: { readonly code: string } | undefined;
  readonly bodyProblem?: string | undefined;
}

/** The limit that the error code of a refusal names, or the lack of one; `undefined` where the profile maps it to none. */
export function limitOfRefusal({ errorCodes }: WithErrorCodes, { error, bodyProblem }: Refused): LimitName | undefined {
  if (error === undefined) return bodyProblem === undefined ? errorCodes.otherBodies : undefined;
  return limitNames.find((limit) => errorCodes[limit].includes(error.code));
}

/** A body that could not be decoded may have an error code. */
const UNDECODED: readonly unknown[] = ['not-utf8', 'content-coding'];

/**
 * Whether the profile says of which limit a refusal with that body would be. Of a code that it does not map it says nothing: an
 * intermediary may have sent that, or the service for another reason.
 */
export const saysWhichLimit = (words: WithErrorCodes, { error, bodyProblem }: Refused): boolean =>
  !UNDECODED.includes(bodyProblem) && limitOfRefusal(words, { error }) !== undefined;

/** An answer, as far as it may be a refusal. */
interface Answered extends Refused {
  readonly status?: number | undefined;
}

/** Whether an answer is a refusal. What may as well be an outage is one only if the profile says of which limit. */
export const isRefusal = (words: WithErrorCodes, answer: Answered): boolean =>
  answer.status === 429 ||
  (words.errorCodes.otherStatuses?.includes(answer.status ?? 0) === true && saysWhichLimit(words, answer));

/**
 * Whether a code that names a limit rules out every other. Of a default that nobody need have looked at it does not: a service may
 * have one code for all of its 429s, and call it so.
 */
export const namesNoOther = ({ errorCodes }: WithErrorCodes, limit: LimitName, code: string): boolean =>
  errorCodes.known ?? !ownCodes[limit].includes(code);
