import { z } from 'zod';
import { DateTime } from './date-time.ts';
import { Uuid } from './values.ts';

/*
 * What is read of answers. The specification requires members of a conversation and of an error; of turns and messages it names
 * members and not which are there, and of a 202 no more than the turn. So what nothing can be said without must be there, and any
 * other member that is absent, null or something else says nothing and takes nothing from the rest.
 */

const named = z.object({ code: z.string() });
const told = <S extends z.ZodType>(shape: S) => shape.optional().catch(undefined);

/** Answer of sendMessage. */
export const ReadableAcceptance = z.looseObject({
  turn_id: Uuid,
  conversation_id: told(Uuid),
  status: told(z.string()),
  created_at: told(DateTime),
});
export type ReadableAcceptance = z.infer<typeof ReadableAcceptance>;

export const ReadableMessage = z.looseObject({
  user_message_id: told(Uuid),
  assistant_message_id: told(Uuid),
  metadata: told(z.looseObject({ latency_ms: told(z.int()) })),
});

/** Answer of readTurn. */
export const ReadableTurn = z.looseObject({
  turn_id: Uuid,
  status: z.string(),
  conversation_id: told(Uuid),
  created_at: told(DateTime),
  updated_at: told(DateTime),
  message: told(ReadableMessage),
  error: told(z.union([z.object({ error: named }), named])),
});
export type ReadableTurn = z.infer<typeof ReadableTurn>;

/**
 * The code of a turn's error, which may be the envelope of error answers or its members alone (an open point of the specification).
 * What was read is the answer itself: an `error` beside a code may be anything, and only one with a code of its own is an envelope.
 */
export function codeOfError(error: NonNullable<ReadableTurn['error']>): string {
  const { code, error: inner } = error as {
    readonly code: string;
    readonly error?: { readonly code?: unknown } | null;
  };
  return typeof inner?.code === 'string' ? inner.code : code;
}

/** Answer of readHistory. */
export const ReadableHistory = z.looseObject({
  messages: z.array(
    z.looseObject({ message_id: Uuid, role: z.string(), content: z.string(), created_at: told(DateTime) }),
  ),
});
export type ReadableHistory = z.infer<typeof ReadableHistory>;
