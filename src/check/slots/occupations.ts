import { operationIds } from '../../api/index.ts';
import { limitBit } from '../attribution.ts';
import { wordsThat } from '../columns.ts';
import { Answer, type Evidence } from '../evidence.ts';
import type { Sighted, SightingPoll } from '../turn-times.ts';
import { MessageTurns, mayBecomeTurn, type Standing } from './message-turns.ts';

/** What one message did to the slots, whatever the scope. Times are service µs since run time 0. */
export interface Occupation {
  readonly row: number;
  readonly until: number;
  readonly workFrom: number;
  /** Whether it surely became a turn of its own, of this bucket whatever the scope. */
  readonly own: boolean;
  readonly open?: Core;
  readonly working?: Core;
}

export interface Core {
  readonly from: number;
  readonly to: number;
  /** Rows of the polls that prove it. */
  readonly polls: readonly number[];
}

const memo = new WeakMap<Evidence, readonly Occupation[]>();
const sendMessage = operationIds.indexOf('sendMessage');

/** One per message sent, in rising order of `from`. */
export function occupationsOf(evidence: Evidence): readonly Occupation[] {
  const known = memo.get(evidence);
  if (known) return known;
  const rows = wordsThat(evidence.order, (row) => evidence.operation[row] === sendMessage);
  const turns = new MessageTurns(evidence, rows);
  const occupations: Occupation[] = [];
  for (const row of rows) occupations.push(occupationOf(evidence, row, turns));
  memo.set(evidence, occupations);
  return occupations;
}

function occupationOf(evidence: Evidence, row: number, turns: MessageTurns): Occupation {
  const from = evidence.from[row] as number;
  const to = evidence.to[row] as number;
  const none = { row, workFrom: from, own: false };
  const answer = evidence.answer[row] as Answer;
  if (answer === Answer.refused) {
    const surelyHere = evidence.refusedBy[row] === limitBit.concurrency;
    return { ...none, until: surelyHere ? Number.NEGATIVE_INFINITY : to };
  }
  if (!mayBecomeTurn(evidence, row)) return { ...none, until: to };
  if (answer === Answer.maybe) return { ...none, until: Math.max(to, turns.heldUntil(row)) };
  const turn = turns.of(row);
  if (turn === 0) return { ...none, until: Number.POSITIVE_INFINITY };
  // A second answer that names the turn: the first attempt took the slot, whichever of them made the turn.
  if (!turns.namesFirst(row)) return { ...none, until: to };
  const until = Math.max(to, turns.heldUntil(row));
  const seen = seenOf(evidence, row, turn, turns.standing(row));
  // Another attempt holds the slot to the end of the turn: this one may have held it only while it was under way.
  return { row, until, ...seen, workFrom: seen.workFrom > until ? from : seen.workFrom };
}

type Seen = Pick<Occupation, 'workFrom' | 'own' | 'open' | 'working'>;

/** What was seen of a turn while it went on. */
function seenOf(evidence: Evidence, row: number, turn: number, { alone, first }: Standing): Seen {
  const { from, to, timeline, turns } = evidence;
  const sighted = turns.sighted(turn);
  const waited = waitedUntil(sighted);
  const workFrom = Math.max(from[row] as number, waited === undefined ? Number.NEGATIVE_INFINITY : timeline.at(waited));
  if (!alone || !sighted) return { workFrom, own: alone && first };
  const open = sighted.open && coreOf(evidence, to[row] as number, [], sighted.open);
  const working = workingCore(evidence, to[row] as number, sighted);
  return { workFrom, own: first, ...(open && { open }), ...(working && { working }) };
}

function workingCore(evidence: Evidence, accepted: number, sighted: Sighted): Core | undefined {
  const { processing, processingBy, streamedBy, queued } = sighted;
  if (!processing || !processingBy) return undefined;
  // It waited again: then it was not in process throughout.
  if (queued && waitedUntil(sighted) === undefined) return undefined;
  const since = (at: number) => Math.max(accepted, evidence.timeline.at(at));
  // The stream's word needs no exchange to be named; where it came too late, the first poll's stands.
  const streamed = streamedBy === undefined ? undefined : coreOf(evidence, since(streamedBy), [], processing);
  return streamed ?? coreOf(evidence, since(processingBy.at), [processingBy.row], processing);
}

function coreOf({ timeline }: Evidence, from: number, polls: readonly number[], last: SightingPoll): Core | undefined {
  const to = timeline.at(last.at);
  if (to <= from) return undefined;
  return { from, to, polls: polls.includes(last.row) ? polls : [...polls, last.row] };
}

/** Run time of the last poll that saw it wait; absent when none did, or when it was in process before. */
function waitedUntil(sighted: Sighted | undefined): number | undefined {
  if (!sighted?.queued) return undefined;
  const begun = Math.min(
    sighted.processingBy?.at ?? Number.POSITIVE_INFINITY,
    sighted.streamedBy ?? Number.POSITIVE_INFINITY,
  );
  return sighted.queued.at < begun ? sighted.queued.at : undefined;
}
