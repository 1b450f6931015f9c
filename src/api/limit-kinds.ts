import type { Millis } from '../base/index.ts';

/** The three declared limits (specification section 8): requests per minute, simultaneous processings, new messages per day. */
export const limitNames = ['rate', 'concurrency', 'daily'] as const;
export type LimitName = (typeof limitNames)[number];

/** A setting that only some rate-limit algorithms have. */
export type RateParameter = 'phase' | 'burst' | 'block' | 'variant';

/** The rate-limit algorithms, each with its settings other than `max` and `window`. */
export const rateAlgorithms = {
  'fixed-window': ['phase'],
  'fixed-window-first-request': [],
  'fixed-window-block': ['block'],
  'sliding-log': [],
  'sliding-log-attempts': [],
  'sliding-counter': ['phase', 'variant'],
  'token-bucket': ['burst'],
  'token-bucket-per-tick': ['burst', 'phase'],
  'token-bucket-per-window': ['burst', 'phase'],
  gcra: ['burst'],
  'leaky-queue': ['burst'],
} as const satisfies Record<string, readonly RateParameter[]>;
export type RateAlgorithm = keyof typeof rateAlgorithms;
export const rateAlgorithmNames = Object.keys(rateAlgorithms) as [RateAlgorithm, ...RateAlgorithm[]];

export const concurrencyAlgorithms = ['semaphore', 'lease'] as const;
/** When a turn occupies a slot: from acceptance to its end, or only while its status is `processing` (not while `queued`). */
export const slotKinds = ['accepted-to-finished', 'processing-only'] as const;
export type SlotKind = (typeof slotKinds)[number];
export const days = ['utc', 'token-timezone', 'first-use', 'rolling'] as const;
/** When a day of the quota begins. */
export type Day = (typeof days)[number];
export const limitScopes = ['application', 'user', 'token', 'conversation', 'address'] as const;
export type LimitScope = (typeof limitScopes)[number];
export const slidingCounterVariants = ['below', 'at-most', 'floored'] as const;

/** Defaults of absent settings: the numbers of the specification, and the sandbox's choices in design.md section 7. */
export const limitDefaults = {
  rate: { max: 20, window: 60_000 as Millis, algorithm: 'fixed-window' },
  concurrency: { max: 2, algorithm: 'semaphore', slot: 'accepted-to-finished' },
  daily: { max: 50, day: 'utc' },
  /** In which the limits are checked. */
  order: ['rate', 'daily', 'concurrency'],
} as const;

export const isRateAlgorithm = (name: string): name is RateAlgorithm => Object.hasOwn(rateAlgorithms, name);

/** Other names of algorithms, as profiles and verdicts use them for readings. */
const otherNames: Readonly<Record<string, RateAlgorithm>> = {
  'fixed-window-aligned': 'fixed-window',
  'fixed-window-anchored': 'fixed-window-first-request',
  'fixed-window-from-first-request': 'fixed-window-first-request',
  'fixed-window-penalty': 'fixed-window-block',
  'rolling-window': 'sliding-log',
  'sliding-log-counting-refused': 'sliding-log-attempts',
  'sliding-window-counter': 'sliding-counter',
  'approximated-sliding-window': 'sliding-counter',
  'leaky-bucket': 'token-bucket',
  'interval-refill': 'token-bucket-per-tick',
  'interval-refill-per-tick': 'token-bucket-per-tick',
  'interval-refill-per-window': 'token-bucket-per-window',
};

/** The algorithm that a profile's reading names; `undefined` for "unknown" and for names that are no algorithm of the sandbox. */
export const algorithmOfReading = (reading: string): RateAlgorithm | undefined =>
  isRateAlgorithm(reading) ? reading : Object.hasOwn(otherNames, reading) ? otherNames[reading] : undefined;
