import { operationIds } from '../../api/index.ts';
import { limitBit } from '../evidence/attribution.ts';
import { wordsThat } from '../evidence/columns.ts';
import { Answer, type Evidence, mayBeTaken } from '../evidence/evidence.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import type { Sighted, SightingPoll } from '../evidence/turn-times.ts';
import { MessageTurns } from './message-turns.ts';

/**
 * How the messages sent may have occupied slots, for any scope: one position each, rising in `from`. Times are service µs since
 * run time 0.
 */
export interface Occupations {
  readonly row: Uint32Array;
  readonly until: Float64Array;
  readonly workFrom: Float64Array;
  /** 1: it certainly became its own turn, in this bucket for every scope. */
  readonly own: Uint8Array;
  readonly open: CoreColumns;
  readonly working: CoreColumns;
}

/** When a slot was certainly taken; NaN if unknown. */
export interface CoreColumns {
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** 1 + the rows of the polls that prove it: for its begin, if that needs a poll, and for its end. */
  readonly begun: Uint32Array;
  readonly seen: Uint32Array;
}

const sendMessage = operationIds.indexOf('sendMessage');

export const occupationsOf = rememberedFor((evidence: Evidence): Occupations => {
  const row = wordsThat(evidence.order, (one) => evidence.operation[one] === sendMessage);
  const turns = new MessageTurns(evidence, row);
  const size = row.length;
  const [until, workFrom, own] = [new Float64Array(size), new Float64Array(size), new Uint8Array(size)];
  const occupations = { row, until, workFrom, own, open: coreColumns(size), working: coreColumns(size) };
  for (let i = 0; i < size; i++) occupy(occupations, i, evidence, turns);
  return occupations;
});

const coreColumns = (size: number): CoreColumns => ({
  from: new Float64Array(size).fill(Number.NaN),
  to: new Float64Array(size),
  begun: new Uint32Array(size),
  seen: new Uint32Array(size),
});

function occupy(into: Occupations, i: number, evidence: Evidence, turns: MessageTurns): void {
  const row = into.row[i] as number;
  into.until[i] = heldUntil(evidence, row, turns);
  into.workFrom[i] = evidence.from[row] as number;
  if (evidence.answer[row] === Answer.admitted && turns.namesFirst(row)) see(into, i, evidence, turns);
}

function heldUntil(evidence: Evidence, row: number, turns: MessageTurns): number {
  const to = evidence.to[row] as number;
  const answer = evidence.answer[row] as Answer;
  if (answer === Answer.refused)
    return evidence.refusedBy[row] === limitBit.concurrency ? Number.NEGATIVE_INFINITY : to;
  if (!mayBeTaken(evidence, row)) return to;
  if (answer === Answer.maybe) return Math.max(to, turns.heldUntil(row));
  if (turns.of(row) === 0) return Number.POSITIVE_INFINITY;
  // This answer is the second to name the turn: the first attempt took the slot, whichever of them made the turn, unless it is
  // another attempt's, or another message's of the same id.
  const mayBeItsOwn =
    turns.namesFirst(row) || turns.isSpread(row) || evidence.sameId.has(evidence.message[row] as number);
  return mayBeItsOwn ? Math.max(to, turns.heldUntil(row)) : to;
}

/** Adds what was seen of its turn while it was in process. */
function see(into: Occupations, i: number, evidence: Evidence, turns: MessageTurns): void {
  const row = into.row[i] as number;
  const sighted = evidence.turns.sighted(turns.of(row));
  const waited = waitedUntil(sighted, evidence);
  const workFrom = waited === undefined ? Number.NEGATIVE_INFINITY : evidence.timeline.at(waited);
  // Another attempt holds the slot until the end of the turn; this one may have held it only while it was under way.
  if (workFrom > (into.workFrom[i] as number) && workFrom <= (into.until[i] as number)) into.workFrom[i] = workFrom;
  const { alone, first } = turns.standing(row);
  into.own[i] = alone && first ? 1 : 0;
  if (!alone || !sighted) return;
  const accepted = evidence.to[row] as number;
  const open = sighted.open && coreOf({ from: accepted, seen: sighted.open }, evidence);
  if (open) setCore(into.open, i, open);
  const working = workingCore(accepted, sighted, evidence);
  if (working) setCore(into.working, i, working);
}

/** What shows that a slot was taken. */
interface Showing {
  /** From when on, service time. */
  readonly from: number;
  /** The poll that shows that; absent if none is needed. */
  readonly begun?: SightingPoll;
  /** The poll that shows that it was still taken. */
  readonly seen: SightingPoll;
}

interface Core extends Showing {
  readonly to: number;
}

/** `undefined` if there is no time between the two. */
function coreOf(showing: Showing, { timeline }: Evidence): Core | undefined {
  const to = timeline.at(showing.seen.at);
  return to > showing.from ? { to, ...showing } : undefined;
}

function workingCore(accepted: number, sighted: Sighted, evidence: Evidence): Core | undefined {
  const { processing: seen, processingBy: begun, streamedBy, streamedWaitingBy } = sighted;
  if (!seen || !begun) return undefined;
  if (wasPolledAgain(sighted, evidence)) return undefined;
  const since = (at: number) => Math.max(accepted, evidence.timeline.at(at));
  const isStreamed = streamedBy !== undefined && streamedWaitingBy < streamedBy;
  // A stream event needs no exchange as proof. If it came too late, the first poll is used.
  const streamed = isStreamed ? coreOf({ from: since(streamedBy), seen }, evidence) : undefined;
  if (streamed || wasStreamedAgain(sighted)) return streamed;
  return coreOf({ from: since(begun.at), begun, seen }, evidence);
}

function setCore(into: CoreColumns, i: number, { from, to, begun, seen }: Core): void {
  into.from[i] = from;
  into.to[i] = to;
  into.begun[i] = begun && begun.row !== seen.row ? begun.row + 1 : 0;
  into.seen[i] = seen.row + 1;
}

/**
 * Run time until which it certainly waited, from the last poll that saw it waiting. Absent if there is none, or if it may have waited
 * again: if it was seen before with a status with which it may be in process.
 */
function waitedUntil(sighted: Sighted | undefined, evidence: Evidence): number | undefined {
  if (!sighted?.queued || wasPolledAgain(sighted, evidence) || wasStreamedAgain(sighted)) return undefined;
  return (evidence.sentAt[sighted.queued.row] as number) >= sighted.mayWorkBy ? undefined : sighted.queued.at;
}

/**
 * Whether it had been seen in process before a poll was sent that may have seen it waiting: then it was not in process throughout,
 * unless that poll is stale.
 */
const wasPolledAgain = (sighted: Sighted, { sentAt }: Evidence): boolean =>
  sighted.mayWait !== undefined && (sentAt[sighted.mayWait.row] as number) >= seenWorkingBy(sighted);

/** The same of its stream, which may have told it late. */
const wasStreamedAgain = (sighted: Sighted): boolean => sighted.streamedWaitingBy >= seenWorkingBy(sighted);

/** Run time by which it had been seen in process; ∞ if nobody saw that. */
const seenWorkingBy = ({ processingBy, streamedBy = Number.POSITIVE_INFINITY }: Sighted): number =>
  Math.min(processingBy?.at ?? Number.POSITIVE_INFINITY, streamedBy);
