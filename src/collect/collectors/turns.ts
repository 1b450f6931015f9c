import { type Micros, microsFromMillis } from '../../base/index.ts';
import { type JournalRecord, type Turn, TurnLedger } from '../../history/index.ts';
import type { Collector, MetricHistogram } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { MicrosHistogram } from '../histograms/histogram.ts';
import { slotsOf } from '../service/scope.ts';
import type { Distribution, OpenTurns, Summary, TurnSummary } from '../summary.ts';
import { fullestOpen, mostOpenOfOne, openTurns } from '../turns/open-turns.ts';
import { type Completion, completionOf, latencyReportedAt, sinceAcceptance } from '../turns/turn-times.ts';
import { UnlistedWords } from './unlisted-words.ts';

type Part = Pick<Summary, 'turns'>;

/** Turns: how long until they were seen complete, by which way, and how many were in process at once. */
export class TurnsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #unlisted: UnlistedWords;
  #brokenStreams = 0;
  #ledger: TurnLedger | undefined;
  /** Of the records so far; absent until somebody asks. */
  #known: readonly Turn[] | undefined;

  constructor(context: RunContext) {
    this.#context = context;
    this.#unlisted = new UnlistedWords(context);
  }

  add(record: JournalRecord): void {
    if (record.kind !== 'exchange' && record.kind !== 'stream') return;
    this.#known = undefined;
    this.#ledgerNow().add(record);
    this.#unlisted.add(record);
    if (record.kind === 'stream' && record.reason === 'dropped' && !this.#context.isWarmUp(record.at))
      this.#brokenStreams += 1;
  }

  merge(other: TurnsCollector): void {
    this.#known = undefined;
    if (other.#ledger) this.#ledgerNow().merge(other.#ledger);
    this.#unlisted.merge(other.#unlisted);
    this.#brokenStreams += other.#brokenStreams;
  }

  /** All turns, those of the warm-up included. */
  all(): readonly Turn[] {
    this.#known ??= this.#ledger?.turns() ?? [];
    return this.#known;
  }

  isWarmUp(turn: Turn): boolean {
    return turn.acceptance !== undefined && this.#context.isWarmUp(turn.acceptance.intendedAt);
  }

  part(): Part {
    const turns = this.#measured();
    const count = (state: Turn['state']) => turns.filter((turn) => turn.state === state).length;
    const filled = Object.entries(timesOf(turns)).flatMap(([name, histogram]) => {
      const distribution = histogram.distribution();
      return distribution ? [[name, distribution] as const] : [];
    });
    const { shortest, longest, ...times } = Object.fromEntries(filled) as Partial<Record<TurnTime, Distribution>>;
    const summary: TurnSummary = {
      accepted: turns.filter((turn) => turn.acceptance).length,
      completed: count('completed'),
      failed: count('failed'),
      unfinished: count('unfinished'),
      regressed: turns.filter((turn) => turn.regressed).length,
      polls: turns.reduce((sum, turn) => sum + turn.polls, 0),
      ...times,
      ...(shortest && longest && { completionBounds: { shortest, longest } }),
      open: this.#open(),
      ...(this.#brokenStreams > 0 && { brokenStreams: this.#brokenStreams }),
      ...this.#unlisted.part(),
    };
    return { turns: summary };
  }

  histograms(): MetricHistogram[] {
    const times = timesOf(this.#measured());
    return [
      { metric: 'turn_completion', tags: { by: 'stream', bound: 'observed' }, histogram: times.completionByStream },
      { metric: 'turn_completion', tags: { by: 'poll', bound: 'observed' }, histogram: times.completionByPoll },
      { metric: 'turn_completion', tags: { by: 'message', bound: 'observed' }, histogram: times.completionByMessage },
      { metric: 'turn_completion', tags: { by: 'poll', bound: 'shortest' }, histogram: times.shortest },
      { metric: 'turn_completion', tags: { by: 'poll', bound: 'longest' }, histogram: times.longest },
      { metric: 'turn_first_event', tags: {}, histogram: times.firstEvent },
      { metric: 'turn_first_delta', tags: {}, histogram: times.firstDelta },
      { metric: 'turn_poll_lag', tags: {}, histogram: times.pollAfterStream },
      { metric: 'turn_server_latency', tags: {}, histogram: times.serverLatency },
    ];
  }

  #open(): OpenTurns {
    const { header, words } = this.#context;
    const from = header?.warmUpUs ?? (0 as Micros);
    const turns = this.all();
    return {
      ...openTurns(turns, from),
      ...fullestOpen(turns, from, (turn) => slotsOf(turn, words.scopes.concurrency)),
    };
  }

  /** See `mostOpenOfOne`; `undefined` if no turn was accepted after the warm-up. */
  mostOpenOfOne(): Pick<OpenTurns, 'maxCertain' | 'maxPossible'> | undefined {
    const { header, words } = this.#context;
    if (!this.#measured().some((turn) => turn.acceptance)) return undefined;
    const from = header?.warmUpUs ?? (0 as Micros);
    return mostOpenOfOne(this.all(), from, (turn) => slotsOf(turn, words.scopes.concurrency));
  }

  #measured(): Turn[] {
    return this.all().filter((turn) => !this.isWarmUp(turn));
  }

  /** Created with the first record that may concern a turn, because the header says what statuses mean. */
  #ledgerNow(): TurnLedger {
    this.#ledger ??= new TurnLedger(this.#context.words.turns);
    return this.#ledger;
  }
}

type TurnTime =
  | 'completion'
  | 'completionByStream'
  | 'completionByPoll'
  | 'completionByMessage'
  | 'shortest'
  | 'longest'
  | 'firstEvent'
  | 'firstDelta'
  | 'pollAfterStream'
  | 'serverLatency';

function timesOf(turns: readonly Turn[]): Record<TurnTime, MicrosHistogram> {
  const times: Record<TurnTime, MicrosHistogram> = {
    completion: new MicrosHistogram(),
    completionByStream: new MicrosHistogram(),
    completionByPoll: new MicrosHistogram(),
    completionByMessage: new MicrosHistogram(),
    shortest: new MicrosHistogram(),
    longest: new MicrosHistogram(),
    firstEvent: new MicrosHistogram(),
    firstDelta: new MicrosHistogram(),
    pollAfterStream: new MicrosHistogram(),
    serverLatency: new MicrosHistogram(),
  };
  for (const turn of turns) recordTurn(times, turn);
  return times;
}

function recordTurn(times: Record<TurnTime, MicrosHistogram>, turn: Turn): void {
  const { firstEventAt, firstDeltaAt, latencyMs } = turn;
  const [toEvent, toDelta] = [sinceAcceptance(turn, firstEventAt), sinceAcceptance(turn, firstDeltaAt)];
  if (toEvent !== undefined) times.firstEvent.record(toEvent, firstEventAt);
  if (toDelta !== undefined) times.firstDelta.record(toDelta, firstDeltaAt);
  if (latencyMs !== undefined) times.serverLatency.record(microsFromMillis(latencyMs), latencyReportedAt(turn));
  if (turn.state === 'completed') recordCompletion(times, turn);
}

const byWay = {
  stream: 'completionByStream',
  poll: 'completionByPoll',
  message: 'completionByMessage',
} as const satisfies Record<Completion['by'], TurnTime>;

function recordCompletion(times: Record<TurnTime, MicrosHistogram>, turn: Turn): void {
  const { seenByPollAt, seenByStreamAt } = turn;
  if (seenByPollAt !== undefined && seenByStreamAt !== undefined)
    times.pollAfterStream.record(seenByPollAt - seenByStreamAt, seenByPollAt);
  const completion = completionOf(turn);
  if (!completion) return;
  const { by, at, observedUs, bounds } = completion;
  times.completion.record(observedUs, at);
  times[byWay[by]].record(observedUs, at);
  if (!bounds) return;
  times.shortest.record(bounds.shortestUs, at);
  times.longest.record(bounds.longestUs, at);
}
