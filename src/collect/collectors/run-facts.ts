import type { Micros } from '../../base/index.ts';
import { type EndRecord, type JournalRecord, Sequences, type StreamRecord } from '../../history/index.ts';
import type { Collector } from '../collector.ts';
import type { RunContext } from '../context.ts';
import { DistinctCount } from '../distinct-count.ts';
import { hasOwnSpeed } from '../service/service-clock.ts';
import { type DeclaredLimits, plannedEnds, type RunFacts } from '../summary.ts';

type Part = {
  readonly run: Omit<RunFacts, 'warmUp'> & { readonly warmUp: { readonly exchanges: number } };
  readonly limits?: DeclaredLimits;
};

/** What was run, for how long, and how much of it is recorded. */
export class RunFactsCollector implements Collector<Part> {
  readonly #context: RunContext;
  readonly #sequences = new Sequences();
  readonly #ends: EndRecord[] = [];
  #lastInstant = 0;
  /** Used for a history without an end record. Indices may have gaps, because loops number their iterations in turn. */
  readonly #arrivals = new DistinctCount();
  #arrivalsLeftOver = 0;
  #exchanges = 0;
  #warmUpExchanges = 0;
  #streamRecords = 0;
  #streamsOpened = 0;
  #journeys = 0;
  #drops = 0;

  constructor(context: RunContext) {
    this.#context = context;
  }

  add(record: JournalRecord): void {
    this.#sequences.add(record);
    this.#lastInstant = Math.max(this.#lastInstant, instantOf(record));
    this.#addArrival(record);
    if (record.kind === 'end') this.#ends.push(record);
    if (record.kind === 'journey') this.#journeys += 1;
    if (record.kind === 'drop') this.#drops += record.count ?? 1;
    if (record.kind === 'stream') this.#addStream(record);
    if (record.kind !== 'exchange') return;
    this.#exchanges += 1;
    if (this.#context.isWarmUp(record.intendedAt)) this.#warmUpExchanges += 1;
  }

  merge(other: RunFactsCollector): void {
    this.#sequences.merge(other.#sequences);
    this.#ends.push(...other.#ends);
    this.#lastInstant = Math.max(this.#lastInstant, other.#lastInstant);
    this.#arrivals.merge(other.#arrivals);
    this.#arrivalsLeftOver += other.#arrivalsLeftOver;
    this.#exchanges += other.#exchanges;
    this.#warmUpExchanges += other.#warmUpExchanges;
    this.#streamRecords += other.#streamRecords;
    this.#streamsOpened += other.#streamsOpened;
    this.#journeys += other.#journeys;
    this.#drops += other.#drops;
  }

  part(): Part {
    const { header } = this.#context;
    const because = this.#incompleteBecause();
    const { name: target, baseUrl: address } = this.#context.words;
    const { clock } = this.#context;
    const arrivals = this.#ends.reduce((sum, end) => sum + end.arrivals, 0);
    return {
      run: {
        runId: header?.runId ?? '',
        scenario: header?.scenario ?? '',
        seed: header?.seed ?? 0,
        startedAt: header?.startedAt ?? '',
        tool: header?.tool ?? '',
        node: header?.node ?? '',
        ...(target !== undefined && { target }),
        ...(address !== undefined && { address }),
        durationUs: (this.#ends.length > 0
          ? Math.max(...this.#ends.map((end) => end.at))
          : this.#lastInstant) as Micros,
        warmUpUs: header?.warmUpUs ?? (0 as Micros),
        complete: because === undefined,
        ...(because !== undefined && { incompleteBecause: because }),
        arrivals: this.#ends.length > 0 ? arrivals : this.#arrivals.size + this.#arrivalsLeftOver,
        exchanges: this.#exchanges,
        warmUp: { exchanges: this.#warmUpExchanges },
        streamRecords: this.#streamRecords,
        inFlightAtEnd: this.#sequences.inFlight(),
        missingSeq: this.#sequences.missing(),
        serviceClock: clock.recorded ? 'recorded' : 'assumed',
        ...(hasOwnSpeed(clock.rate) && { clockRate: clock.rate }),
      },
      ...(header && { limits: declared(header.limits) }),
    };
  }

  #addStream({ event }: StreamRecord): void {
    this.#streamRecords += 1;
    if (event === 'opened') this.#streamsOpened += 1;
  }

  #addArrival(record: JournalRecord): void {
    // An arrival left over at the run's end has only its drop record.
    if (record.kind === 'drop' && record.count !== undefined) this.#arrivalsLeftOver += record.count;
    else if (record.kind === 'exchange' || record.kind === 'journey' || record.kind === 'drop')
      this.#arrivals.add(record.arrival);
  }

  #incompleteBecause(): string | undefined {
    if (this.#ends.length === 0) return 'no-end';
    const incomplete = this.#ends.find((end) => !end.complete);
    const reason = incomplete && (incomplete.reason ?? 'unknown');
    if (reason !== undefined && !plannedEnds.has(reason)) return reason;
    return this.#linesBecause() ?? reason;
  }

  /** How the lines differ from what the ends have counted. */
  #linesBecause(): 'lines-lost' | 'lines-doubled' | undefined {
    if (this.#sequences.ended() < this.#exchanges) return 'lines-doubled';
    // The judge believes the numbers, too, whatever the end has counted.
    if (this.#sequences.missing() > 0) return 'lines-lost';
    const counted = (of: (end: EndRecord) => number) => this.#ends.reduce((sum, end) => sum + of(end), 0);
    const differences = [this.#exchanges - counted(({ exchanges }) => exchanges)];
    // A history without any arrival was reduced to what its service did, as those of the judge's corpus: with its streams or without.
    const hasArrivals = this.#journeys + this.#drops > 0;
    if (hasArrivals)
      differences.push(
        this.#journeys - counted(({ arrivals, drops }) => arrivals - drops),
        this.#drops - counted(({ drops }) => drops),
      );
    if (hasArrivals || this.#streamsOpened > 0)
      differences.push(this.#streamsOpened - counted(({ streams }) => streams));
    if (differences.some((difference) => difference < 0)) return 'lines-lost';
    return differences.some((difference) => difference > 0) ? 'lines-doubled' : undefined;
  }
}

const declared = ({ rate, concurrency, daily }: DeclaredLimits): DeclaredLimits => ({
  rate: { max: rate.max, windowUs: rate.windowUs },
  concurrency: { max: concurrency.max },
  daily: { max: daily.max },
});

/** The last instant in a record. */
function instantOf(record: JournalRecord): number {
  switch (record.kind) {
    case 'header':
      return 0;
    case 'exchange':
      return record.receivedAt;
    case 'drop':
      // Arrivals left over when the run stopped may have been planned for much later.
      return record.reason === 'stopped' ? 0 : record.intendedAt;
    case 'journey':
      return record.endedAt;
    default:
      return record.at;
  }
}
