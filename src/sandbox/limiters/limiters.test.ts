import { microsFromSeconds } from '../../base/index.ts';
import type * as limiters from './index.ts';
import {
  dayFromFirstUse,
  dayOfTokenTimezone,
  fixedWindow,
  fixedWindowFromFirst,
  fixedWindowWithBlock,
  gcra,
  leakyQueue,
  processingSlots,
  rollingDay,
  semaphore,
  slidingCounter,
  slidingLog,
  slidingLogOfAttempts,
  tokenBucket,
  tokenBucketPerTick,
  tokenBucketPerWindow,
  utcDay,
} from './index.ts';
import { type Candidate, examine, HELD_US } from './limiter.exam.ts';
import {
  attemptsRule,
  blockRule,
  firstRequestRule,
  fixedWindowRule,
  gcraRule,
  holdersRule,
  intervalRule,
  localDayRule,
  slidingCounterRule,
  slidingLogRule,
  tickOfSpacing,
  tickOfWindow,
  tokenBucketRule,
} from './reference.exam.ts';

const windowUs = microsFromSeconds(60);
const phaseUs = microsFromSeconds(17);
const dayUs = microsFromSeconds(86_400);
const sameAsMax = (max: number) => max;
/** An interval that contains k whole fixed windows may touch k + 2 of them. */
const windows = (length: number, window: number) => Math.floor(length / window) + 2;
const aligned = (window: number) => (max: number, length: number) => max * windows(length, window);
const anchored = (window: number) => (max: number, length: number) =>
  max * windows(length, window) - (length > 0 ? 1 : max);
const logged = (window: number) => (max: number, length: number) => max * (Math.floor(length / window) + 1);
const bucket = (burst: (max: number) => number) => (max: number, length: number) =>
  burst(max) + Math.floor((length * max) / windowUs);

type Burst = (max: number) => number;

const bursts: readonly (readonly [name: string, Burst])[] = [
  ['', sameAsMax],
  [' without burst', () => 1],
  [' with a large burst', (max) => 3 * max + 1],
];

/** A bucket with each burst. */
const buckets = (name: string, of: (burst: Burst) => Pick<Candidate, 'make' | 'rule' | 'most'>): Candidate[] =>
  bursts.map(([which, burst]) => ({ name: `${name}${which}`, windowUs, ...of(burst) }));

/** By the function that makes them: one that is missing here does not compile. */
const candidates: Readonly<Record<keyof typeof limiters, readonly Candidate[]>> = {
  fixedWindow: [
    {
      name: 'fixed window',
      make: (max) => fixedWindow({ max, windowUs }),
      rule: fixedWindowRule(windowUs),
      windowUs,
      most: aligned(windowUs),
    },
    {
      name: 'fixed window with a phase',
      make: (max) => fixedWindow({ max, windowUs, phaseUs }),
      rule: fixedWindowRule(windowUs, phaseUs),
      windowUs,
      most: aligned(windowUs),
    },
  ],
  fixedWindowFromFirst: [
    {
      name: 'fixed window from the first request',
      make: (max) => fixedWindowFromFirst({ max, windowUs }),
      rule: firstRequestRule(windowUs),
      windowUs,
      most: anchored(windowUs),
    },
  ],
  fixedWindowWithBlock: [
    {
      name: 'fixed window with a block of its own length',
      make: (max) => fixedWindowWithBlock({ max, windowUs }),
      rule: blockRule(windowUs, windowUs),
      windowUs,
      most: anchored(windowUs),
    },
    {
      name: 'fixed window with a short block',
      make: (max) => fixedWindowWithBlock({ max, windowUs, blockUs: microsFromSeconds(5) }),
      rule: blockRule(windowUs, microsFromSeconds(5)),
      windowUs,
      most: anchored(windowUs),
    },
  ],
  slidingLog: [
    {
      name: 'sliding log',
      make: (max) => slidingLog({ max, windowUs }),
      rule: slidingLogRule(windowUs),
      windowUs,
      most: logged(windowUs),
    },
  ],
  slidingLogOfAttempts: [
    {
      name: 'sliding log of attempts',
      make: (max) => slidingLogOfAttempts({ max, windowUs }),
      rule: attemptsRule(windowUs),
      windowUs,
      most: logged(windowUs),
    },
  ],
  slidingCounter: (['below', 'at-most', 'floored'] as const).flatMap((variant): Candidate[] =>
    [0, phaseUs].map((phase) => ({
      name: `sliding counter, ${variant}${phase === 0 ? '' : ', with a phase'}`,
      make: (max: number) => slidingCounter({ max, windowUs, variant, phaseUs: phase as typeof phaseUs }),
      rule: slidingCounterRule(windowUs, variant, phase),
      windowUs,
      // The table bounds only intervals shorter than W; a longer one is split into several of these.
      most: (max: number, length: number) =>
        length < windowUs ? max + (max * length) / windowUs + 1 : 2 * max * windows(length, windowUs),
    })),
  ),
  tokenBucket: buckets('token bucket', (burst) => ({
    make: (max) => tokenBucket({ max, windowUs, burst: burst(max) }),
    rule: tokenBucketRule(windowUs, burst),
    most: bucket(burst),
  })),
  gcra: buckets('GCRA', (burst) => ({
    make: (max) => gcra({ max, windowUs, burst: burst(max) }),
    rule: gcraRule(windowUs, burst),
    most: bucket(burst),
  })),
  leakyQueue: buckets('leaky queue', (burst) => ({
    make: (max) => leakyQueue({ max, windowUs, burst: burst(max) }),
    rule: gcraRule(windowUs, burst),
    most: bucket(burst),
  })),
  tokenBucketPerTick: buckets('token bucket per tick', (burst) => ({
    make: (max) => tokenBucketPerTick({ max, windowUs, burst: burst(max), phaseUs }),
    rule: intervalRule(tickOfSpacing(windowUs, phaseUs), () => 1, burst),
    most: (max, length) => bucket(burst)(max, length) + 1,
  })),
  tokenBucketPerWindow: buckets('token bucket per window', (burst) => ({
    make: (max) => tokenBucketPerWindow({ max, windowUs, burst: burst(max), phaseUs }),
    rule: intervalRule(tickOfWindow(windowUs, phaseUs), sameAsMax, burst),
    most: (max, length) => burst(max) + max * (Math.floor(length / windowUs) + 1),
  })),
  semaphore: [
    { name: 'semaphore', make: (max) => semaphore({ max }), rule: holdersRule(), windowUs: HELD_US },
    {
      name: 'lease that outlasts its holder',
      make: (max) => semaphore({ max, ttlUs: microsFromSeconds(9) }),
      rule: holdersRule(microsFromSeconds(9)),
      windowUs: HELD_US,
    },
    {
      name: 'lease that its holder outlasts',
      make: (max) => semaphore({ max, ttlUs: microsFromSeconds(3) }),
      rule: holdersRule(microsFromSeconds(3)),
      windowUs: HELD_US,
    },
  ],
  processingSlots: [
    { name: 'processing slots', make: (max) => processingSlots({ max }), rule: holdersRule(), windowUs: HELD_US },
    {
      name: 'processing slots with a time to live',
      make: (max) => processingSlots({ max, ttlUs: microsFromSeconds(3) }),
      rule: holdersRule(microsFromSeconds(3)),
      windowUs: HELD_US,
    },
  ],
  utcDay: [
    {
      name: 'UTC day',
      make: (max) => utcDay({ max }),
      rule: localDayRule('UTC'),
      windowUs: dayUs,
      most: aligned(dayUs),
    },
  ],
  dayOfTokenTimezone: ['Europe/Zurich', 'America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kathmandu'].map(
    (timezone): Candidate => ({
      name: `day of the token's time zone, ${timezone}`,
      make: (max) => dayOfTokenTimezone({ max }),
      rule: localDayRule(timezone),
      windowUs: dayUs,
      // With a day of 23 hours, an interval shorter than 24 hours may touch three days, but never contain two whole ones.
      most: (max, length) => max * (Math.floor(length / (dayUs - microsFromSeconds(3_600))) + 2),
      timezone,
    }),
  ),
  dayFromFirstUse: [
    {
      name: 'day from the first use',
      make: (max) => dayFromFirstUse({ max }),
      rule: firstRequestRule(dayUs),
      windowUs: dayUs,
      most: anchored(dayUs),
    },
  ],
  rollingDay: [
    {
      name: 'rolling day',
      make: (max) => rollingDay({ max }),
      rule: slidingLogRule(dayUs),
      windowUs: dayUs,
      most: logged(dayUs),
    },
  ],
};

for (const candidate of Object.values(candidates).flat()) examine(candidate);
