import { z } from 'zod';
import { DateTime } from './date-time.ts';
import { Uuid } from './values.ts';

/*
 * The members that Spillway reads from answers. The specification says which members are required only for conversations and
 * errors; for turns and messages it only lists members, and for a 202 it names only the turn. So only indispensable members are
 * required here. Any other member that is absent, null or malformed is ignored, and the rest is still read.
 */

const named = z.object({ code: z.string() });
/** Optional; ignored if malformed. */
const lenient = <S extends z.ZodType>(shape: S) => shape.optional().catch(undefined);

/** Answer of sendMessage. */
export const ReadableAcceptance = z.looseObject({
  turn_id: Uuid,
  conversation_id: lenient(Uuid),
  status: lenient(z.string()),
  created_at: lenient(DateTime),
});
export type ReadableAcceptance = z.infer<typeof ReadableAcceptance>;

export const ReadableMessage = z.looseObject({
  user_message_id: lenient(Uuid),
  assistant_message_id: lenient(Uuid),
  metadata: lenient(z.looseObject({ latency_ms: lenient(z.int()) })),
});

/** Answer of readTurn. */
export const ReadableTurn = z.looseObject({
  turn_id: Uuid,
  status: z.string(),
  conversation_id: lenient(Uuid),
  created_at: lenient(DateTime),
  updated_at: lenient(DateTime),
  message: lenient(ReadableMessage),
  error: lenient(z.union([z.object({ error: named }), named])),
});
export type ReadableTurn = z.infer<typeof ReadableTurn>;

/**
 * The code of a turn's error, which may be an error envelope or only its members (an open point of the specification).
 * The value may be the unmodified answer, so an `error` next to a `code` may be anything; it is an envelope only if it has a code.
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
    z.looseObject({ message_id: Uuid, role: z.string(), content: lenient(z.string()), created_at: lenient(DateTime) }),
  ),
});
export type ReadableHistory = z.infer<typeof ReadableHistory>;
