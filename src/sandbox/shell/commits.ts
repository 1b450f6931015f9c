import { freshUuid } from '../../base/index.ts';
import { type JsonAnswer, type Outcome, refusal } from '../replies.ts';
import type { DurableStore } from '../stores/index.ts';

/** Delays answers until everything that they report is stored durably. */
export interface Commits {
  /**
   * Calls `act` with the outcome once everything decided so far is committed: at once without a file, otherwise with one commit for
   * all decisions of the current turn of the event loop. If the file cannot be written, the outcome is replaced by a 500.
   */
  after<Given extends Outcome>(outcome: Given, act: (outcome: Given | JsonAnswer) => void): void;
}

/** @param store absent: state is in memory only, and no answer waits */
export function commitsOf(store?: DurableStore): Commits {
  if (!store) return { after: (outcome, act) => act(outcome) };
  let waiting: ((failure: JsonAnswer | undefined) => void)[] = [];
  let isFailing = false;

  const commit = () => {
    const released = waiting;
    waiting = [];
    const failure = failureOf(store);
    // One warning per outage, not per request.
    if (failure && !isFailing) process.emitWarning(failure.message);
    if (!failure && isFailing) process.emitWarning("the store's file can be written again");
    isFailing = failure !== undefined;
    for (const release of released) release(failure && refusal('internal', 'the store cannot be written', freshUuid()));
  };
  return {
    after(outcome, act) {
      // An answer that changed nothing may still report what another request has changed and not yet committed.
      if (!store.isPending) return act(outcome);
      if (waiting.push((failure) => act(failure ?? outcome)) === 1) setImmediate(commit);
    },
  };
}

/** Commits. @returns the error if it failed; the next commit then tries everything again */
function failureOf(store: DurableStore): Error | undefined {
  try {
    store.commit();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
