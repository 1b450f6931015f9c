import { type LimitSet, limitBit, limitsRefusing } from '../../evidence/attribution.ts';
import type { Send } from '../gather/messages.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';
import { ofOneMessage, underOneId } from './same-message.ts';

interface Data extends Record<string, string | number> {
  readonly limit: 'daily' | 'concurrency';
  readonly message: string;
  readonly accepted: string | number;
  readonly refused: string | number;
}

/**
 * A message that was known to be accepted was sent again, and the daily quota refused it: the specification says that a resend
 * does not count as a new message. It says nothing about slots, nor about an identifier used for several contents, of which one may
 * be in a record that is missing; so in these cases this is only an observation.
 */
export const replayRefused = kindOf<Data>(
  'A message that had been accepted was sent again and was refused by a limit that a resend does not affect.',
  function* (look) {
    const manifold = withSeveralContents(look);
    for (const sends of ofOneMessage(look)) {
      if (sends.length < 2) continue;
      const accepted = sends
        .filter(({ outcome }) => outcome === 'accepted')
        .reduce<Send | undefined>((a, b) => (a && a.receivedAt <= b.receivedAt ? a : b), undefined);
      if (!accepted) continue;
      for (const again of sends) {
        const limit = limitOf(again, look.evidence.withCodes);
        if (limit && again.sentAt > accepted.receivedAt)
          yield found(accepted, again, limit, look.isWhole && !manifold.has(again));
      }
    }
  },
  ({ limit, message, accepted, refused }) =>
    limit === 'daily'
      ? `request ${refused} sent message ${message} again, unchanged, after request ${accepted} had been accepted, and the daily quota refused it; a resend does not count as a new message`
      : `request ${refused} sent message ${message} again, unchanged, after request ${accepted} had been accepted, and the concurrency limit refused it, although a resend opens no turn`,
);

function limitOf({ outcome, named }: Send, withCodes: LimitSet): Data['limit'] | undefined {
  if (outcome !== 'refused') return undefined;
  const refusedBy = limitsRefusing(named, 'sendMessage', withCodes);
  if (refusedBy === limitBit.daily) return 'daily';
  return refusedBy === limitBit.concurrency ? 'concurrency' : undefined;
}

function withSeveralContents(look: Look): ReadonlySet<Send> {
  const found = new Set<Send>();
  for (const sends of underOneId(look, 'application'))
    if (sends.some(({ digest }) => digest !== sends[0]?.digest)) for (const send of sends) found.add(send);
  return found;
}

const found = (accepted: Send, again: Send, limit: Data['limit'], isOneContent: boolean): Found<Data> => ({
  basis: limit === 'daily' && isOneContent ? 'specification' : 'observation',
  at: again.sentAt,
  exchanges: [refOf(accepted), refOf(again)],
  data: { limit, message: plainWord(again.message), accepted: refOf(accepted), refused: refOf(again) },
});
