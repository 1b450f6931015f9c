import { answerReaders, readTurnMessage } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { FollowTurnStep } from '../../scenario/index.ts';
import type { StreamOutcome } from '../exchanges/attempt.ts';
import { openStreamOnce } from '../exchanges/open-stream.ts';
import type { Request } from '../exchanges/request.ts';
import {
  interrupted,
  type JourneyState,
  next,
  type OpenTurn,
  type StepEnd,
  type StepListener,
  type StepStart,
} from '../journeys/journey-state.ts';
import { policiesOf } from '../policies/decision.ts';
import { type SendOnce, type Settled, sendWithPolicy } from '../policies/policy.ts';
import { deadlineOf, type Followed, type Following, isExpectedFailure, turnRequest } from './following.ts';
import { capture } from './operation.ts';
import { pollTurn } from './poll-turn.ts';

/**
 * Follows the newest accepted turn, or all that were not followed yet, until each has ended. Does nothing if no message was
 * accepted: the policy has then already dealt with the refusal.
 */
export function followTurn(journey: JourneyState, step: FollowTurnStep, listener: StepListener): StepStart {
  const settings = step.followTurn;
  const startAt = journey.cursor;
  const following = (turn: OpenTurn, member = 0): Following => ({ journey, step, settings, turn, startAt, member });
  // A single turn needs no `Promise.all`: extra promises are noticeable in a fast run.
  if (settings.turns !== 'all') {
    const newest = journey.turns.findLast(isUnfollowed);
    return newest ? startFollowing(following(newest), listener) : next;
  }
  const ends = journey.turns.filter(isUnfollowed).map((turn, member) => followOne(following(turn, member)));
  return Promise.all(ends).then((ended) => ended.find((end) => end.kind !== 'next') ?? next);
}

const isUnfollowed = ({ followed }: OpenTurn): boolean => !followed;

/** Follows one turn according to the settings; both ways run side by side, and the first to see the end frees the slot. */
export const followOne = (following: Following): Promise<StepEnd> =>
  new Promise((ended, failed) => startFollowing(following, { ended, failed }));

function startFollowing(following: Following, listener: StepListener): undefined {
  const { journey, settings, turn } = following;
  turn.followed = true;
  const conclude = (results: readonly Followed[]): void => {
    // Even if no way saw the turn's end, nothing follows it any more: its slot is given back, so that it is not lost.
    turn.finished();
    journey.cursor = Math.max(journey.cursor, journey.world.clock.now()) as Micros;
    listener.ended(endOf(following, results));
  };
  const failed = (defect: unknown): void => listener.failed(defect);
  if (settings.by === 'poll') {
    pollTurn(following, { ended: (followed) => conclude([followed]), failed });
    return;
  }
  const ways = [byStream(following).then((followed): Followed => ({ ...followed, operation: 'openStream' }))];
  if (settings.by === 'both')
    // Polls come first: if both ways have an answer, theirs is used.
    ways.unshift(new Promise((ended, failed) => pollTurn(following, { ended, failed })));
  Promise.all(ways.map((way) => freeing(turn, way)))
    .then(conclude)
    .catch(failed);
}

/** Gives the slot back as soon as this way has seen the end. */
async function freeing(turn: OpenTurn, way: Promise<Followed>): Promise<Followed> {
  const followed = await way;
  if (followed.ended === 'completed' || followed.ended === 'failed') turn.finished();
  return followed;
}

function endOf({ journey, step }: Following, results: readonly Followed[]): StepEnd {
  const completed = results.find(isAsWanted);
  if (completed) {
    const answer = assistantMessageOf(results);
    if (answer !== undefined) journey.answer = answer;
    capture(journey, step.capture, completed.body);
  }
  if (journey.stop.abort.aborted || results.some(({ ended }) => ended === 'stopped')) return interrupted;
  const bad = results.find((followed) => !isAsWanted(followed));
  if (!bad) return next;
  const policy = policiesOf(journey, step).onError;
  // A retry would mean to follow again; asking again does not change a turn that failed or exceeded its deadline.
  return policy === 'stop' || (typeof policy === 'object' && policy.retry.afterwards === 'stop')
    ? { kind: 'stop', operation: bad.operation ?? 'readTurn', because: bad.because ?? `turn ${bad.ended}` }
    : next;
}

const isAsWanted = ({ ended }: Followed): boolean => ended === 'completed' || ended === 'expected';

async function byStream(following: Following): Promise<Followed> {
  const { journey, step, settings, turn, startAt, member } = following;
  const deadlineAt = deadlineOf(following);
  // If polls follow too, their answer is used, and expectations apply to it.
  const expecting = settings.by === 'stream' ? step : { credentials: step.credentials };
  const request = turnRequest('openStream', turn, expecting);
  let end: Promise<StreamOutcome> | undefined;
  const send: SendOnce = (_journey, _request, timing, listener) => {
    openStreamOnce(journey, request, timing, { turn: turn.id, deadlineAt })
      .then((attempt) => {
        if (attempt.kind === 'sent') end = attempt.streamEnd;
        listener.ended(attempt);
      })
      .catch((defect: unknown) => listener.failed(defect));
  };
  // Polls of the same turn use the random numbers of `member`.
  const policies = { deadlineAt, member: -1 - member, ...policiesOf(journey, step) };
  const settled = await sendWithPolicy(journey, request, startAt, policies, send);
  if (settled.kind === 'stop') return { ended: 'given-up', because: settled.because };
  if (!end) return withoutStream(settled, request, journey.world.clock.now() >= deadlineAt);
  const { reason, because = 'stream dropped', final } = await end;
  return {
    ended: reason,
    ...(reason === 'dropped' ? { because } : {}),
    ...(final === undefined ? {} : { body: final }),
  };
}

function withoutStream(settled: Exclude<Settled, { kind: 'stop' }>, request: Request, isOver: boolean): Followed {
  if (settled.kind === 'interrupted') return { ended: 'stopped' };
  const reply = settled.sent?.reply;
  if (settled.kind === 'done' && reply?.kind === 'answer' && isExpectedFailure(reply, request))
    return { ended: 'expected', body: reply.body, bodyForm: reply.bodyForm };
  return { ended: isOver ? 'deadline' : 'given-up' };
}

/** The assistant's message in a turn, or in the stream event that carries it. */
function assistantMessageOf(results: readonly Followed[]): string | undefined {
  for (const { body, bodyForm } of results) {
    const turn = answerReaders.readTurn(body, bodyForm);
    if (turn?.message) return turn.message.assistant_message_id;
    const message = readTurnMessage((body as { message?: unknown } | undefined)?.message);
    if (message) return message.assistant_message_id;
  }
  return undefined;
}
