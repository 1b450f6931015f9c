import { freshUuid } from '../../base/index.ts';
import { type JsonAnswer, type Outcome, refusal } from '../replies.ts';
import type { DurableStore } from '../stores/index.ts';

/** Keeps answers back until nothing that they tell can be lost with the process. */
export interface Commits {
  /**
   * Hands the outcome over once everything decided so far is in the store's file: at once without one, else with one commit for
   * all that the present turn of the event loop decides. Where the file cannot be written, a 500 stands in its place.
   */
  after<Given extends Outcome>(outcome: Given, act: (outcome: Given | JsonAnswer) => void): void;
}

/** @param store absent: what is remembered ends with the process, and no answer waits */
export function commitsOf(store?: DurableStore): Commits {
  if (!store) return { after: (outcome, act) => act(outcome) };
  let waiting: ((failure: JsonAnswer | undefined) => void)[] = [];
  let isFailing = false;

  const commit = () => {
    const released = waiting;
    waiting = [];
    const failure = failureOf(store);
    // Once for as long as it lasts, however many requests that is.
    if (failure && !isFailing) process.emitWarning(failure.message);
    if (!failure && isFailing) process.emitWarning("the store's file can be written again");
    isFailing = failure !== undefined;
    for (const release of released) release(failure && refusal('internal', 'the store cannot be written', freshUuid()));
  };
  return {
    after(outcome, act) {
      // Also an answer that changed nothing may tell of what another request changed a moment ago.
      if (!store.isPending) return act(outcome);
      if (waiting.push((failure) => act(failure ?? outcome)) === 1) setImmediate(commit);
    },
  };
}

/** Commits. @returns why it failed; all of it is then tried again with the next commit */
function failureOf(store: DurableStore): Error | undefined {
  try {
    store.commit();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
