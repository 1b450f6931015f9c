import { z } from 'zod';

/** The four required members of an error (specification section 7). */
export const ErrorMembers = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  request_id: z.uuid(),
});
export type ErrorMembers = z.infer<typeof ErrorMembers>;

/** An error response body: the members inside `error`. */
export const ErrorEnvelope = z.object({ error: ErrorMembers });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/**
 * Reads an error in either published shape: the envelope, or the members themselves (a turn's `error`, design.md section 7).
 * @returns `undefined` when the value is neither, or lacks one of the four members.
 */
export function errorMembersOf(value: unknown): ErrorMembers | undefined {
  const envelope = ErrorEnvelope.safeParse(value);
  if (envelope.success) return envelope.data.error;
  const bare = ErrorMembers.safeParse(value);
  return bare.success ? bare.data : undefined;
}
