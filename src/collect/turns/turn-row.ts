import type { Micros } from '../../base/index.ts';
import type { Acceptance, Turn } from '../../history/index.ts';
import type { TurnRow } from '../rows.ts';
import { completionOf, sinceAcceptance } from './turn-times.ts';

/** A turn as one flat row. */
export function turnRow(turn: Turn, warmUp: boolean): TurnRow {
  const { acceptance, finished } = turn;
  const since = (at: Micros | undefined) => notNegative(sinceAcceptance(turn, at));
  const completion = completionOf(turn)?.bounds;
  const optional = {
    finishedBy: finished?.by,
    finishedObservedAt: finished?.observedAt,
    finishedAfter: finished?.after,
    finishedBefore: finished?.before,
    seenByPollAt: turn.seenByPollAt,
    seenByStreamAt: turn.seenByStreamAt,
    completionUs: since(finished?.observedAt),
    completionLeastUs: notNegative(completion?.shortestUs),
    completionMostUs: notNegative(completion?.longestUs),
    firstEventUs: since(turn.firstEventAt),
    firstDeltaUs: since(turn.firstDeltaAt),
    serverLatencyMs: turn.latencyMs,
  };
  return {
    turn: turn.id,
    ...(acceptance && accepted({ ...acceptance, sentAt: turn.acceptedAfter ?? acceptance.sentAt })),
    warmUp,
    state: turn.state,
    ...withoutAbsent(optional),
    polls: turn.polls,
    streamEvents: turn.streamEvents,
    regressed: turn.regressed,
  };
}

/** Also for a history whose instants run backwards, no time is below 0. */
const notNegative = (us: number | undefined) => (us === undefined ? undefined : (Math.max(0, us) as Micros));

const accepted = ({ application, user, conversation, journey, arrival, message, sentAt, headersAt }: Acceptance) => ({
  application,
  user,
  ...withoutAbsent({ conversation, message }),
  journey,
  arrival,
  acceptSentAt: sentAt,
  acceptHeadersAt: headersAt,
});

type WithoutAbsent<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes members that are undefined: absent members are absent, also in JSON and for `in`. */
const withoutAbsent = <T extends object>(members: T): WithoutAbsent<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutAbsent<T>;
