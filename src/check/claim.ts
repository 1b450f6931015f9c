import { formatDuration } from '../base/index.ts';
import type { Arcs, Certificate, OverAdmission, WrongfulRefusal } from './certificate.ts';

const seconds = (us: number) => `${Number((us / 1e6).toFixed(us < 1e7 ? 3 : 1))} s`;
const limitOf = ({ max, windowUs, limit }: Certificate) => {
  if (limit === 'concurrency') return `${max} at once`;
  return limit === 'daily' ? `${max} a day` : `${max} per ${seconds(windowUs)}`;
};
/** How a reading of the other limits counts; completes "of 50 a day, counted …". */
const countedBy: Readonly<Record<string, string>> = {
  utc: 'from 00:00 UTC',
  'token-timezone': 'from midnight in whatever time zone',
  'first-use': 'for 24 hours from the first',
  rolling: 'over any 24 hours',
  'accepted-to-finished': 'from acceptance to the end of the turn',
  'processing-only': 'while the turn is in process',
};
const counted = ({ reading }: Certificate) => `counted ${countedBy[reading] ?? 'by whatever reading'}`;
const whose = (reading: string) => (reading === 'every' ? 'no reading' : `no ${reading.replaceAll('-', ' ')}`);

/** The certificate as a sentence, made from its members alone. */
export function claimOf(certificate: Certificate): string {
  if ('arcs' in certificate) return claimOfArcs(certificate);
  return certificate.because === 'over-admission' ? claimOfMany(certificate) : claimOfRefusal(certificate);
}

function claimOfMany(certificate: OverAdmission): string {
  const { observed, possible, spanUs, reading, limit, rule } = certificate;
  if (limit === 'concurrency')
    return `${observed} turns surely held a slot at one instant; of ${limitOf(certificate)}, ${counted(certificate)}, at most ${possible} can`;
  if (rule === 'first-use-day-chain')
    return `${observed} new messages accepted on one day, which began with the first message sent after the one before; of ${limitOf(certificate)}, ${counted(certificate)}, at most ${possible} can be`;
  if (limit === 'daily')
    return `${observed} new messages accepted within ${formatDuration(spanUs)}; of ${limitOf(certificate)}, ${counted(certificate)}, at most ${possible} can be`;
  if (rule === 'fixed-window-anchored-since') {
    const windows = possible / certificate.max;
    return `${observed} requests admitted before ${windows === 1 ? 'the window' : `${windows} windows`} from the first request on ended; ${whose(reading)} of ${limitOf(certificate)} admits more than ${possible} by then`;
  }
  if (rule === 'sliding-log-attempts')
    return `a request was admitted ${seconds(spanUs)} at most after the first of ${observed - 1} attempts before it, refused ones among them; ${whose(reading)} of ${limitOf(certificate)} admits after ${possible}`;
  if (rule === 'fixed-window-anchored-chain')
    return `${observed} requests admitted in one window, which began with the first of its requests; ${whose(reading)} of ${limitOf(certificate)} admits more than ${possible}`;
  return `${observed} requests admitted within ${seconds(spanUs)}; ${whose(reading)} of ${limitOf(certificate)} admits more than ${possible}`;
}

/** Rules under which a refusal may block later requests: the claim then has to exclude that an earlier, justified refusal was the cause. */
const PUNISHING: readonly WrongfulRefusal['rule'][] = [
  'universal-refusal',
  'wrongful-refusal-penalty',
  'wrongful-refusal-anchored-penalty',
];

const withArticle = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

function claimOfRefusal(certificate: WrongfulRefusal): string {
  const { observed, needed, lookBackUs, refusal, reading, limit, rule } = certificate;
  const others = PUNISHING.includes(rule) ? ', or before any refusal that may have blocked it' : '';
  const back = Number.isFinite(lookBackUs) ? `in the ${seconds(lookBackUs)} before it` : 'before it';
  if (rule === 'universal-refusal')
    return `request ${refusal} was refused although at most ${observed} can have counted ${back}, refused ones among them${others}; no reading of ${limitOf(certificate)} refuses before ${needed} have`;
  const by = reading === 'every' ? 'any reading' : withArticle(reading.replaceAll('-', ' '));
  if (limit === 'concurrency')
    return `message ${refusal} was refused while at most ${observed} turns can have held a slot; ${limitOf(certificate)}, ${counted(certificate)}, refuses from ${needed} on`;
  if (rule === 'wrongful-refusal-first-use-day')
    return `message ${refusal} was refused although at most ${observed} new messages can have counted on its day, which began with the first message sent after the one before; ${limitOf(certificate)}, ${counted(certificate)}, refuses from ${needed} on`;
  if (limit === 'daily')
    return `message ${refusal} was refused although at most ${observed} new messages can have counted; ${limitOf(certificate)}, ${counted(certificate)}, refuses from ${needed} on`;
  const bucket = rule === 'wrongful-refusal-token-bucket' || rule === 'wrongful-refusal-interval-refill';
  if (bucket)
    return `request ${refusal} was refused although at most ${observed} of the ${needed} tokens can have been missing; ${by} of ${limitOf(certificate)} refuses only when none is left`;
  if (rule === 'wrongful-refusal-anchored' || rule === 'wrongful-refusal-anchored-penalty')
    return `request ${refusal} was refused although at most ${observed} can have counted in the window that was open${others}; ${by} of ${limitOf(certificate)} refuses from ${needed} on`;
  return `request ${refusal} was refused although at most ${observed} can have counted ${back}${others}; ${by} of ${limitOf(certificate)} refuses from ${needed} on`;
}

function claimOfArcs(certificate: Arcs): string {
  const { arcs, reading } = certificate;
  const crowded = arcs.filter(({ says }) => says === 'boundary-within').length;
  const overfull = arcs.filter(({ says }) => says === 'overfull-with-boundary-within').length;
  const refused = arcs.filter(({ says }) => says === 'no-boundary-within').length;
  const parts = [
    ...(crowded > 0
      ? [`${crowded} ${crowded === 1 ? 'burst' : 'bursts'} of more than ${certificate.max} admitted`]
      : []),
    ...(overfull > 0 ? [`${overfull} ${overfull === 1 ? 'window' : 'windows'} with too many admitted`] : []),
    ...(refused > 0 ? [`${refused} ${refused === 1 ? 'refusal' : 'refusals'}`] : []),
    ...(arcs.some(({ says }) => says === 'aligned') ? ["the service's clock"] : []),
  ];
  const of = `${reading.replaceAll('-', ' ')} of ${limitOf(certificate)}`;
  return `no beginning of the windows agrees with ${parts.join(' and ')}: no ${of} (windows of ${formatDuration(certificate.windowUs)}) does this`;
}
