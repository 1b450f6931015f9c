import type { OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import { type Authentication, authenticateApplication, authenticateUser } from './authenticate.ts';
import type { ApplicationCredentials, SandboxConfig } from './config.ts';
import { createGate } from './gate.ts';
import { handlers } from './handlers/index.ts';
import type { Ids } from './ids.ts';
import { limitHeaders } from './limit-headers.ts';
import { MemoryStore } from './memory-store.ts';
import { type Answer, refusal } from './replies.ts';
import type { SandboxRequest } from './request.ts';
import { admitOrRefuse, type Call, type Service } from './service.ts';
import type { RevokeSelector, Store, TokenRecord } from './store.ts';
import { Truth, type TruthReport } from './truth.ts';

/**
 * The service without HTTP, timers or a clock: what it answers depends on what it was asked before, on `now` and on its seed.
 * `now` is service time, whole microseconds since 1970, and must not go back.
 */
export interface Core {
  answer(request: SandboxRequest, now: Micros): Answer;
  /** @returns how many tokens were good until now */
  revoke(selector: RevokeSelector, now: Micros): number;
  truth(now: Micros): TruthReport;
}

type Parts = {
  readonly config: SandboxConfig;
  readonly applications: readonly ApplicationCredentials[];
  readonly ids: Ids;
  readonly store?: Store;
};

/** @param parts `store`: default a fresh one in memory */
export function createCore({ config, applications, ids, store = new MemoryStore() }: Parts): Core {
  const service: Service = { config, store, gate: createGate(config.limits), ids, truth: new Truth() };
  return {
    answer: (request, now) => answer(service, applications, request, now),
    revoke: (selector, now) => store.revoke(selector, now),
    truth: (now) =>
      service.truth.report(
        store,
        service.gate,
        applications.map(({ label }) => label),
        now,
      ),
  };
}

type Arrival = Omit<Call<unknown>, 'caller'>;

/** The order of the checks (design.md section 7): token, size, rate, then the handler's own. */
function answer(
  service: Service,
  applications: readonly ApplicationCredentials[],
  request: SandboxRequest,
  now: Micros,
): Answer {
  const call: Arrival = { request, now, requestId: service.ids.uuid(), service, standings: [] };
  const operation = request.route?.operation;
  if (operation === undefined) return recorded(call, {}, refusal('not_found', 'no such route', call.requestId));
  return operation === 'issueToken' ? answerApplication(call, applications) : answerUser(call, operation);
}

function answerApplication(call: Arrival, applications: readonly ApplicationCredentials[]): Answer {
  const authentication = authenticateApplication(call.request.authorization, applications);
  if (!authentication.ok) return recorded(call, {}, unauthorized(call, authentication));
  const caller = authentication.caller;
  return recorded(call, { application: caller.label }, tooLarge(call) ?? handlers.issueToken({ ...call, caller }));
}

function answerUser(call: Arrival, operation: Exclude<OperationId, 'issueToken'>): Answer {
  const authentication = authenticateUser(call.request.authorization, call.service.store, call.now);
  if (!authentication.ok) return recorded(call, {}, unauthorized(call, authentication));
  const caller = authentication.caller;
  const refused = tooLarge(call) ?? admitOrRefuse(call, caller.application, ['rate'], call.now);
  const result = refused ?? handlers[operation]({ ...call, caller });
  const headers = { ...limitHeaders(call.standings, call.service.config.limits, call.now), ...result.headers };
  return recorded(call, identify(caller), { ...result, headers });
}

const identify = ({ application, user, label }: TokenRecord) => ({ application, user, token: label });

function unauthorized(call: Arrival, { message, challenge }: Extract<Authentication<unknown>, { ok: false }>): Answer {
  return refusal('unauthorized', message, call.requestId, { 'www-authenticate': `${challenge} realm="partners"` });
}

function tooLarge({ request, service, requestId }: Arrival): Answer | undefined {
  const most = service.config.maxBodyBytes;
  const exceeds =
    request.body.kind === 'too-large' || (request.body.kind === 'bytes' && request.body.bytes.length > most);
  return exceeds ? refusal('payload_too_large', `the body must not exceed ${most} bytes`, requestId) : undefined;
}

/** Writes the decision into the truth and hands the answer on. */
function recorded(call: Arrival, who: { application?: string; user?: string; token?: string }, result: Answer): Answer {
  const operation = call.request.route?.operation;
  const code = result.kind === 'json' ? (result.body as { error?: { code?: string } }).error?.code : undefined;
  call.service.truth.decided({
    at: call.now,
    ...(operation !== undefined && { operation }),
    ...who,
    status: result.status,
    ...(result.status >= 400 && code !== undefined && { code }),
  });
  return result;
}
