import type { ApiCall, ApiReply } from '../../api/index.ts';
import type { Pooled } from '../sockets/idle-connections.ts';

/** Receives the outcome of a call, once. */
export interface CallListener {
  /** @param reply `undefined`: not a byte was written, so the call may go on another connection without being a retry */
  replied(reply: ApiReply | undefined): void;
}

/** What distinguishes transports: a way to send one request on one socket. Pool, leases and streams are common to all. */
export interface CallConnection extends Pooled {
  /**
   * Sends once and calls the listener once; `call.deadlineUs` counts from `sentAt`. `call.onSending` is not called if the
   * listener gets `undefined` because the other side had closed the idle socket. The call must have its path parameters.
   */
  send(call: ApiCall, signal: AbortSignal | undefined, listener: CallListener): void;
}
