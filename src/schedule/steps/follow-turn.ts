import {
  type ApiReply,
  answerReaders,
  type BodyForm,
  readTurnMessage,
  type StreamEnd,
  type StreamEvent,
} from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { FollowSettings, FollowTurnStep } from '../../scenario/index.ts';
import type { Request } from '../exchange.ts';
import { interrupted, type JourneyState, next, type OpenTurn, type StepEnd } from '../journey-state.ts';
import { openStreamOnce } from '../open-stream.ts';
import { asSettled, policiesOf, type SendOnce, sendWithPolicy } from '../policy.ts';
import type { PollSeen } from '../world.ts';
import { capture, type OperationStep, shared } from './operation.ts';

/** Follows the newest accepted turn, or all that were not followed yet, until each has ended. */
export async function followTurn(journey: JourneyState, step: FollowTurnStep): Promise<StepEnd> {
  const open = journey.turns.filter((turn) => !turn.followed);
  const wanted = step.followTurn.turns === 'all' ? open : open.slice(-1);
  if (wanted.length === 0) {
    // Nothing was accepted: the refusal before this step was passed over by its policy, so there is nothing to follow.
    return next;
  }
  const startAt = journey.cursor;
  const [first, ...others] = wanted;
  // Of one nothing has to be gathered: promises upon promises are felt in a fast run.
  if (first && others.length === 0) return followOne(journey, step, step.followTurn, first, startAt);
  const ends = await Promise.all(wanted.map((turn) => followOne(journey, step, step.followTurn, turn, startAt)));
  return ends.find((end) => end.kind !== 'next') ?? next;
}

/** How following one turn one way ended. */
type Followed = {
  readonly ended: 'completed' | 'failed' | 'deadline' | 'stopped' | 'given-up' | 'dropped';
  readonly because?: string;
  readonly body?: unknown;
  readonly bodyForm?: BodyForm;
};

/** Follows one turn as the settings say; both ways run side by side, and the first to know frees the slot. */
export async function followOne(
  journey: JourneyState,
  step: OperationStep,
  settings: FollowSettings,
  turn: OpenTurn,
  startAt: Micros,
): Promise<StepEnd> {
  turn.followed = true;
  const deadlineAt = (startAt + microsFromMillis(settings.deadline)) as Micros;
  const ways: Promise<Followed>[] = [];
  if (settings.by !== 'stream') ways.push(byPolling(journey, step, settings, turn, startAt, deadlineAt));
  if (settings.by !== 'poll') ways.push(byStream(journey, step, settings, turn, startAt, deadlineAt));
  const freed = ways.map((way) =>
    way.then((followed) => {
      if (followed.ended === 'completed' || followed.ended === 'failed') turn.finished();
      return followed;
    }),
  );
  const results = await Promise.all(freed);
  // A turn whose end nobody saw is not known to be finished, but nobody is left to see it: its slot must not be lost.
  turn.finished();
  journey.cursor = Math.max(journey.cursor, journey.world.clock.now()) as Micros;
  return endOf(journey, step, results);
}

function endOf(journey: JourneyState, step: OperationStep, results: readonly Followed[]): StepEnd {
  const completed = results.find((followed) => followed.ended === 'completed');
  if (completed) {
    const answer = assistantMessageOf(results);
    if (answer !== undefined) journey.answer = answer;
    capture(journey, step.capture, completed.body);
  }
  if (journey.stop.abort.aborted) return interrupted;
  const bad = results.find((followed) => followed.ended !== 'completed');
  if (!bad) return next;
  const policy = policiesOf(journey, step).onError;
  // Following again is what a retry would mean; a turn that failed or outlived its deadline does not change by asking again.
  return policy === 'stop' || (typeof policy === 'object' && policy.retry.afterwards === 'stop')
    ? { kind: 'stop', operation: 'readTurn', because: bad.because ?? `turn ${bad.ended}` }
    : next;
}

async function byPolling(
  journey: JourneyState,
  step: OperationStep,
  settings: FollowSettings,
  turn: OpenTurn,
  startAt: Micros,
  deadlineAt: Micros,
): Promise<Followed> {
  const { world, stop } = journey;
  const request: Request = {
    operation: 'readTurn',
    parameters: { turn_id: turn.id },
    conversation: turn.conversation,
    turn: turn.id,
    outlastsFinish: true,
    ...shared(step),
  };
  let because: string | undefined;
  let reply: ApiReply | undefined;
  const poll = async (_k: number, intendedAt: Micros): Promise<PollSeen> => {
    const settled = await sendWithPolicy(journey, request, intendedAt, policiesOf(journey, step), asSettled);
    if (settled.kind === 'interrupted' || settled.kind === 'stop') {
      because = settled.kind === 'stop' ? settled.because : 'stopped';
      return { state: 'unknown', verdict: 'stop' };
    }
    if (settled.kind === 'passed-over') return { state: 'unknown', verdict: 'continue' };
    reply = settled.sent.reply;
    return { state: stateOf(journey, settled.sent.exchange.turn?.status) };
  };
  const { ended } = await world.followByPolling({
    clock: world.clock,
    startAt,
    intervalUs: microsFromMillis(settings.interval),
    backoff: settings.backoff,
    maxIntervalUs: microsFromMillis(settings.maxInterval),
    deadlineAt,
    signal: stop.abort,
    poll,
  });
  return { ended, ...(because === undefined ? {} : { because }), ...bodyOf(reply) };
}

/** A status that the profile does not know is neither: the turn is taken as open, and the journal keeps the word. */
function stateOf(journey: JourneyState, status: string | undefined): 'open' | 'completed' | 'failed' {
  const { turns } = journey.world.profile;
  if (status !== undefined && turns.completed.includes(status)) return 'completed';
  if (status !== undefined && turns.failed.includes(status)) return 'failed';
  return 'open';
}

async function byStream(
  journey: JourneyState,
  step: OperationStep,
  settings: FollowSettings,
  turn: OpenTurn,
  startAt: Micros,
  deadlineAt: Micros,
): Promise<Followed> {
  const request: Request = {
    operation: 'openStream',
    parameters: { turn_id: turn.id },
    conversation: turn.conversation,
    turn: turn.id,
    outlastsFinish: true,
    // Where polls follow too, the answer is theirs, and so are the expectations.
    ...shared(settings.by === 'stream' ? step : { credentials: step.credentials }),
  };
  let body: unknown;
  let end: Promise<StreamEnd> | undefined;
  const onEvent = (event: StreamEvent) => {
    if (event.event === 'completed' || event.event === 'failed') body = event.data;
  };
  const send: SendOnce = (_journey, _request, timing, listener) => {
    openStreamOnce(journey, request, timing, { turn: turn.id, deadlineAt, onEvent })
      .then((attempt) => {
        if (attempt.kind === 'sent') end = attempt.streamEnd;
        listener.ended(attempt);
      })
      .catch((defect: unknown) => listener.failed(defect));
  };
  const settled = await sendWithPolicy(journey, request, startAt, policiesOf(journey, step), asSettled, send);
  if (settled.kind === 'stop') return { ended: 'given-up', because: settled.because };
  if (!end) return { ended: settled.kind === 'interrupted' ? 'stopped' : 'given-up' };
  const { reason } = await end;
  return {
    ended: reason,
    ...(reason === 'dropped' ? { because: 'stream dropped' } : {}),
    ...(body === undefined ? {} : { body }),
  };
}

function bodyOf(reply: ApiReply | undefined): Pick<Followed, 'body' | 'bodyForm'> {
  if (reply?.kind !== 'answer' || reply.body === undefined) return {};
  const { body, bodyForm } = reply;
  return bodyForm === undefined ? { body } : { body, bodyForm };
}

/** The assistant's message in a turn, or in the event of a stream that carries it. */
function assistantMessageOf(results: readonly Followed[]): string | undefined {
  for (const { body, bodyForm } of results) {
    const turn = answerReaders.readTurn(body, bodyForm);
    if (turn?.message) return turn.message.assistant_message_id;
    const message = readTurnMessage((body as { message?: unknown } | undefined)?.message);
    if (message) return message.assistant_message_id;
  }
  return undefined;
}
