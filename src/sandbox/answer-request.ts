import type { OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import { type Authentication, authenticateApplication, authenticateUser, type Directory } from './authenticate.ts';
import type { Passage, Subject } from './gate/index.ts';
import { limitHeaders } from './limit-headers.ts';
import { type Answer, refusal } from './replies.ts';
import type { SandboxRequest } from './request.ts';
import { admitOrRefuse, type Call, refusedBy, type Service } from './service.ts';
import { StoreUnavailable, type TokenRecord } from './store.ts';
import type { DecisionRecord } from './truth.ts';

type Arrival = Omit<Call<unknown>, 'caller' | 'passage'>;

/** The order of the checks (design.md section 7): token, size, rate, then those of the handler. */
export function answer(service: Service, applications: Directory, request: SandboxRequest, now: Micros): Answer {
  const call: Arrival = { request, now, requestId: service.ids.uuid(), service };
  const operation = request.route?.operation;
  if (operation === undefined) return recorded(call, {}, refusal('not_found', 'no such route', call.requestId));
  try {
    return operation === 'issueToken' ? answerApplication(call, applications) : answerUser(call, operation);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return recorded(call, {}, refusal(error.code, error.message, call.requestId));
  }
}

function answerApplication(call: Arrival, applications: Directory): Answer {
  const authentication = authenticateApplication(call.request.authorization, applications);
  if (!authentication.ok) return recorded(call, {}, unauthorized(call, authentication));
  const caller = authentication.caller;
  const passage = call.service.gate.passage(subjectOf(call, 'issueToken', { application: caller.label }), call.now);
  const result = through({ passage, ...call }, (entered) => call.service.handlers.issueToken({ caller, ...entered }));
  return recorded(call, { application: caller.label }, result);
}

function answerUser(call: Arrival, operation: Exclude<OperationId, 'issueToken'>): Answer {
  const authentication = authenticateUser(call.request.authorization, call.service.store, call.now);
  if (!authentication.ok) return recorded(call, {}, unauthorized(call, authentication));
  const caller = authentication.caller;
  const passage = call.service.gate.passage(subjectOf(call, operation, caller), call.now);
  const result = through({ passage, ...call }, (entered) => call.service.handlers[operation]({ caller, ...entered }));
  return recorded(call, identify(caller), result);
}

/** What limits may count the request by. A turn's conversation is looked up only if a limit needs it. */
function subjectOf(
  { request, service }: Arrival,
  operation: OperationId,
  caller: { application: string } & Partial<Pick<TokenRecord, 'owner' | 'label' | 'timezone'>>,
): Subject {
  const { application, owner, label, timezone } = caller;
  const { conversation_id, turn_id = '', message_id = '' } = request.route?.parameters ?? {};
  return {
    operation,
    application,
    conversation: () => {
      if (conversation_id !== undefined) return conversation_id;
      const turn = service.store.findTurn(turn_id) ?? service.store.findTurnByAnswer(message_id);
      return turn?.conversation.owner === owner ? turn?.conversation.id : undefined;
    },
    ...(owner !== undefined && { owner }),
    ...(label !== undefined && { token: label }),
    ...(timezone !== undefined && { timezone }),
    ...(request.address !== undefined && { address: request.address }),
  };
}

type Entering = Omit<Call<unknown>, 'caller'>;

/** Checks the size, then the limits around the handler. Units are taken at the end, from all limits or from none. */
function through(call: Entering, handle: (call: Entering) => Answer): Answer {
  const { passage, now } = call;
  try {
    const refused = tooLarge(call) ?? refusedBy(passage.arrive(), call);
    const handled = refused ?? handle(call);
    // A handler that returned without asking the limits has found the request invalid.
    const result = refused ?? admitOrRefuse(call, 'invalid') ?? handled;
    const { standings, servedAt } = passage;
    counted(call, passage.close());
    // No spreads: Node 20 takes 2 µs for each member that a literal adds to what was spread before it.
    const headers = Object.assign({}, limitHeaders(standings, servedAt), result.headers);
    if (servedAt === now) return Object.assign({}, result, { headers });
    // A limit delayed the request: its `Date` is the instant at which it is served.
    const delayUs = (servedAt - now) as Micros;
    return { ...result, headers, delivery: { delayUs, dateOffsetUs: delayUs } };
  } catch (error) {
    counted(call, passage.fail());
    throw error;
  }
}

function counted({ service: { truth } }: Entering, { taken, refused }: ReturnType<Passage['close']>): void {
  for (const limit of new Set(taken.map((rule) => rule.limit))) truth.admitted(limit);
  if (refused) truth.refused(refused.limit);
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

/** The caller by labels. A member is undefined if it is unknown. */
type Who = Partial<Pick<DecisionRecord, 'application' | 'user' | 'token'>>;

/** Records the decision in the truth report and returns the answer. */
function recorded(call: Arrival, { application, user, token }: Who, result: Answer): Answer {
  const refused = result.kind === 'json' && result.status >= 400;
  call.service.truth.decided({
    at: call.now,
    operation: call.request.route?.operation,
    application,
    user,
    token,
    status: result.status,
    code: refused ? (result.body as { error?: { code?: string } }).error?.code : undefined,
  });
  return result;
}
