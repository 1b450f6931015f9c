import type { LimitName, OperationId, operations } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { Application } from './authenticate.ts';
import type { SandboxConfig } from './config/members.ts';
import type { Gate, Passage, Refused, RequestKind } from './gate/index.ts';
import type { Ids } from './ids.ts';
import { refusedHeaders } from './limit-headers.ts';
import { type Answer, type ErrorCode, refusal } from './replies.ts';
import type { SandboxRequest } from './request.ts';
import type { Store, TokenRecord } from './store.ts';
import type { Truth } from './truth.ts';
import { type Input, type Shapes, validate } from './validate.ts';

/** The parts of the service that handlers use. */
export interface Service {
  readonly config: SandboxConfig;
  readonly store: Store;
  readonly gate: Gate;
  readonly handlers: Handlers;
  readonly ids: Ids;
  readonly truth: Truth;
}

/** One authenticated request. The caller is an application for issueToken, otherwise a user token. */
export interface Call<Caller> {
  readonly request: SandboxRequest;
  readonly caller: Caller;
  readonly now: Micros;
  readonly requestId: string;
  readonly service: Service;
  /** The limit checks of the request. A handler completes them before it has any effect or returns any data. */
  readonly passage: Passage;
}

/** Serves one operation, including validation. */
export type Handler<Caller> = (call: Call<Caller>) => Answer;

type CallerOf<Id extends OperationId> = (typeof operations)[Id]['auth'] extends 'basic' ? Application : TokenRecord;

/** The handler of each operation. */
export type Handlers = { readonly [Id in OperationId]: Handler<CallerOf<Id>> };

/** A handler that only receives valid input. Other input is answered 422 with the problem. */
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
 * Asks the remaining limits. To be called once the kind of the request is known and before it has any effect. An admitted request
 * takes effect at `passage.servedAt`. If a handler never calls it, the request counts as `invalid`.
 * @returns the 429 if a limit refuses; undefined if all admit
 */
export function admitOrRefuse(call: Omit<Call<unknown>, 'caller'>, kind: RequestKind): Answer | undefined {
  return refusedBy(call.passage.meet(kind), call);
}

/** The 429 of the limit that refuses; undefined if none does. */
export function refusedBy(
  refused: Refused | undefined,
  { requestId, now, passage }: Omit<Call<unknown>, 'caller'>,
): Answer | undefined {
  if (!refused) return undefined;
  const { code, message } = limitRefusals[refused.rule.limit];
  const leavesAt = passage.servedAt;
  return refusal(code, message, requestId, refusedHeaders(refused, leavesAt - now, leavesAt));
}
