import { type Measurements, measure } from '../../collect/index.ts';
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

/** Exchanges that are drawn one by one while a run goes on: they are drawn anew every second. */
const MOST_LIVE_MARKS = 20_000;
/** Pictures that are markup; page/ draws the others. */
const DRAWN_AS_MARKUP = ['latency', 'completion'];

/** What is known of a run before it begins. */
export interface LiveRun {
  readonly scenario: string;
  /** Where its report will be. */
  readonly folder: string;
  /** Of this run alone, so that its page does not take the next one's numbers for its own. */
  readonly id: string;
}

/** The page as a server sends it, before anything is known; and the header that goes with it, which no page can give itself. */
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
${sections.map(pictureMarkup)}`,
    footer: html`<div id="footer"><p>This page is served on this machine during the run.</p></div>`,
    data: { ...data, live: id },
    live: true,
  });
  return { text, policy: `${contentSecurityPolicy(true)}; frame-ancestors 'none'` };
}

/** The live page's state: fed with every record, it says what the page must change. */
export class LivePage {
  readonly #fold: PictureFold;
  readonly #measured: Measurements = measure();
  readonly #judged: Judged | undefined;
  #sent: Readonly<Record<string, string>> = {};

  /** @param judged after the run: then the answer is the report's, and proofs are drawn */
  constructor(judged?: Judged) {
    this.#judged = judged;
    this.#fold = new PictureFold({ document: judged?.document, mostMarks: MOST_LIVE_MARKS });
  }

  add(record: JournalRecord): void {
    this.#fold.add(record);
    this.#measured.add(record);
  }

  /** What changed since the last call, for pages that were told everything until then. @param state absent after the run */
  news(state: LiveState | undefined): LiveMessage {
    const { fragments, pictures } = this.#now(state);
    const changed = Object.entries(fragments).filter(([id, text]) => this.#sent[id] !== text);
    this.#sent = fragments;
    return { fragments: Object.fromEntries(changed), pictures, marks: this.#fold.marks.takeNew() };
  }

  /** Everything, for a page that was told nothing yet; what others are told next is not changed by it. */
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
      }),
    };
    for (const section of pictureSections(this.#measured, drawn, true)) Object.assign(parts, sectionParts(section));
    // The clock goes on although nothing is recorded.
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
