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

/** An error response body: the members inside `error`. */
export const ErrorEnvelope = z.object({ error: ErrorMembers });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** Names of the members that something in an error's place does not have as they should be. */
export const membersLacking = (error: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(ErrorMembers.shape).flatMap(([name, shape]) => (shape.safeParse(error[name]).success ? [] : [name]));

/** What must be there for an error to say which one it is, whatever else is missing. */
export const NamedError = z.object({ error: ErrorMembers.pick({ code: true }) });
