import type { Random } from '../../base/index.ts';
import type { Delivery, Outcome } from '../replies.ts';
import type { Service } from '../service.ts';

/** One request that a fault strikes. */
export interface StruckCall {
  /** Random stream of this request and this rule, so that draws of one fault do not affect another. */
  readonly random: Random;
  /** A request id for an answer that the fault makes itself. */
  freshRequestId(): string;
  /**
   * Passes the request on to the next fault that strikes it and finally to the core. If a fault does not call it, the request is not
   * decided.
   * @param change replaces the service for this request only; default: unchanged
   */
  next(change?: (service: Service) => Service): Outcome;
}

/** Applies a fault to one request. Pure: it only describes how the answer is delivered; the shell delivers it. */
export type Strike = (call: StruckCall) => Outcome;

/** Says what is wrong with a rule. */
export interface Problem {
  readonly problem: string;
}

/** A kind of fault. */
export interface Fault {
  /** One sentence for --help: what the client sees, and whether the request was processed. */
  readonly says: string;
  /** Syntax of its parameters after the name, optional ones in brackets. Empty if it has none. */
  readonly parameters: string;
  /** What it can strike: any request, an answer with a body, or a turn's stream. */
  readonly target: 'request' | 'body' | 'stream';
  /** Parses the words after the name. */
  read(words: readonly string[]): Strike | Problem;
}

/** `read` of a fault without parameters. */
export const without =
  (strike: Strike) =>
  (words: readonly string[]): Strike | Problem =>
    words.length === 0 ? strike : { problem: `takes no parameter, but "${words.join(':')}" is given` };

/** Adds to the delivery of an outcome. */
export function withDelivery<Given extends Outcome>(outcome: Given, more: Delivery): Given {
  return { ...outcome, delivery: { ...outcome.delivery, ...more } };
}
