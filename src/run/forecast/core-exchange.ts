import { type ApiCall, type ApiReply, type Credentials, operations, type TargetProfile } from '../../api/index.ts';
import type { Clock, Micros } from '../../base/index.ts';
import { DEFAULT_MAX_ANSWER_BYTES } from '../../client/index.ts';
import type { Answer, BodyDelivery, Core, Outcome, SandboxRequest, StreamAnswer } from '../../sandbox/index.ts';

/** One call to the sandbox's core without sockets: when it arrives there, and what a client would see of its answer. */

/** How a run in virtual time reaches the sandbox's core. */
export interface CoreSenderOptions {
  readonly core: Core;
  readonly clock: Clock;
  /** Service time at a run time. */
  readonly serviceAt: (at: Micros) => Micros;
  /** The run time at which the service's clock shows this. */
  readonly runAt: (service: Micros) => Micros;
  /** Time from sending to the decision, and from the decision to the answer; random per call if it varies. */
  readonly delayUs: () => readonly [Micros, Micros];
  readonly profile: Pick<TargetProfile, 'stream'>;
}

const NO_BYTES = { sent: 0, received: 0 };

/** What a client gets from a call; `stream`: for a call that opened one, its future events. */
interface Exchanged {
  readonly reply: ApiReply;
  readonly stream?: StreamAnswer;
}

/** Sends a call to the core and waits for its answer, as long as a client would. */
export async function exchangeWithCore(
  options: CoreSenderOptions,
  call: ApiCall,
  signal: AbortSignal | undefined,
): Promise<Exchanged> {
  const { clock } = options;
  call.onSending?.();
  const sentAt = clock.now();
  const decided = await decide(options, call, sentAt, signal);
  if (!decided) return { reply: stopped(sentAt, clock.now()) };
  const { outcome, arrivesAt } = decided;
  const patience = (sentAt + call.deadlineUs) as Micros;
  if (outcome.kind === 'silence' || arrivesAt > patience)
    return { reply: await silenceOf(options, outcome, { sentAt, arrivesAt, patience }, signal) };
  await clock.sleepUntil(arrivesAt, signal);
  if (signal?.aborted && clock.now() < arrivesAt) return { reply: stopped(sentAt, clock.now()) };
  const reply = await answerOf(options, outcome, { sentAt, patience }, signal);
  return outcome.kind === 'stream' ? { reply, stream: outcome } : { reply };
}

const stopped = (sentAt: Micros, at: Micros): ApiReply => ({
  kind: 'censored',
  failure: 'stopped',
  sentAt,
  receivedAt: at,
  bytes: NO_BYTES,
});

interface Decided {
  readonly outcome: Outcome;
  /** When the first byte of the answer is here. */
  readonly arrivesAt: Micros;
}

/** Asks the core at the time when the request arrives there; undefined if the run stopped before. */
async function decide(
  options: CoreSenderOptions,
  call: ApiCall,
  sentAt: Micros,
  signal: AbortSignal | undefined,
): Promise<Decided | undefined> {
  const [there, back] = options.delayUs();
  const at = (sentAt + there) as Micros;
  await options.clock.sleepUntil(at, signal);
  if (signal?.aborted) return undefined;
  const outcome = options.core.answer(requestOf(call), options.serviceAt(at));
  return { outcome, arrivesAt: (at + runTimeOf(options, outcome.delivery?.delayUs ?? 0) + back) as Micros };
}

/** A span of the service's clock, on the run's. */
const runTimeOf = ({ runAt }: CoreSenderOptions, serviceUs: number): number =>
  runAt(serviceUs as Micros) - runAt(0 as Micros);

interface Waiting {
  readonly sentAt: Micros;
  /** When the client stops waiting. */
  readonly patience: Micros;
}

/** Without an answer in time: a reset is noticed when it arrives, silence and lateness when the client stops waiting. */
async function silenceOf(
  { clock }: CoreSenderOptions,
  outcome: Outcome,
  { sentAt, arrivesAt, patience }: Waiting & { readonly arrivesAt: Micros },
  signal: AbortSignal | undefined,
): Promise<ApiReply> {
  const isReset = outcome.kind === 'silence' && outcome.ending === 'reset' && arrivesAt < patience;
  await clock.sleepUntil(isReset ? arrivesAt : patience, signal);
  const receivedAt = clock.now();
  if (signal?.aborted) return stopped(sentAt, receivedAt);
  const times = { sentAt, receivedAt, bytes: NO_BYTES };
  return isReset
    ? { kind: 'failed', failure: 'ECONNRESET', ...times }
    : { kind: 'censored', failure: 'deadline', ...times };
}

/** An answer as a client sees it, including transport faults. */
async function answerOf(
  options: CoreSenderOptions,
  answer: Answer,
  { sentAt, patience }: Waiting,
  signal: AbortSignal | undefined,
): Promise<ApiReply> {
  const { clock } = options;
  const headersAt = clock.now();
  const delivery: BodyDelivery = (answer.kind === 'json' ? answer.delivery : undefined) ?? {};
  const { manner, contentType, padToBytes = 0 } = delivery;
  const times = { sentAt, headersAt, bytes: NO_BYTES };
  if (manner?.kind === 'half') return { kind: 'failed', failure: 'closed-mid-answer', ...times, receivedAt: headersAt };
  if (manner?.kind === 'drip') {
    const endsAt = (headersAt + runTimeOf(options, manner.lastingUs)) as Micros;
    await clock.sleepUntil(Math.min(endsAt, patience) as Micros, signal);
    if (signal?.aborted) return stopped(sentAt, clock.now());
    if (endsAt > patience) return { kind: 'censored', failure: 'deadline', ...times, receivedAt: clock.now() };
  }
  if (padToBytes > DEFAULT_MAX_ANSWER_BYTES) {
    return { kind: 'failed', failure: 'answer-too-large', ...times, receivedAt: clock.now() };
  }
  const isJson = contentType === undefined || /\bjson\b/.test(contentType);
  const body =
    answer.kind !== 'json' ? {} : isJson ? { body: answer.body } : { bodyProblem: 'wrong-content-type' as const };
  const { status, headers } = answer;
  return { kind: 'answer', status, headers, ...times, receivedAt: clock.now(), ...body };
}

function requestOf(call: ApiCall): SandboxRequest {
  const authorization = authorizationOf(call.credentials);
  const query = Object.entries(call.query ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    route: { operation: call.operation, parameters: call.parameters },
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) as Record<string, string> }),
    ...(authorization !== undefined && { authorization }),
    ...(call.body === undefined
      ? { body: { kind: 'absent' } }
      : { contentType: 'application/json', body: { kind: 'json', value: call.body } }),
    webSocket: operations[call.operation].success === 101,
  };
}

function authorizationOf(credentials: Credentials): string | undefined {
  if (credentials.kind === 'none') return undefined;
  if (credentials.kind === 'bearer') return `Bearer ${credentials.token}`;
  return `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')}`;
}
