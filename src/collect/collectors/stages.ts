import type { Micros } from '../../base/index.ts';
import type { Exchange, JournalRecord, StreamRecord, Turn } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import type { Backlog } from '../stages/fell-behind.ts';
import { StageBacklogs } from '../stages/stage-backlog.ts';
import { StageTally } from '../stages/stage-tally.ts';
import type { RunFacts, StageSummary } from '../summary.ts';

const isEnd = ({ event }: StreamRecord): boolean => event === 'completed' || event === 'failed';

/** The result of each stage of the plan; empty if there is only one. */
export class StagesCollector implements Collector<readonly StageSummary[]> {
  readonly #context: RunContext;
  /** By index of the stage. */
  readonly #tallies = new Map<number, StageTally>();
  readonly #backlogs: StageBacklogs;
  /** By turn, how late the event that showed its end may have been read, µs; only if it was late. */
  readonly #seenLateUs = new Map<string, number>();

  constructor(context: RunContext) {
    this.#context = context;
    this.#backlogs = new StageBacklogs(context);
  }

  add(record: JournalRecord): void {
    const context = this.#context;
    if (context.stages.length === 0) return;
    if (record.kind === 'exchange') this.#addExchange(record, this.#backlogs.add(record));
    if (record.kind === 'stream' && record.readLateUs !== undefined && isEnd(record))
      this.#seenLateUs.set(record.turn, record.readLateUs);
    if (record.kind === 'journey' && record.outcome === 'completed')
      this.#endedAt(record.endedAt)?.addEnded('journeys');
    if (record.kind === 'journey' && !context.isWarmUpJourney(record))
      this.#of(context.stageOfJourney(record)).journeys.add(record.outcome);
    if (record.kind === 'drop' && !context.isWarmUp(record.intendedAt))
      this.#of(context.stageAt(record.intendedAt)).dropped += record.count ?? 1;
  }

  #addExchange(exchange: Exchange, due: Micros): void {
    const context = this.#context;
    const { intendedAt, receivedAt } = exchange;
    if (context.classOf(exchange) === 'success') this.#endedAt(receivedAt)?.addEnded('successes');
    if (context.isWarmUp(intendedAt)) return;
    const index = context.stageAt(intendedAt);
    this.#of(index).addExchange(exchange, due, context, context.stages[index]?.toUs ?? intendedAt);
  }

  merge(other: StagesCollector): void {
    for (const [index, tally] of other.#tallies) this.#of(index).merge(tally);
    this.#backlogs.merge(other.#backlogs);
    for (const [turn, lateUs] of other.#seenLateUs) this.#seenLateUs.set(turn, lateUs);
  }

  /** Without turns, which need many records, and as if the run had the planned length. */
  part(): readonly StageSummary[] {
    return this.summaries([], { durationUs: Number.MAX_SAFE_INTEGER as Micros, complete: true });
  }

  /** @param turns those of the warm-up left out */
  summaries(
    turns: readonly Turn[],
    { durationUs, complete, incompleteBecause }: Pick<RunFacts, 'durationUs' | 'complete' | 'incompleteBecause'>,
  ): StageSummary[] {
    const { stages, header } = this.#context;
    const turnsOf = this.#byStage(turns);
    const backlogs = this.#backlogs.all();
    const ofTurns = this.#turnsBacklogs(turns);
    return stages.map((stage, index) => {
      const from = Math.max(stage.fromUs, header?.warmUpUs ?? 0);
      // An incomplete run measured a stage only up to its end.
      const to = complete ? stage.toUs : Math.min(stage.toUs, durationUs);
      const tally = this.#tallies.get(index) ?? new StageTally();
      const backlog = { requests: backlogs[index] as Backlog, turns: ofTurns[index] as Backlog };
      return tally.summary(stage, turnsOf.get(index) ?? [], backlog, {
        measuredUs: Math.max(0, to - from) as Micros,
        isWhole: complete || durationUs >= stage.toUs,
        isPassed: incompleteBecause !== 'no-end' || backlog.requests.isPassed,
      });
    });
  }

  #turnsBacklogs(turns: readonly Turn[]): Backlog[] {
    const backlogs = new StageBacklogs(this.#context);
    for (const turn of turns) backlogs.addTurn(turn, this.#seenLateUs.get(turn.id) ?? 0);
    return backlogs.all();
  }

  #byStage(turns: readonly Turn[]): ReadonlyMap<number, readonly Turn[]> {
    const byStage = new Map<number, Turn[]>();
    for (const turn of turns) {
      if (!turn.acceptance) continue;
      const index = this.#context.stageAt(turn.acceptance.intendedAt);
      const others = byStage.get(index);
      if (others) others.push(turn);
      else byStage.set(index, [turn]);
    }
    return byStage;
  }

  /** The stage in whose measured time something ended; none in the warm-up and after the planned end. */
  #endedAt(at: Micros): StageTally | undefined {
    const index = this.#context.stageAt(at);
    return this.#context.isWarmUp(at) || at >= (this.#context.stages[index]?.toUs ?? at) ? undefined : this.#of(index);
  }

  #of(index: number): StageTally {
    let tally = this.#tallies.get(index);
    if (!tally) {
      tally = new StageTally();
      this.#tallies.set(index, tally);
    }
    return tally;
  }
}
