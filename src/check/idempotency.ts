import { z } from 'zod';
import { TargetProfileSchema } from '../api/index.ts';

const { idempotency: defaults } = TargetProfileSchema.parse({});

const Declared = z
  .object({
    idempotency: z.object({
      scope: z.enum(['conversation', 'user', 'application']).catch(defaults.scope),
      sameTurn: z.boolean().catch(false).default(false),
    }),
  })
  .catch({ idempotency: { scope: defaults.scope, sameTurn: false } });

/** What the profile promises about resends. */
export interface Idempotency {
  /** Within which scope a client_message_id identifies one message. */
  readonly scope: 'conversation' | 'user' | 'application';
  /** Whether a resend certainly returns the same turn; false if nothing is promised. */
  readonly sameTurn: boolean;
}

/** @param profile `Header.profile`; unreadable values give the defaults */
export const idempotencyOf = (profile: unknown): Idempotency => Declared.parse(profile).idempotency;
