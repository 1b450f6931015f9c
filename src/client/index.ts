/**
 * client/ knows how calls reach a service over sockets: transports (one file each in transports/), the stream of a turn, keeping
 * tokens, following a turn, and printing an exchange without its secrets. Faults of a service or a network are replies, never
 * exceptions; nothing is retried, redirected or queued after `sentAt`. It must not know plans, caps, journals, limits or verdicts;
 * it implements the Sender that schedule/ declares.
 */

export { bytesOf, type Span, type View, viewsOf } from './echo-views.ts';
export {
  followByPolling,
  type PollingEnd,
  type PollingOptions,
  type PollListener,
  type PollSeen,
} from './follow-by-polling.ts';
export { secretsOfProxy } from './http/target.ts';
export { formatWire, secondsText, type WireOptions } from './redacted-wire.ts';
export { redactor, Sought, soughtSecrets, withoutSpans } from './redaction.ts';
export { formsOfBasic, formsOfSecret, SHORTEST_SECRET } from './secret-forms.ts';
export { isOfTokens, runsOfTokens } from './shared-runs.ts';
export { TokenKeeper, type TokenKeeperOptions, type TokenOwner } from './token-keeper.ts';
export { TokenNumbers, tokenMemory } from './token-numbers.ts';
export type { TokenResult } from './token-result.ts';
export {
  DEFAULT_MAX_ANSWER_BYTES,
  type Lease,
  type OpenedStream,
  type StreamLease,
  type StreamOptions,
  type Transport,
  type TransportOptions,
  type WarmUp,
} from './transport.ts';
export { chosenTransport, openTransport } from './transports/auto.ts';
