import { z } from 'zod';
import { isTimezone } from '../base/index.ts';
import { DateTime } from './date-time.ts';
import { ErrorEnvelope, ErrorMembers } from './errors.ts';
import { Uuid } from './values.ts';

/*
 * Shapes of specification section 2. Requests are strict: unknown properties are rejected (design.md section 7).
 * Answers are loose: a service may add members. They list everything that the embedded sandbox sends; readable.ts says which of
 * it is read from, and required of, any service.
 */

/** More distinct names than the users of a service are likely to have; names beyond that are not cached. */
const MOST_CACHED_NAMES = 1_000;

/** Caches accepted names: looking up a time zone in Intl takes as long as the rest of a request. */
function cachingAccepted(holds: (name: string) => boolean): (name: string) => boolean {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return true;
    const isKnown = holds(name);
    if (isKnown && known.size < MOST_CACHED_NAMES) known.add(name);
    return isKnown;
  };
}

const isKnownTimezone = cachingAccepted(isTimezone);
const isLocale = cachingAccepted((tag) => {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
});

/**
 * Text with a maximum length in Unicode code points, as `maxLength` of JSON Schema counts (Validation, section 6.3.1); zod's
 * own `max` counts UTF-16 code units.
 */
const text = (most: number) =>
  z
    .string()
    .refine((value) => isWithin(value, most), `Too big: expected string to have <=${most} characters`)
    .meta({ maxLength: most });

/** A code point has one or two code units, so only texts of `most` + 1 to 2 × `most` code units need counting. */
const isWithin = (value: string, most: number) =>
  value.length <= most || (value.length <= 2 * most && [...value].length <= most);

/** Body of issueToken. `locale` is BCP 47, `timezone` an IANA name. */
export const TokenRequest = z.strictObject({
  external_user_id: text(255).min(1),
  locale: z.string().refine(isLocale, 'must be a BCP 47 language tag such as fr-CH').optional(),
  timezone: z.string().refine(isKnownTimezone, 'must be an IANA time zone such as Europe/Paris').optional(),
});

/** `expires_in` is in seconds. The specification requires only the token, so any other member is ignored if malformed. */
export const TokenResponse = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().optional().catch(undefined),
  expires_in: z.number().positive().optional().catch(undefined),
});
export type TokenResponse = z.infer<typeof TokenResponse>;

/** Body of createConversation; with `conversation_id` the call is an idempotent resume. */
export const ConversationRequest = z.strictObject({
  title: text(255).optional(),
  conversation_id: Uuid.optional(),
});

export const Conversation = z.looseObject({
  conversation_id: Uuid,
  title: z.string(),
  created_at: DateTime,
});
export type Conversation = z.infer<typeof Conversation>;

/** Body of sendMessage. `location` has either member or both. */
export const SendMessageRequest = z.strictObject({
  client_message_id: text(128).min(1),
  message: text(8_000).min(1),
  location: z
    .strictObject({ city: text(255).min(1).optional(), commune: text(255).min(1).optional() })
    .refine((place) => place.city !== undefined || place.commune !== undefined, 'needs city or commune')
    .optional(),
});
export type SendMessageRequest = z.infer<typeof SendMessageRequest>;

/** Answer of sendMessage, status 202. */
export const SendMessageAccepted = z.looseObject({
  turn_id: Uuid,
  conversation_id: Uuid.optional(),
  client_message_id: z.string().optional(),
  status: z.string().optional(),
  created_at: DateTime.optional(),
});

const item = z.looseObject({});

export const TurnMessage = z.looseObject({
  conversation_id: Uuid,
  user_message_id: Uuid,
  assistant_message_id: Uuid,
  answer: z.string(),
  response_type: z.string(),
  cards: z.array(item),
  visualizations: z.array(item),
  sources: z.array(z.looseObject({ title: z.string(), url: z.string() })),
  suggested_actions: z.array(item),
  metadata: z.looseObject({ latency_ms: z.int() }),
});

/** Answer of readTurn. The specification leaves open when `message` and `error` are present (design.md section 7). */
export const Turn = z.looseObject({
  turn_id: Uuid,
  conversation_id: Uuid,
  status: z.string(),
  created_at: DateTime,
  updated_at: DateTime,
  message: TurnMessage.optional(),
  error: z.union([ErrorEnvelope, ErrorMembers]).optional(),
});

const HistoryMessage = z.looseObject({
  message_id: Uuid,
  role: z.string(),
  content: z.string(),
  status: z.string(),
  created_at: DateTime,
  cards: z.array(item),
  visualizations: z.array(item),
  suggested_actions: z.array(item),
});

/** Answer of readHistory: oldest first. */
export const History = z.looseObject({ messages: z.array(HistoryMessage) });

export const FeedbackRequest = z.strictObject({ rating: z.enum(['up', 'down']) });

export const Feedback = z.looseObject({ success: z.boolean(), feedback: z.looseObject({ rating: z.string() }) });
export type Feedback = z.infer<typeof Feedback>;

/**
 * An event of a turn's stream as the sandbox sends it, one JSON text per WebSocket message (design.md section 7).
 * `type` is `turn.status` (with `status`), `answer.delta` (with `delta`, a piece of the text), `turn.completed` (with
 * `message`) or `turn.failed` (with `error`). `sequence` counts from 1 within a turn; `at` is the time of the event on the
 * service's clock.
 */
export const TurnEvent = z.looseObject({
  type: z.string(),
  turn_id: Uuid,
  sequence: z.int().min(1),
  at: DateTime,
  status: z.string().optional(),
  delta: z.string().optional(),
  message: TurnMessage.optional(),
  error: ErrorMembers.optional(),
});
export type TurnEvent = z.infer<typeof TurnEvent>;
