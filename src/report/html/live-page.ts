import { type Measurements, measure, type Summary } from '../../collect/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { Judged } from '../judged.ts';
import type { LiveState } from '../terminal/live-state.ts';
import { answerSection } from './answer.ts';
import { contentSecurityPolicy, pageText } from './document.ts';
import { liveAnswer, liveFragments } from './live-answer.ts';
import { html, type Markup } from './markup.ts';
import type { LiveMessage } from './page-data.ts';
import { PictureFold } from './picture-fold.ts';
import { footerOf, runLine } from './report-page.ts';
import { leftOutText, type PictureSection, pictureMarkup, pictureSections } from './sections.ts';
import { stagesSection } from './stages.ts';

/** Maximum of individually drawn exchanges on the live page, which is redrawn every second. */
const MOST_LIVE_MARKS = 20_000;
/** Charts that are SVG markup; page/ draws the others. */
const DRAWN_AS_MARKUP = ['latency', 'completion'];

/** What is known of a run before it begins. */
interface LiveRun {
  readonly scenario: string;
  /** The run's folder, in which the report will be. */
  readonly folder: string;
  /** Unique for the run, so that its page does not take data of a later run for its own. */
  readonly id: string;
}

/** The initial live page and its Content-Security-Policy header, which includes frame-ancestors because a meta element cannot. */
export function livePage({ scenario, folder, id }: LiveRun): { readonly text: string; readonly policy: string } {
  const measured = measure();
  const fold = new PictureFold({ mostMarks: MOST_LIVE_MARKS });
  const { data, drawn } = fold.data(measured);
  const sections = pictureSections(measured, drawn, true);
  const text = pageText({
    title: `${scenario} · Spillway, live`,
    header: html`<p class="run" id="run-line"><b>${scenario}</b></p><p class="unseen" id="live-told" role="status"></p>`,
    contents: [{ id: 'answer', title: 'Now' }, ...sections],
    main: html`<section id="answer">${liveAnswer(scenario, folder)}</section>
<div id="stage-results"></div>
${sections.map(pictureMarkup)}`,
    footer: html`<div id="footer"><p>This page is served on this machine during the run.</p></div>`,
    data: { ...data, live: id },
    live: true,
  });
  return { text, policy: `${contentSecurityPolicy(true)}; frame-ancestors 'none'` };
}

/** State of the live page. It is fed every record and produces update messages. */
export class LivePage {
  readonly #fold: PictureFold;
  readonly #measured: Measurements = measure();
  readonly #judged: Judged | undefined;
  #hasRecords = false;
  #sent: Readonly<Record<string, string>> = {};

  /** @param judged only after the run; then the answer is that of the report, and proofs are drawn */
  constructor(judged?: Judged) {
    this.#judged = judged;
    this.#fold = new PictureFold({ document: judged?.document, mostMarks: MOST_LIVE_MARKS });
  }

  add(record: JournalRecord): void {
    this.#hasRecords = true;
    this.#fold.add(record);
    this.#measured.add(record);
  }

  /** The changes since the last call, for pages that are up to date until then. @param state absent after the run */
  news(state: LiveState | undefined): LiveMessage {
    const { fragments, pictures } = this.#now(state);
    const changed = Object.entries(fragments).filter(([id, text]) => this.#sent[id] !== text);
    this.#sent = fragments;
    return { fragments: Object.fromEntries(changed), pictures, marks: this.#fold.marks.takeNew() };
  }

  /** All numbers so far; undefined before the first record. */
  summary(): Summary | undefined {
    return this.#hasRecords ? this.#measured.summary() : undefined;
  }

  /** The full state, for a new page. Does not affect the next `news`. */
  whole(state: LiveState | undefined): LiveMessage {
    return { ...this.#now(state), marks: { from: 0, added: this.#fold.marks.marks(), kindsFrom: 0, usersFrom: 0 } };
  }

  #now(state: LiveState | undefined): Pick<LiveMessage, 'fragments' | 'pictures'> {
    const drawn = this.#fold.drawn(this.#measured);
    const summary = this.#measured.summary();
    const parts: Record<string, Markup> = {
      ...(summary.run.exchanges > 0 && {
        'run-line': runLine(summary, drawn.clockRate),
        footer: footerOf(summary, state !== undefined),
      }),
      ...(state && liveFragments(state, summary.run.warmUpUs > 0)),
      ...(this.#judged && {
        title: html`${summary.run.scenario} · Spillway report`,
        'to-answer': html`Answer`,
        answer: answerSection({ summary, judged: this.#judged, notJudged: '', clockRate: drawn.clockRate }),
        'stage-results': html`${stagesSection(summary)}`,
      }),
    };
    for (const section of pictureSections(this.#measured, drawn, true)) Object.assign(parts, sectionParts(section));
    // Time passes even if nothing is recorded.
    const durationUs = Math.max(drawn.pictures.durationUs, state?.elapsedUs ?? 0);
    return {
      fragments: Object.fromEntries(Object.entries(parts).map(([id, markup]) => [id, markup.text])),
      pictures: { ...drawn.pictures, durationUs },
    };
  }
}

const sectionParts = ({ id, intro, picture, leftOut, tables }: PictureSection): Record<string, Markup> => ({
  [`${id}-intro`]: html`${intro}`,
  [`${id}-left-out`]: html`${leftOutText(leftOut)}`,
  [`${id}-tables`]: tables,
  ...(DRAWN_AS_MARKUP.includes(id) && { [`${id}-picture`]: picture }),
});
