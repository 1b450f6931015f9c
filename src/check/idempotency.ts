import { z } from 'zod';

const Declared = z
  .object({
    idempotency: z.object({
      scope: z.enum(['conversation', 'user', 'application']).catch('conversation').default('conversation'),
      sameTurn: z.boolean().catch(false).default(false),
    }),
  })
  .catch({ idempotency: { scope: 'conversation', sameTurn: false } });

/** What the profile promises about resends. */
export interface Idempotency {
  /** Within which scope a client_message_id identifies one message; if nobody says, at least within a conversation. */
  readonly scope: 'conversation' | 'user' | 'application';
  /** Whether a resend certainly returns the same turn; false if nothing is promised. */
  readonly sameTurn: boolean;
}

/** @param profile `Header.profile`; unreadable values give the defaults */
export const idempotencyOf = (profile: unknown): Idempotency => Declared.parse(profile).idempotency;
