import { formatDuration, inertText, listed, type Micros, STANDSTILL_US } from '../../base/index.ts';
import type { RefusalCounts, Summary } from '../../collect/index.ts';
import type { CapName } from '../../history/index.ts';
import { admittedText, exchangeName, few, formatCount, formatShare, openTurnsText, plural } from '../formatters.ts';
import { NEVER_CHECKED } from '../incomplete.ts';
import { areAll429 } from '../refusal-titles.ts';
import { lagOf } from './health-warnings.ts';
import type { Section } from './section.ts';
import { turns } from './turns-section.ts';

const SHOWN = 3;
const UNMET_SHOWN = 2;

const capNames = {
  token: 'a token',
  openTurns: 'openTurns',
  requestsPerMinute: 'requestsPerMinute',
  inFlight: 'inFlight',
  connection: 'a connection',
  pace: 'noCatchUp',
} as const satisfies Record<CapName, string>;

/** `rate 28, concurrency 2, daily 0`; `naming no limit` only if there are any. */
export function refusalsByLimit(counts: RefusalCounts): string {
  const { rate, concurrency, daily, unattributed } = counts;
  const unnamed = unattributed > 0 ? `, naming no limit ${formatCount(unattributed)}` : '';
  return `rate ${formatCount(rate)}, concurrency ${formatCount(concurrency)}, daily ${formatCount(daily)}${unnamed}`;
}

// Without the warm-up, and says so, because the verdicts below count the refusals of the whole run.
const refusals: Section = ({ refusals, total, run }) => [
  [
    areAll429({ refusals, total }) ? '429s' : 'refused',
    `${formatCount(refusals.total)} of ${plural(total.count, 'exchange')} (${formatShare(refusals.total, total.count)})${run.warmUp.exchanges > 0 ? ' after the warm-up' : ''}: ${refusalsByLimit(refusals.byLimit)}`,
  ],
];

/** Maximum usage of the declared limits: the fullest window, the most turns at once, the fullest day. */
const use: Section = ({ limits, fullestWindow, turns, fullestDay }) => {
  const of = (max: number | undefined): string => (max === undefined ? '' : ` of ${formatCount(max)}`);
  // The bucket is named only if there were several.
  const whose = ({ of: label, among }: { readonly of: string; readonly among: number }): string =>
    among > 1 ? ` (${inertText(label, 40)})` : '';
  // More than that alone proves nothing.
  const elsewhere = (what: string, used: number, max = Number.POSITIVE_INFINITY): string =>
    used > max ? ` (the service's own ${what} may begin elsewhere)` : '';
  const parts = listed(
    fullestWindow !== undefined &&
      `busiest ${clockWindow(fullestWindow.windowUs)} ${admittedText(fullestWindow)}${of(limits?.rate.max)}${whose(fullestWindow)}${elsewhere('windows', fullestWindow.admitted, limits?.rate.max)}`,
    turns.open.fullest !== undefined &&
      `open turns ${openTurnsText(turns.open.fullest)}${of(limits?.concurrency.max)}${whose(turns.open.fullest)}`,
    fullestDay !== undefined &&
      `busiest UTC day ${formatCount(fullestDay.used)}${of(limits?.daily.max)} new messages${whose(fullestDay)}${elsewhere('days', fullestDay.used, limits?.daily.max)}`,
  );
  return parts.length === 0 ? [] : [['limit usage', parts.join('; ')]];
};

/**
 * Windows that start at multiples of their length on the service's clock; a window that starts elsewhere may contain more
 * requests.
 */
export const clockWindow = (us: number): string =>
  us === 60_000_000 ? 'clock minute' : `${formatDuration(us)} by the clock`;

const waits: Section = ({ capWaits }) => {
  const texts = (Object.keys(capNames) as (keyof typeof capNames)[]).flatMap((cap) => {
    const wait = capWaits[cap];
    if (wait === undefined) return [];
    // The mean, not the sum: as many wait at the same time, that may exceed the run's length by far.
    const meanUs = Math.round(wait.totalUs / wait.count) as Micros;
    return [
      `${capNames[cap]} ${formatCount(wait.count)} × ${formatDuration(meanUs)} (max ${formatDuration(wait.maxUs)})`,
    ];
  });
  return texts.length === 0 ? [] : [['waited for', texts.join('; ')]];
};

const drops: Section = ({ drops }) => {
  if (drops.total === 0) return [];
  const reasons = Object.entries(drops.byReason).map(([reason, count]) => `${inertText(reason)} ${formatCount(count)}`);
  return [['drops', `${plural(drops.total, 'arrival')} never started: ${reasons.join(', ')}`]];
};

/** Parts of a sentence: journeys that did not reach their end, of which kind, and where they stopped; none if all did. */
export function journeysParts({ journeys }: Summary, most = SHOWN): string[] {
  const all = Object.values(journeys);
  const sum = (outcome: 'completed' | 'stopped' | 'interrupted') =>
    all.reduce((total, { byOutcome }) => total + byOutcome[outcome], 0);
  const [completed, stopped, interrupted] = [sum('completed'), sum('stopped'), sum('interrupted')];
  if (stopped + interrupted === 0) return [];
  const stops = merged(all.flatMap(({ stoppedAt }) => stoppedAt)).sort((a, b) => b.count - a.count);
  const where = few(
    stops,
    ({ operation, because, count }) => `${formatCount(count)} at ${operation}: ${inertText(because, 64)}`,
    most,
  );
  return listed(
    `${formatCount(completed)} of ${formatCount(completed + stopped + interrupted)} reached their end${byName(journeys, most)}`,
    stopped !== 0 && `${formatCount(stopped)} stopped (${where})`,
    interrupted !== 0 && `${formatCount(interrupted)} cut off by the end of the run`,
  );
}

/** What became of each journey of the scenario, the worst first; empty if there is only one. */
function byName(journeys: Summary['journeys'], most: number): string {
  const ends = Object.entries(journeys).map(([name, { byOutcome }]) => {
    const { completed, stopped, interrupted } = byOutcome;
    return { name, completed, started: completed + stopped + interrupted };
  });
  if (ends.length < 2) return '';
  const worst = ends.toSorted((a, b) => a.completed / a.started - b.completed / b.started);
  const endText = ({ name, completed, started }: (typeof ends)[number]) =>
    `${inertText(name, 40)} ${formatCount(completed)} of ${formatCount(started)}`;
  return ` (${few(worst, endText, most)})`;
}

type Stop = Summary['journeys'][string]['stoppedAt'][number];

/** Merges stops of different journeys at the same operation for the same reason. */
function merged(stops: readonly Stop[]): Stop[] {
  const byPlace = new Map<string, Stop>();
  for (const stop of stops) {
    const place = `${stop.operation} ${stop.because}`;
    byPlace.set(place, { ...stop, count: stop.count + (byPlace.get(place)?.count ?? 0) });
  }
  return [...byPlace.values()];
}

const journeys: Section = (summary, shown) => {
  const parts = journeysParts(summary, shown);
  return parts.length === 0 ? [] : [['journeys', parts.join(', ')]];
};

const errors: Section = ({ errors }, shown = SHOWN) => {
  const most = errors.toSorted((a, b) => b.count - a.count);
  const errorText = ({ operation, what, count }: (typeof errors)[number]) =>
    `${operation} ${inertText(what, 40)} × ${formatCount(count)}`;
  const isMisshapen = most.some(({ kind, what }) => kind === 'body' && what === 'wrong-shape');
  const more = isMisshapen ? ' (run it with --once --debug to see what the answers lack)' : '';
  return most.length === 0 ? [] : [['errors', `${few(most, errorText, shown)}${more}`]];
};

const expectations: Section = ({ expectations: { checked, unmet, neverChecked, examples } }) => {
  if (neverChecked) return [['expectations', NEVER_CHECKED]];
  if (checked === 0) return [];
  const lines = examples
    .slice(0, UNMET_SHOWN)
    .map((one) => ['', `✗ exchange ${exchangeName(one)}: ${inertText(one.sentence, 48)}`] as const);
  return [
    [
      'expectations',
      unmet === 0
        ? `${checked === 1 ? '1' : `all ${formatCount(checked)}`} met`
        : `${formatCount(unmet)} of ${formatCount(checked)} not met`,
    ],
    ...lines,
  ];
};

/** Shorter pauses are not reported; they are part of the event-loop delay anyway. */
const GC_SHOWN_FROM_US = 10_000;

const generator: Section = ({ health }) => {
  const lag = lagOf(health.scheduleLag);
  const { eventLoopMaxUs = 0 } = health;
  const parts = listed(
    health.eventLoopP99MaxUs !== undefined && `event loop p99 ${formatDuration(health.eventLoopP99MaxUs)}`,
    eventLoopMaxUs >= STANDSTILL_US && `stood still up to ${formatDuration(eventLoopMaxUs)}`,
    lag !== undefined && `schedule lag ${lag.name} ${formatDuration(lag.us)}`,
    ...(health.gcMaxUs === undefined || health.gcMaxUs < GC_SHOWN_FROM_US
      ? []
      : [`GC pause up to ${formatDuration(health.gcMaxUs)}`]),
    health.cpuShareMean !== undefined &&
      `CPU ${formatShare(health.cpuShareMean, 1)} of a core${ofWorkers(health.workers)}`,
  );
  return parts.length === 0 ? [] : [['generator', parts.join(', ')]];
};

const ofWorkers = (workers: number | undefined): string =>
  workers === undefined ? '' : ` for each of ${workers} workers`;

/** Waits, drops, stopped journeys and errors. */
export const detailSections: readonly Section[] = [waits, drops, journeys, errors];

/** In the order in which they are shown. */
export const sections: readonly Section[] = [turns, refusals, use, ...detailSections, expectations, generator];
