import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import type { TargetProfile } from '../../api/index.ts';
import { type Micros, monotonicNow } from '../../base/index.ts';
import { followJournal, type JournalRecord } from '../../history/index.ts';
import { type LiveMessage, LivePage, liveMetrics, livePage } from '../../report/index.ts';
import { LiveCounter } from '../live/live-state.ts';
import { invalidBecause } from '../validity.ts';
import { type DashboardEnding, type DashboardOpening, READ_AGAIN_WITHIN_MS, TOLD_WITHIN_MS } from './messages.ts';
import { type LiveServer, serveLive } from './server.ts';

/** Shortest and longest interval between messages. */
const SHORTEST_INTERVAL_MS = 1_000;
const LONGEST_INTERVAL_MS = 3_000;
/** Making messages may take this share of a core; if it takes more, the interval grows. */
const MOST_CPU_SHARE = 0.05;

/** The live page of a run: follows the run's journal as it grows, and tells it to the browsers that watch. */
export class Dashboard {
  readonly #opening: DashboardOpening;
  readonly #tail;
  readonly #page = new LivePage();
  #counter: LiveCounter | undefined;
  #server: LiveServer | undefined;
  #beganUs: number | undefined;
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(opening: DashboardOpening) {
    this.#opening = opening;
    this.#tail = followJournal(opening.journal);
  }

  /** @throws the system's error if the port is not available */
  async open(): Promise<string> {
    const { port, scenario, journal } = this.#opening;
    const run = randomUUID();
    const page = livePage({ scenario, folder: dirname(journal), id: run });
    this.#server = await serveLive({ port, run, page, first: () => this.#first(), metrics: () => this.#metrics() });
    this.#later(SHORTEST_INTERVAL_MS);
    return this.#server.url;
  }

  began(monotonicUs: number): void {
    this.#beganUs = monotonicUs;
  }

  /** Tells it at once, because the last journeys may take minutes to end. */
  stopping(): void {
    this.#isStopping = true;
    this.#read();
    this.#tellNews();
  }

  /** @param ending absent if the run was not judged */
  async end(ending: DashboardEnding | undefined): Promise<void> {
    clearTimeout(this.#timer);
    this.#isStopping = true;
    this.#read();
    const isWatched = (this.#server?.clients ?? 0) > 0;
    const judged = ending !== undefined && isWatched ? this.#judged(ending) : undefined;
    const message = judged ?? this.#page.news(this.#state());
    this.#tail.close();
    const patience = new Promise((done) => setTimeout(done, TOLD_WITHIN_MS));
    await Promise.race([this.#server?.end(lineOf(message)), patience]);
  }

  /** The run as its report shows it; undefined if that takes too long. */
  #judged({ document, gates }: DashboardEnding): LiveMessage | undefined {
    const page = new LivePage({ document, gates: () => gates, invalidBecause });
    const whole = followJournal(this.#opening.journal);
    const until = performance.now() + READ_AGAIN_WITHIN_MS;
    try {
      for (const record of whole.read()) {
        if (performance.now() > until) return undefined;
        page.add(record);
      }
    } finally {
      whole.close();
    }
    return page.whole(undefined);
  }

  #later(ms: number): void {
    this.#timer = setTimeout(() => {
      const before = process.cpuUsage();
      this.#read();
      if ((this.#server?.clients ?? 0) > 0) this.#tellNews();
      const { user, system } = process.cpuUsage(before);
      const neededMs = (user + system) / 1_000 / MOST_CPU_SHARE;
      this.#later(Math.min(LONGEST_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, neededMs)));
    }, ms);
  }

  /** First brings the other pages up to date, so that their next message continues from the same point. */
  #first(): string {
    this.#read();
    this.#tellNews();
    return lineOf(this.#page.whole(this.#state()));
  }

  #metrics(): Promise<string> {
    this.#read();
    return liveMetrics(this.#page.summary(), this.#state());
  }

  #read(): void {
    for (const record of this.#tail.read()) this.#add(record);
  }

  #add(record: JournalRecord): void {
    if (record.kind === 'header') this.#counter = new LiveCounter(this.#opening.plan, profileOf(record.profile));
    this.#counter?.add(record);
    this.#page.add(record);
  }

  #tellNews(): void {
    this.#server?.tell(lineOf(this.#page.news(this.#state())));
  }

  #state() {
    if (this.#beganUs === undefined) return undefined;
    const now = (monotonicNow() - this.#beganUs) as Micros;
    return this.#counter?.state(now, this.#isStopping);
  }
}

/** The resolved profile, in the form of our own journal's header. */
const profileOf = (profile: unknown): TargetProfile => profile as TargetProfile;

/** A server-sent event ends with a line break, which JSON does not contain. */
const lineOf = (message: LiveMessage): string => JSON.stringify(message);
