import { formatDuration, formatCount as n, plural } from '../../base/index.ts';
import type { Arcs, Certificate, OverAdmission, WrongfulRefusal } from './certificate.ts';

/** To the millisecond, from 10 s on to a tenth of a second. */
const seconds = (us: number, round = Math.round) => {
  const unitUs = us < 1e7 ? 1_000 : 100_000;
  return `${round(us / unitUs) / (1e6 / unitUs)} s`;
};
/** A span that contains what the claim counts is rounded up, one in which too little can have counted down: both stay true. */
const within = (us: number) => seconds(us, Math.ceil);
const notLongerThan = (us: number) => seconds(us, Math.floor);
const withinDays = (us: number) => (us < 1e8 ? within(us) : formatDuration(Math.ceil(us / 1e6) * 1e6));
const limitOf = ({ max, windowUs, limit }: Certificate) => {
  if (limit === 'concurrency') return `${n(max)} at once`;
  return limit === 'daily' ? `${n(max)} a day` : `${n(max)} per ${seconds(windowUs)}`;
};
/** How a reading of the other limits counts; completes "of 50 a day, counted …". */
const countedBy: Readonly<Record<string, string>> = {
  utc: 'from 00:00 UTC',
  'token-timezone': 'from midnight in any time zone',
  'first-use': 'for 24 hours from the first',
  rolling: 'over any 24 hours',
  'accepted-to-finished': 'from acceptance to the end of the turn',
  'processing-only': 'while the turn is in process',
};
const counted = ({ reading }: Certificate) => `counted ${countedBy[reading] ?? 'in any way'}`;
const whose = (reading: string) => (reading === 'every' ? 'no reading' : `no ${reading.replaceAll('-', ' ')}`);

/** The certificate as a sentence, made from its members alone. */
export function claimOf(certificate: Certificate): string {
  if ('arcs' in certificate) return claimOfArcs(certificate);
  return certificate.because === 'wrongful-refusal' ? claimOfRefusal(certificate) : claimOfMany(certificate);
}

function claimOfMany(certificate: OverAdmission): string {
  const { observed, possible, spanUs, reading, limit, rule, exchanges } = certificate;
  if (limit === 'concurrency')
    return `${n(observed)} turns certainly held a slot at the same time; with ${limitOf(certificate)}, ${counted(certificate)}, at most ${n(possible)} can`;
  if (rule === 'first-use-day-chain')
    return `${n(observed)} new messages were accepted on one day, which began with the first message after the previous day; with ${limitOf(certificate)}, ${counted(certificate)}, at most ${n(possible)} can be`;
  // The span alone need not be too short for them: how they lie in days may be the proof.
  if (limit === 'daily')
    return `${n(observed)} new messages were accepted within ${withinDays(spanUs)}; with ${limitOf(certificate)}, ${counted(certificate)}, at most ${n(possible)} of them can be`;
  if (rule === 'fixed-window-anchored-since') {
    const windows = possible / certificate.max;
    return `${n(observed)} requests were admitted before the end of the first ${windows === 1 ? 'window' : `${n(windows)} windows`}, counted from the first request; ${whose(reading)} of ${limitOf(certificate)} admits more than ${n(possible)} by then`;
  }
  if (rule === 'sliding-log-attempts')
    return `a request was admitted although ${n(observed - 1)} attempts, refused ones included, were made within ${within(spanUs)} before it; ${whose(reading)} of ${limitOf(certificate)} admits a request after ${n(possible)}`;
  if (rule === 'fixed-window-penalty-block')
    return `request ${exchanges[1]} was refused after request ${exchanges[0]} had been admitted, and request ${exchanges[2]} was admitted less than a window after the first refusal that there can have been since; ${whose(reading)} of ${limitOf(certificate)} admits a request so soon`;
  if (rule === 'fixed-window-anchored-fit')
    return `${n(observed)} requests were admitted, the first of which began a window; wherever the next windows began, ${whose(reading)} of ${limitOf(certificate)} admits all of them`;
  if (rule === 'fixed-window-anchored-chain')
    return `${n(observed)} requests were admitted in one window, which began with its first request; ${whose(reading)} of ${limitOf(certificate)} admits more than ${n(possible)}`;
  return `${n(observed)} requests were admitted within ${within(spanUs)}; ${whose(reading)} of ${limitOf(certificate)} admits more than ${n(possible)}`;
}

/** Rules under which a refusal may count, and so lead to later ones: what the claim counts leaves refused ones aside, and it says so. */
const FIRST: readonly WrongfulRefusal['rule'][] = ['wrongful-first-refusal', 'wrongful-first-refusal-of-two-windows'];

/** Rules under which a refusal may block later requests: the claim then has to exclude that an earlier, justified refusal was the cause. */
const PUNISHING: readonly WrongfulRefusal['rule'][] = [
  'universal-refusal',
  'wrongful-refusal-penalty',
  'wrongful-refusal-anchored-penalty',
  ...FIRST,
];

const withArticle = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

function claimOfRefusal(certificate: WrongfulRefusal): string {
  const { observed, needed, lookBackUs, refusal, reading, limit, rule } = certificate;
  const isFirst = FIRST.includes(rule);
  const others = PUNISHING.includes(rule)
    ? `, or before any refusal that may have ${isFirst ? 'led to' : 'blocked'} it`
    : '';
  const before = Number.isFinite(lookBackUs) ? `in the ${notLongerThan(lookBackUs)} before it` : 'before it';
  const back = isFirst ? `${before}, refused ones aside` : before;
  if (rule === 'universal-refusal')
    return `request ${refusal} was refused although at most ${n(observed)} can have counted ${back}, refused ones included${others}; no reading of ${limitOf(certificate)} refuses a request before ${n(needed)} have counted`;
  const by = reading === 'every' ? 'any reading' : withArticle(reading.replaceAll('-', ' '));
  if (limit === 'concurrency')
    return `message ${refusal} was refused while at most ${plural(observed, 'turn')} can have held a slot; ${limitOf(certificate)}, ${counted(certificate)}, refuses from ${n(needed)} on`;
  if (rule === 'wrongful-refusal-first-use-day')
    return `message ${refusal} was refused although at most ${plural(observed, 'new message')} can have counted on its day, which began with the first message after the previous day; ${limitOf(certificate)}, ${counted(certificate)}, refuses from ${n(needed)} on`;
  if (limit === 'daily')
    return `message ${refusal} was refused although at most ${plural(observed, 'new message')} can have counted; ${limitOf(certificate)}, ${counted(certificate)}, refuses from ${n(needed)} on`;
  const bucket = rule === 'wrongful-refusal-token-bucket' || rule === 'wrongful-refusal-interval-refill';
  if (bucket)
    return `request ${refusal} was refused although at most ${n(observed)} of the ${n(needed)} tokens can have been missing; ${by} of ${limitOf(certificate)} refuses only when none is left`;
  if (rule === 'wrongful-refusal-anchored' || rule === 'wrongful-refusal-anchored-penalty')
    return `request ${refusal} was refused although at most ${n(observed)} can have counted in the current window${others}; ${by} of ${limitOf(certificate)} refuses from ${n(needed)} on`;
  return `request ${refusal} was refused although at most ${n(observed)} can have counted ${back}${others}; ${by} of ${limitOf(certificate)} refuses from ${n(needed)} on`;
}

function claimOfArcs(certificate: Arcs): string {
  const { arcs, reading } = certificate;
  // More than two windows hold: counted over several of them.
  const admitted = arcs.flatMap((arc) => (arc.says === 'boundary-within' ? [arc.exchanges.length] : []));
  const long = admitted.filter((count) => count > 2 * certificate.max).length;
  const crowded = admitted.length - long;
  const most = n(certificate.max);
  const overfull = arcs.filter(({ says }) => says === 'overfull-with-boundary-within').length;
  const refused = arcs.filter(({ says }) => says === 'no-boundary-within').length;
  const parts = [
    ...(crowded > 0 ? [`${plural(crowded, 'burst')} of more than ${most} admitted`] : []),
    ...(long > 0
      ? [`${plural(long, 'stretch', 'stretches')} of windows with more than ${most} each admitted on average`]
      : []),
    ...(overfull > 0 ? [`${plural(overfull, 'window')} with too many admitted`] : []),
    ...(refused > 0 ? [`${plural(refused, 'refusal')}`] : []),
    ...(arcs.some(({ says }) => says === 'aligned') ? ["the service's clock"] : []),
  ];
  const of = `${reading.replaceAll('-', ' ')} of ${limitOf(certificate)}`;
  return `no position of windows of ${seconds(certificate.windowUs)} agrees with ${parts.join(' and ')}: no ${of} behaves so`;
}
