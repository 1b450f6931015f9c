import { z } from 'zod';

const isPattern = (source: string): boolean => {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};
const ordered = (low: number | undefined, high: number | undefined) =>
  low === undefined || high === undefined || low <= high;

/** Ends the option of a union: otherwise zod takes it for the one that was meant if the only other fault is an unknown key. */
const whole = (error: string) => ({ error, abort: true });

/** The expected value of a member of the answer: a literal or a check. */
export const BodyExpectation = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ exists: z.boolean().describe('Whether the answer has the member.') }),
  z.strictObject({ type: z.enum(['string', 'number', 'boolean', 'array', 'object', 'null']) }),
  z.strictObject({
    matches: z
      .string()
      .refine(
        isPattern,
        'is not a regular expression; put a backslash before characters that have a meaning, such as ( [ + ?',
      )
      .describe('A regular expression of JavaScript, with the flag u.'),
  }),
  z.strictObject({ oneOf: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1) }),
  z
    .strictObject({ min: z.number().optional(), max: z.number().optional() })
    .refine((range) => range.min !== undefined || range.max !== undefined, whole('needs min or max'))
    .refine((range) => ordered(range.min, range.max), 'min must not be above max'),
  z
    .strictObject({ minLength: z.int().min(0).optional(), maxLength: z.int().min(0).optional() })
    .refine(
      (range) => range.minLength !== undefined || range.maxLength !== undefined,
      whole('needs minLength or maxLength'),
    )
    .refine((range) => ordered(range.minLength, range.maxLength), 'minLength must not be above maxLength')
    .describe('Characters of a string, or items of an array.'),
]);
export type BodyExpectation = z.infer<typeof BodyExpectation>;

/** What a step expects of the answer. Unmet expectations are recorded and fail the run at its end. */
export const Expect = z.strictObject({
  status: z
    .union([z.int().min(100).max(599), z.array(z.int().min(100).max(599)).min(1)])
    .optional()
    .describe('The status, or a list of those allowed.'),
  body: z
    .record(z.string(), BodyExpectation)
    .optional()
    .describe('Dotted paths in the answer, for example messages.0.role.'),
});
export type Expect = z.infer<typeof Expect>;
