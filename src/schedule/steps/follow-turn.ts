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
import { interrupted, type JourneyState, next, type OpenTurn, type StepEnd } from '../journey-state.ts';
import { openStreamOnce } from '../open-stream.ts';
import { asSettled, policiesOf, type SendOnce, type Settled, sendWithPolicy } from '../policy.ts';
import { requestOf } from '../request.ts';
import type { PollSeen } from '../world.ts';
import { capture, type OperationStep } from './operation.ts';

/** Follows the newest accepted turn, or all that were not followed yet, until each has ended. */
export function followTurn(journey: JourneyState, step: FollowTurnStep): Promise<StepEnd> | StepEnd {
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
  const ends = Promise.all(wanted.map((turn) => followOne(journey, step, step.followTurn, turn, startAt)));
  return ends.then((ended) => ended.find((end) => end.kind !== 'next') ?? next);
}

/** How following one turn one way ended. */
type Followed = {
  readonly ended: 'completed' | 'failed' | 'deadline' | 'stopped' | 'given-up' | 'dropped';
  readonly because?: string | undefined;
  readonly body?: unknown;
  readonly bodyForm?: BodyForm | undefined;
};

/** Follows one turn as the settings say; both ways run side by side, and the first to know frees the slot. */
export function followOne(
  journey: JourneyState,
  step: OperationStep,
  settings: FollowSettings,
  turn: OpenTurn,
  startAt: Micros,
): Promise<StepEnd> {
  turn.followed = true;
  const deadlineAt = (startAt + microsFromMillis(settings.deadline)) as Micros;
  const poll = () => byPolling(journey, step, settings, turn, startAt, deadlineAt);
  const stream = () => byStream(journey, step, settings, turn, startAt, deadlineAt);
  const conclude = (results: readonly Followed[]): StepEnd => {
    // A turn whose end nobody saw is not known to be finished, but nobody is left to see it: its slot must not be lost.
    turn.finished();
    journey.cursor = Math.max(journey.cursor, journey.world.clock.now()) as Micros;
    return endOf(journey, step, results);
  };
  if (settings.by === 'both') return Promise.all([poll(), stream()].map((way) => freeing(turn, way))).then(conclude);
  return (settings.by === 'poll' ? poll() : stream()).then((followed) => conclude([followed]));
}

/** Gives the slot back as soon as this way has seen the end. */
async function freeing(turn: OpenTurn, way: Promise<Followed>): Promise<Followed> {
  const followed = await way;
  if (followed.ended === 'completed' || followed.ended === 'failed') turn.finished();
  return followed;
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

function byPolling(
  journey: JourneyState,
  step: OperationStep,
  settings: FollowSettings,
  turn: OpenTurn,
  startAt: Micros,
  deadlineAt: Micros,
): Promise<Followed> {
  const { world, stop } = journey;
  const request = turnRequest('readTurn', turn, step);
  const policies = policiesOf(journey, step);
  let because: string | undefined;
  let reply: ApiReply | undefined;
  const seen = (settled: Settled): PollSeen => {
    if (settled.kind === 'interrupted' || settled.kind === 'stop') {
      because = settled.kind === 'stop' ? settled.because : 'stopped';
      return { state: 'unknown', verdict: 'stop' };
    }
    if (settled.kind === 'passed-over') return { state: 'unknown', verdict: 'continue' };
    reply = settled.sent.reply;
    return { state: stateOf(journey, settled.sent.exchange.turn?.status) };
  };
  const polling = world.followByPolling({
    clock: world.clock,
    startAt,
    intervalUs: microsFromMillis(settings.interval),
    backoff: settings.backoff,
    maxIntervalUs: microsFromMillis(settings.maxInterval),
    deadlineAt,
    signal: stop.abort,
    poll: (_k, intendedAt) => sendWithPolicy(journey, request, intendedAt, policies, seen),
  });
  return polling.then(({ ended }) => {
    const answer = reply?.kind === 'answer' ? reply : undefined;
    return { ended, because, body: answer?.body, bodyForm: answer?.bodyForm };
  });
}

const turnRequest = (operation: 'readTurn' | 'openStream', turn: OpenTurn, step: OperationStep) => {
  const parameters = { turn_id: turn.id };
  const { conversation, id } = turn;
  return requestOf({ operation, parameters, conversation, turn: id, outlastsFinish: true }, step);
};

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
  // Where polls follow too, the answer is theirs, and so are the expectations.
  const expecting = settings.by === 'stream' ? step : { credentials: step.credentials };
  const request = turnRequest('openStream', turn, expecting);
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
