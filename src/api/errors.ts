import { z } from 'zod';
import { Uuid } from './values.ts';

/** The four required members of an error (specification section 7). */
export const ErrorMembers = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  request_id: Uuid,
});
export type ErrorMembers = z.infer<typeof ErrorMembers>;

/** An error response body; the members are inside `error`. */
export const ErrorEnvelope = z.object({ error: ErrorMembers });

/** Names of the required members that are missing or malformed in what should be an error. */
export const membersLacking = (error: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(ErrorMembers.shape).flatMap(([name, shape]) => (shape.safeParse(error[name]).success ? [] : [name]));

/** The minimum that identifies an error: its code. */
export const NamedError = z.object({ error: ErrorMembers.pick({ code: true }) });
