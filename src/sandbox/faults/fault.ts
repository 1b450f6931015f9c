import type { Micros, Random } from '../../base/index.ts';
import type { Delivery, Outcome } from '../replies.ts';
import type { Service } from '../service.ts';

/** One request that a fault strikes. */
export interface StruckCall {
  readonly now: Micros;
  /** This request's and this rule's own stream: what one fault draws shifts no other's. */
  readonly random: Random;
  /** An identifier for an answer of the fault's own. */
  freshRequestId(): string;
  /**
   * Lets the request go on, to the next fault that strikes it and at last to the core. A fault that does not call it keeps
   * the request from being decided.
   * @param change the service as this request alone finds it; default: as it is
   */
  next(change?: (service: Service) => Service): Outcome;
}

/** What a fault does to one request. Pure: it says how an answer travels, and the shell sends it so. */
export type Strike = (call: StruckCall) => Outcome;

/** A sentence that says what is wrong with a rule. */
export interface Problem {
  readonly problem: string;
}

/** A kind of fault. */
export interface Fault {
  /** For --help, one sentence: what the client sees, and whether the request was processed. */
  readonly says: string;
  /** Its parameters as they follow the name, `[…]` where they may be left out; empty when it has none. */
  readonly parameters: string;
  /** What it can happen to: any request, an answer with a body, or a turn's stream. */
  readonly target: 'request' | 'body' | 'stream';
  /** Reads the words after the name. */
  read(words: readonly string[]): Strike | Problem;
}

/** For a fault without parameters. */
export const without =
  (strike: Strike) =>
  (words: readonly string[]): Strike | Problem =>
    words.length === 0 ? strike : { problem: `takes no parameter, but "${words.join(':')}" is given` };

/** The outcome with more said of how it travels. */
export function withDelivery(outcome: Outcome, more: Delivery): Outcome {
  return { ...outcome, delivery: { ...outcome.delivery, ...more } } as Outcome;
}
