import { inertText, listed } from '../base/index.ts';
import {
  failuresIn,
  type Knee,
  type StageState,
  type StageSummary,
  type Summary,
  wasSentLate,
} from '../collect/index.ts';
import { few, formatCount, formatShare, plural } from './formatters.ts';

/** A sign and a word for each state of a stage. */
export const stageWords = {
  held: ['✓', 'held'],
  'gave-in': ['✗', 'gave in'],
  untold: ['?', 'undecided'],
} as const satisfies Readonly<Record<StageState, readonly [string, string]>>;

const PER_MINUTE = { factor: 1, unit: 'min' } as const;
const PER_SECOND = { factor: 1 / 60, unit: 's' } as const;

/** The unit of all rates of these stages; one unit, so that they can be compared. */
function unitOf(stages: readonly StageSummary[]) {
  const rates = stages.map(({ arrivalsPerMinute, perMinute }) => arrivalsPerMinute?.to ?? perMinute?.completedJourneys);
  return Math.max(0, ...rates.map((rate = 0) => rate)) < 120 ? PER_MINUTE : PER_SECOND;
}

/** Formats the planned load and the achieved rate of stages. */
export class StageTexts {
  readonly #unit: typeof PER_MINUTE | typeof PER_SECOND;

  constructor(stages: readonly StageSummary[]) {
    this.#unit = unitOf(stages);
  }

  /** The planned load: `30/min`, `10 to 20/min`, `5 users`; empty if unknown. */
  planned({ arrivalsPerMinute, users }: StageSummary): string {
    const rate = arrivalsPerMinute && `${this.#change(arrivalsPerMinute, this.#unit.factor)}/${this.#unit.unit}`;
    const people = users && `${this.#change(users)} ${users.to === 1 && users.from === 1 ? 'user' : 'users'}`;
    return [rate, people].filter((text) => text !== undefined).join(', ');
  }

  /** `19.5/min`; `undefined` if nothing was measured. */
  rate(perMinute: number | undefined): string | undefined {
    return perMinute === undefined ? undefined : `${short(perMinute * this.#unit.factor)}/${this.#unit.unit}`;
  }

  #change({ from, to }: { readonly from: number; readonly to: number }, factor = 1): string {
    const [first, last] = [short(from * factor), short(to * factor)] as const;
    return first === last ? first : `${first} to ${last}`;
  }
}

const short = (value: number): string => (value >= 1_000 ? formatCount(value) : String(Number(value.toPrecision(3))));

/**
 * At most `most` stages; if there are more, those around the knee.
 * @returns the stages and how many were left out
 */
export function stagesShown({ stages = [], knee }: Summary, most: number) {
  const around = stages.findIndex(({ name }) => name === (knee?.gaveIn ?? knee?.held));
  const from = Math.max(0, Math.min(stages.length - most, around - Math.floor(most / 2)));
  const shown = stages.slice(from, from + most);
  return { shown, leftOut: stages.length - shown.length };
}

/** At which stage the load became too high, as a sentence without a full stop; `undefined` if no load increases. */
export const kneeText = (summary: Summary): string | undefined => kneeParts(summary)?.join('; ');

/** The parts of `kneeText`, each of which fits a table cell. */
export function kneeParts({ stages = [], knee }: Summary): readonly string[] | undefined {
  if (!knee) return undefined;
  const texts = new StageTexts(stages);
  const find = (name: string | undefined) => stages.find((stage) => stage.name === name);
  const named = (stage: StageSummary) => `${inertText(stage.name, 60)} (${texts.planned(stage)})`;
  const [held, gaveIn] = [find(knee.held), find(knee.gaveIn)];
  const first = held ? `${named(held)} held: ${heldText(held)}` : 'no stage is known to have held';
  const [result, ...then] = gaveIn
    ? [first, `${named(gaveIn)} was the first that did not: ${reasons(gaveIn)}`]
    : [`not reached: ${first}`];
  return [`${riseText(stages, knee)}${result}`, ...then, ...others(stages, knee)];
}

/** Names the stages that the sentence is about, unless they are all: others may have held, or given in earlier. */
const riseText = (stages: readonly StageSummary[], { from, to }: Knee): string =>
  from === stages[0]?.name && to === stages.at(-1)?.name
    ? ''
    : `rise from ${inertText(from, 60)} to ${inertText(to, 60)}: `;

function heldText({ journeys, exchanges }: StageSummary): string {
  const all = journeys.completed === 1 ? 'its one journey' : `all ${formatCount(journeys.completed)} journeys`;
  return `${all} completed, none of ${plural(exchanges, 'exchange')} refused or failed`;
}

function reasons(stage: StageSummary): string {
  const { byOutcome, exchanges, journeys, turns, arrivals, dropped } = stage;
  const failed = failuresIn(stage) - (stage.cutOff ?? 0);
  return listed(
    byOutcome.refused > 0 &&
      `${formatCount(byOutcome.refused)} of ${plural(exchanges, 'exchange')} refused (${formatShare(byOutcome.refused, exchanges)}; ${refusedBy(stage)})`,
    failed > 0 &&
      `${formatCount(failed)} of ${plural(exchanges, 'exchange')} failed (${formatShare(failed, exchanges)})`,
    journeys.stopped > 0 && `${formatCount(journeys.stopped)} of ${plural(arrivals - dropped, 'journey')} stopped`,
    turns && turns.failed > 0 && `${formatCount(turns.failed)} of ${plural(turns.accepted, 'turn')} failed`,
    fellBehind(stage) !== '' && `fell behind: ${fellBehind(stage)}`,
  ).join(', ');
}

/** Empty if the service did not. */
const fellBehind = ({ behind, turnsBehind }: StageSummary): string =>
  listed(
    behind && `${formatCount(behind.half)} unanswered at its half, ${formatCount(behind.end)} at its end`,
    turnsBehind &&
      `${plural(turnsBehind.half, 'turn')} in process at its half, ${formatCount(turnsBehind.end)} at its end`,
  ).join(', ');

/** The stages in which the service fell behind, without the one of which the knee says so; `undefined` if there are no others. */
export function fellBehindText({ stages = [], knee }: Summary): string | undefined {
  const texts = stages.flatMap((stage) =>
    fellBehind(stage) !== '' && stage.name !== knee?.gaveIn
      ? [`${inertText(stage.name, 60)} (${fellBehind(stage)})`]
      : [],
  );
  return texts.length === 0 ? undefined : few(texts, (text) => text, NAMED);
}

/** `rate 6, daily 1, naming no limit 2` */
const refusedBy = (stage: StageSummary): string =>
  Object.entries(stage.refusedBy)
    .filter(([, count]) => count > 0)
    .map(([limit, count]) => `${limit === 'unattributed' ? 'naming no limit' : limit} ${formatCount(count)}`)
    .join(', ');

const NAMED = 3;

function others(stages: readonly StageSummary[], { untold, heldAgain, withinWindow, gaveIn }: Knee): string[] {
  const reason = (name: string) => {
    const stage = stages.find((one) => one.name === name);
    return `${inertText(name, 60)} (${stage ? whyUndecided(stage) : ''})`;
  };
  return listed(
    untold.length > 0 && `undecided: ${few(untold, reason, NAMED)}`,
    heldAgain.length > 0 && `${few(heldAgain, (name) => inertText(name, 60), NAMED)} held again`,
    withinWindow &&
      gaveIn !== undefined &&
      `${inertText(gaveIn, 60)} is shorter than the rate limit's window, so requests of earlier stages count in it`,
  );
}

function whyUndecided(stage: StageSummary): string {
  const { dropped, journeys, exchanges, arrivals, measuredUs, heldBack, tooShort, cutOff = 0, sentLate = 0 } = stage;
  if (heldBack && heldBack.sentLater > 0)
    return `the scenario's own caps held ${plural(heldBack.sentLater, 'request')} back beyond its end`;
  if (dropped > 0) return `${plural(dropped, 'arrival')} dropped`;
  if (journeys.interrupted > 0) return `${plural(journeys.interrupted, 'journey')} cut off by the end of the run`;
  if (cutOff > 0) return `${plural(cutOff, 'request')} cut off by the end of the run`;
  if (tooShort) return 'most requests or turns of its first eighth took longer than half of it';
  if (wasSentLate(stage)) return `the generator stood still: ${plural(sentLate, 'request')} left after its end`;
  if (measuredUs === 0) return 'not reached';
  if (arrivals === 0) return 'no journey that began in it is recorded';
  return exchanges === 0 ? 'nothing was sent' : 'the run ended before all of its requests are known to be answered';
}
