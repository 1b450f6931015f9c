import { z } from 'zod';
import { usualProfile } from '../../api/index.ts';
import { rememberedOf } from '../../base/index.ts';

const { idempotency, history } = usualProfile();

/** An unreadable member gets its default alone, like the profile's words. */
const Promised = z.object({
  idempotency: z
    .object({
      scope: z.enum(['conversation', 'user', 'application']).optional().catch(undefined),
      sameTurn: z.boolean().optional().catch(undefined),
      otherContent: z.enum(['refused', 'ignored', 'unknown']).catch(idempotency.otherContent),
    })
    .catch(idempotency),
  history: z
    .object({
      limitParameter: z.string().optional().catch(undefined),
      offsetParameter: z.string().optional().catch(undefined),
      offsetFrom: z.enum(['oldest', 'newest']).catch(history.offsetFrom),
      defaultLimit: z.int().min(1).catch(history.defaultLimit),
      /** Milliseconds of service time. */
      keptFor: z.number().min(0).optional().catch(undefined),
    })
    .catch(history),
});

/**
 * What a history's profile promises beyond the specification. `idempotency.scope` is absent if nobody says: then a
 * client_message_id identifies one message at least within a conversation.
 */
export type Promises = z.infer<typeof Promised>;

const AnyPromises = Promised.catch({ idempotency, history });

/** Read once per profile. @param profile `Header.profile`; unreadable values give the defaults */
export const promisesOf = (profile: unknown): Promises =>
  typeof profile === 'object' && profile !== null ? promisesIn(profile) : AnyPromises.parse(profile);

const promisesIn = rememberedOf((profile: object): Promises => AnyPromises.parse(profile));
