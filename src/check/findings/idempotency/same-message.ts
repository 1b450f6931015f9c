import type { Send } from '../gather/messages.ts';
import type { Look } from '../kind.ts';
import type { Promises } from '../promises.ts';

/** Sendings under one client_message_id, within what the profile says that such an id is unique in. */
export function* underOneId({ sends, promises }: Look): Generator<readonly Send[]> {
  for (const all of sends.values()) yield* grouped(all, (send) => holderOf(promises, send));
}

/** Of all in whom an id is unique, this sending's. */
function holderOf({ idempotency: { scope } }: Promises, { application, user, conversation }: Send): string {
  return JSON.stringify(
    scope === 'application' ? [application] : [application, user, ...(scope === 'user' ? [] : [conversation])],
  );
}

/** Sendings of one message: one id and one content, to one conversation of one user. No reading of "the same message" is narrower. */
export function* ofOneMessage({ sends }: Look): Generator<readonly Send[]> {
  for (const all of sends.values())
    yield* grouped(all, ({ application, user, conversation, digest }) =>
      JSON.stringify([application, user, conversation, digest]),
    );
}

/**
 * On what it rests that a message sent again is the same turn: the promise of that, unless its id may have been given to another
 * content meanwhile, of which nothing is promised.
 * @param until no sending after it matters, run time
 */
export function basisOfSameTurn({ sends, promises }: Look, send: Send, until: number): 'profile' | 'observation' {
  const { sameTurn, otherContent } = promises.idempotency;
  if (!sameTurn) return 'observation';
  if (otherContent !== 'unknown') return 'profile';
  const holder = holderOf(promises, send);
  const mayHaveTakenIt = (one: Send) =>
    one.digest !== send.digest &&
    one.sentAt < until &&
    (one.outcome === 'accepted' || one.outcome === 'unknown') &&
    holderOf(promises, one) === holder;
  return (sends.get(send.message) ?? []).some(mayHaveTakenIt) ? 'observation' : 'profile';
}

export function grouped<T>(all: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  if (all.length < 2) return [all];
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

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
