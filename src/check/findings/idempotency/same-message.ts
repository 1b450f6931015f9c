import { groupedBy } from '../../../base/index.ts';
import type { Promises } from '../../evidence/promises.ts';
import type { Send } from '../gather/messages.ts';
import type { Look } from '../kind.ts';

type Scope = NonNullable<Promises['idempotency']['scope']>;

/**
 * Attempts under one client_message_id, within the scope in which the profile says that ids are unique.
 * @param assumed the scope where it does not say: the narrowest for what must be one message, the widest for what may be one
 */
export function* underOneId({ sends, promises }: Look, assumed: Scope): Generator<readonly Send[]> {
  const { scope = assumed } = promises.idempotency;
  for (const all of sends.values()) yield* alike(all, (send) => holderOf(scope, send));
}

/** The part of that scope to which this attempt belongs. */
function holderOf(scope: Scope, { application, user, conversation }: Send): string {
  return JSON.stringify(
    scope === 'application' ? [application] : [application, user, ...(scope === 'user' ? [] : [conversation])],
  );
}

/**
 * Attempts at one message: one id and one content, to one conversation of one user. No interpretation of "the same message" is
 * narrower.
 */
export function* ofOneMessage({ sends }: Look): Generator<readonly Send[]> {
  for (const all of sends.values())
    yield* alike(all, ({ application, user, conversation, digest }) =>
      JSON.stringify([application, user, conversation, digest]),
    );
}

/**
 * The basis for saying that a message sent again is the same turn: the profile's promise, unless its id may have been given to
 * another content meanwhile, perhaps in a record that is missing, for which nothing is promised.
 * @param until attempts sent in a later microsecond do not matter, run time
 */
export function basisOfSameTurn(
  { sends, promises, isWhole }: Look,
  send: Send,
  until: number,
): 'profile' | 'observation' {
  const { sameTurn, otherContent, scope = 'application' } = promises.idempotency;
  if (!sameTurn) return 'observation';
  if (otherContent !== 'unknown') return 'profile';
  if (!isWhole) return 'observation';
  const holder = holderOf(scope, send);
  const mayHaveTakenIt = (one: Send) =>
    one.digest !== send.digest &&
    one.sentAt <= until &&
    (one.outcome === 'accepted' || one.outcome === 'unknown') &&
    holderOf(scope, one) === holder;
  return (sends.get(send.message) ?? []).some(mayHaveTakenIt) ? 'observation' : 'profile';
}

/** Attempts that agree in what the key says of them. */
export const alike = (sends: readonly Send[], keyOf: (send: Send) => string): Iterable<readonly Send[]> =>
  sends.length < 2 ? [sends] : groupedBy(sends, keyOf).values();

/** The first sending of each turn that was accepted. */
export function firstOfEachTurn(sends: readonly Send[]): readonly Send[] {
  const [only] = sends;
  if (only && sends.length === 1) return only.outcome === 'accepted' && only.turn !== undefined ? sends : [];
  const turns = new Set<string>();
  return sends.filter(({ outcome, turn }) => {
    if (outcome !== 'accepted' || turn === undefined || turns.has(turn)) return false;
    turns.add(turn);
    return true;
  });
}
