import type { LimitName } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { SandboxConfig } from './config.ts';
import type { Gate, Standing } from './gate.ts';
import type { Ids } from './ids.ts';
import { refusedHeaders } from './limit-headers.ts';
import { type Answer, type ErrorCode, refusal } from './replies.ts';
import type { SandboxRequest } from './request.ts';
import type { Store } from './store.ts';
import type { Truth } from './truth.ts';
import { type Input, type Shapes, validate } from './validate.ts';

/** What a handler works with. */
export interface Service {
  readonly config: SandboxConfig;
  readonly store: Store;
  readonly gate: Gate;
  readonly ids: Ids;
  readonly truth: Truth;
}

/** One request whose caller is known: an application for issueToken, a user token elsewhere. */
export interface Call<Caller> {
  readonly request: SandboxRequest;
  readonly caller: Caller;
  readonly now: Micros;
  readonly requestId: string;
  readonly service: Service;
  /** The limits met so far, for the answer's headers; a handler adds those that it meets. */
  readonly standings: Standing[];
}

/** Serves one operation, from the check of validity on. */
export type Handler<Caller> = (call: Call<Caller>) => Answer;

/** A handler that sees only input of its shapes; everything else is answered 422 with what is wrong. */
export function handler<Caller, P, Q, B>(
  shapes: Shapes<P, Q, B>,
  serve: (input: Input<P, Q, B>, call: Call<Caller>) => Answer,
): Handler<Caller> {
  return (call) => {
    const input = validate(call.request, shapes);
    return input.ok ? serve(input.value, call) : refuse(call, 'invalid_request', input.problem);
  };
}

export const refuse = (call: Pick<Call<unknown>, 'requestId'>, code: ErrorCode, message: string): Answer =>
  refusal(code, message, call.requestId);

const limitRefusals = {
  rate: { code: 'rate_limited', message: 'too many requests in this window' },
  concurrency: { code: 'concurrency_limited', message: 'too many messages are being processed' },
  daily: { code: 'daily_quota_exceeded', message: 'the daily quota of new messages is used up' },
} as const satisfies Record<LimitName, { code: ErrorCode; message: string }>;

/**
 * Takes a unit of each limit for the caller's application, or of none.
 * @returns the 429 when one of them refuses; `undefined` when all admit
 */
export function admitOrRefuse(
  call: Omit<Call<unknown>, 'caller'>,
  application: string,
  limits: readonly LimitName[],
  heldUntil: Micros,
): Answer | undefined {
  const { service, now, requestId, standings } = call;
  const admission = service.gate.admit(limits, application, now, heldUntil);
  if (admission.admitted) {
    standings.push(...admission.standings);
    for (const limit of limits) service.truth.admitted(limit);
    return undefined;
  }
  service.truth.refused(admission.refusedBy);
  // Only the limit that refuses is named: Retry-After should not be earlier than any `t` beside it.
  standings.length = 0;
  const { code, message } = limitRefusals[admission.refusedBy];
  return refusal(
    code,
    message,
    requestId,
    refusedHeaders(admission.refusedBy, admission.retryAtUs, service.config.limits, now),
  );
}
