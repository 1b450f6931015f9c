import type { LimitName } from '../../api/index.ts';
import type { Certificate } from '../certificates/certificate.ts';

const logs = ['sliding-log', 'sliding-log-counting-refused'];
const anchored = ['fixed-window-anchored', 'fixed-window-penalty'];
const slots = ['accepted-to-finished', 'processing-only'];
const days = ['utc', 'token-timezone', 'first-use', 'rolling'];

const everyRate = [
  ...logs,
  ...anchored,
  ...['token-bucket', 'interval-refill', 'fixed-window', 'fixed-window-aligned', 'sliding-counter', 'every'],
];

/** For each rule, its limit and the readings that it can rule out; `every` if it can rule out all. */
const rules: Readonly<Record<Certificate['rule'], readonly [LimitName, readonly string[]]>> = {
  'universal-2N': ['rate', everyRate],
  'universal-density': ['rate', everyRate],
  'sliding-log-n-plus-1': ['rate', logs],
  'sliding-log-density': ['rate', logs],
  'sliding-log-attempts': ['rate', ['sliding-log-counting-refused']],
  'token-bucket-density': ['rate', ['token-bucket']],
  'interval-refill-density': ['rate', ['interval-refill']],
  'sliding-counter-density': ['rate', ['sliding-counter']],
  'fixed-window-anchored-since': ['rate', anchored],
  'fixed-window-anchored-chain': ['rate', anchored],
  'fixed-window-anchored-fit': ['rate', ['fixed-window-anchored']],
  'fixed-window-penalty-block': ['rate', ['fixed-window-penalty']],
  'fixed-window-anchored-arcs': ['rate', anchored],
  'fixed-window-arcs': ['rate', ['fixed-window', 'fixed-window-aligned']],
  'sliding-counter-arcs': ['rate', ['sliding-counter']],
  'universal-refusal': ['rate', ['every']],
  'wrongful-first-refusal': ['rate', ['sliding-log-counting-refused']],
  'wrongful-first-refusal-of-two-windows': ['rate', ['sliding-counter', 'every']],
  'wrongful-refusal-last-window': [
    'rate',
    ['sliding-log', 'fixed-window', 'fixed-window-aligned', 'fixed-window-anchored'],
  ],
  'wrongful-refusal-counting-refused': ['rate', ['sliding-log-counting-refused']],
  'wrongful-refusal-token-bucket': ['rate', ['token-bucket']],
  'wrongful-refusal-interval-refill': ['rate', ['interval-refill']],
  'wrongful-refusal-sliding-counter': ['rate', ['sliding-counter']],
  'wrongful-refusal-penalty': ['rate', ['fixed-window-penalty']],
  'wrongful-refusal-anchored': ['rate', ['fixed-window-anchored']],
  'wrongful-refusal-anchored-penalty': ['rate', ['fixed-window-penalty']],
  'concurrency-cores': ['concurrency', [...slots, 'every']],
  'wrongful-refusal-concurrency': ['concurrency', [...slots, 'every']],
  'daily-distinct-messages': ['daily', [...days, 'every']],
  'first-use-day-chain': ['daily', ['first-use']],
  'wrongful-refusal-first-use-day': ['daily', ['first-use']],
  'wrongful-refusal-daily': ['daily', [...days, 'every']],
};

export const ruleNames = Object.keys(rules) as readonly Certificate['rule'][];

/** What kind of certificate a rule has: arcs, a refusal, admissions, or both. */
function saysOf(rule: Certificate['rule']) {
  if (rule === 'fixed-window-penalty-block') return 'inconsistent';
  if (rule.endsWith('-arcs')) return 'arcs';
  return rule.includes('refusal') ? 'wrongful-refusal' : 'over-admission';
}

/** Whether a certificate's rule belongs to its limit and kind, and can rule out the reading that it names. */
export function rulesOut(certificate: Certificate): boolean {
  const [limit, readings] = rules[certificate.rule];
  const says = 'arcs' in certificate ? 'arcs' : certificate.because;
  // Only for windows aligned to a clock may the clock say where they begin.
  const isAligned = 'arcs' in certificate && certificate.arcs.some(({ says }) => says === 'aligned');
  return (
    limit === certificate.limit &&
    says === saysOf(certificate.rule) &&
    readings.includes(certificate.reading) &&
    (!isAligned || certificate.reading === 'fixed-window-aligned')
  );
}
