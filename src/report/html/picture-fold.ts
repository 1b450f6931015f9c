import { inertText } from '../../base/index.ts';
import type { ExchangeRef } from '../../check/index.ts';
import { type Measurements, RunContext } from '../../collect/index.ts';
import type { Exchange, Header, JournalRecord, StageRecord } from '../../history/index.ts';
import type { VerdictsDocument } from '../verdicts-json.ts';
import { GeneratorGatherer } from './gather/generator.ts';
import { HeatGatherer } from './gather/heat.ts';
import { MarkGatherer } from './gather/marks.ts';
import { Thinned } from './gather/thinned.ts';
import { WindowGatherer } from './gather/windows.ts';
import type { LivePictures, PageData } from './page-data.ts';
import { bracketOf, certificatesOf, namedBy } from './pictures/brackets.ts';
import { lanesOf } from './pictures/lanes.ts';
import { quotaOf } from './pictures/quota.ts';

/** By chart: sentences about what was left out; empty if nothing was. */
export type LeftOut = Readonly<Record<'marks' | 'windows' | 'lanes' | 'quota' | 'generator', readonly string[]>>;

/** The charts and the facts for their captions. */
export interface Drawn {
  readonly pictures: LivePictures;
  readonly leftOut: LeftOut;
  /** Service seconds per run second, at the start of the run. */
  readonly clockRate: number;
}

const stageMark = ({ fromUs, name }: StageRecord) => ({ fromUs, name: inertText(name, 40) });

const MOST_QUOTA_REFUSALS = 5_000;

interface PictureFoldOptions {
  /** The verdicts, whose proofs are drawn; absent during the run. */
  readonly document?: VerdictsDocument | undefined;
  /** Maximum number of individually drawn exchanges. */
  readonly mostMarks: number;
}

/** Collects the data of the charts record by record, live or from disk, in bounded memory. */
export class PictureFold {
  readonly context = new RunContext();
  readonly marks: MarkGatherer;
  readonly #document: VerdictsDocument | undefined;
  readonly #named: ReadonlySet<ExchangeRef>;
  readonly #windows = new WindowGatherer(this.context);
  readonly #heat = new HeatGatherer();
  readonly #generator = new GeneratorGatherer();
  readonly #quotaRefusals = new Thinned<number>();

  constructor({ document, mostMarks }: PictureFoldOptions) {
    this.#document = document;
    this.#named = namedBy(document === undefined ? [] : certificatesOf(document));
    this.marks = new MarkGatherer(this.context, mostMarks, this.#named);
  }

  add(record: JournalRecord): void {
    this.context.add(record);
    if (record.kind === 'health') this.#generator.add(record);
    if (record.kind === 'exchange') this.#addExchange(record);
  }

  /** The data of all charts. @param measured must have been fed the same records */
  data(measured: Measurements): { readonly data: PageData; readonly drawn: Drawn } {
    // The exchanges first: `marks()` may thin them further, which `leftOut` then mentions.
    const marks = this.marks.marks();
    const drawn = this.drawn(measured);
    return { data: { ...drawn.pictures, marks }, drawn };
  }

  /** Like `data`, without the exchanges. */
  drawn(measured: Measurements): Drawn {
    const { header } = this.context;
    const { run } = measured.summary();
    const lanes = header && this.#lanes(measured, header);
    const quota = header && this.#quota(measured, header);
    const windows = this.#windows.windows();
    return {
      pictures: {
        durationUs: run.durationUs,
        warmUpUs: run.warmUpUs,
        ...(header?.stages && { stages: header.stages.map(stageMark) }),
        brackets: (this.#document === undefined ? [] : certificatesOf(this.#document)).map(bracketOf),
        ...(windows && windows !== 'too many' && { windows }),
        ...(lanes && { lanes: lanes.lanes }),
        ...(quota && { quota: quota.quota }),
        heat: this.#heat.map(),
        generator: this.#generator.series(),
      },
      leftOut: {
        marks: this.marks.thinning(),
        windows: windows === 'too many' ? ['the windows are too many to draw'] : [],
        lanes: lanes?.leftOut ?? [],
        quota: quota?.leftOut ?? [],
        generator:
          this.#generator.perPoint > 1 ? [`each point is the worst of ${this.#generator.perPoint} seconds`] : [],
      },
      clockRate: this.context.clock.rate,
    };
  }

  #lanes(measured: Measurements, { limits }: Header) {
    const { scopes } = this.context.words;
    const slots = { max: limits.concurrency.max, scope: scopes.concurrency, named: this.#named };
    return lanesOf(measured.observedTurns(), slots);
  }

  #quota(measured: Measurements, { limits }: Header) {
    const { context } = this;
    const facts = { max: limits.daily.max, scope: context.words.scopes.daily, refused: this.#quotaRefusals, context };
    return quotaOf(measured.acceptedMessages(), facts);
  }

  #addExchange(exchange: Exchange): void {
    this.marks.add(exchange);
    this.#windows.add(exchange);
    const outcome = this.context.classOf(exchange);
    if (outcome === 'success') this.#heat.add(exchange);
    if (outcome === 'refused' && this.context.limitOf(exchange) === 'daily') this.#quotaRefusals.add(exchange.sentAt);
    if (this.#quotaRefusals.items.length > MOST_QUOTA_REFUSALS) this.#quotaRefusals.halve();
  }
}
