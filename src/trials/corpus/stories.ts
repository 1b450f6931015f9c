import type { OperationId } from '../../api/index.ts';
import type { LoadedScenario, ScenarioInput } from '../../scenario/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { loadShipped } from '../matrix/matrix.ts';

/*
 * Small versions of the shipped scenarios, with limits of three instead of twenty or fifty, so that a history has a few kilobytes and
 * is readable. Shipped scenarios that are small enough are used as they are.
 */

type Written = Omit<ScenarioInput, 'name' | 'profile'>;
interface Limits {
  readonly rate?: { max: number; window?: string; counts?: OperationId[] };
  readonly concurrency?: { max: number };
  readonly daily?: { max: number };
}

const AT_NINE = '2026-01-15T09:00:00Z';
const constant = (value: string) => ({ distribution: 'constant', value }) as const;
const latency = { queued: constant('1s'), processing: constant('4s') };
const once = { model: 'burst', count: 1 } as const;
const start = { createConversation: {} };
const read = { readHistory: { limit: 10 } };
const reads = (count: number, gap = '0') => ({ burst: { of: 'readHistory' as const, count, gap } });
const says = (message: string) => ({ sendMessage: { message } });
const goOn = { onRefused: 'continue', onError: 'continue' } as const;
const followed = { followTurn: { by: 'stream' } } as const;
const NOBODY = '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c';

const story = (name: string, limits: Limits, written: Written): LoadedScenario =>
  loadedFrom({
    name,
    ...written,
    profile: { limits, idempotency: { sameTurn: true, otherContent: 'refused' } },
    sandbox: { startTime: AT_NINE, latency, ...written.sandbox },
  });

/** Like `rate-limit-20-per-minute`: 2N + 1 at once, one with retries, and both sides of a reset. */
const atOnce = story(
  'at-once',
  { rate: { max: 3 } },
  {
    journeys: {
      reader: {
        ...goOn,
        steps: [
          start,
          reads(6),
          { ...read, onRefused: { retry: { max: 3 } } },
          { pause: '50s' },
          reads(4),
          { pause: '8500ms' },
          reads(8, '500ms'),
        ],
      },
    },
    load: once,
  },
);

/** Like `steady-overload`: twice the limit, evenly spaced. */
const overload = story(
  'overload',
  { rate: { max: 3, window: '6s' } },
  { journeys: { reader: { ...goOn, steps: [start, reads(4), reads(22, '900ms')] } }, load: once },
);

/** A limit of one per minute under steady requests: shows services that sometimes admit too much. */
const drip = story(
  'drip',
  { rate: { max: 1 } },
  { journeys: { reader: { ...goOn, steps: [reads(32, '4s')] } }, load: once },
);

/** Many requests at once. */
const flood = story(
  'flood',
  { rate: { max: 8, window: '1s' } },
  { journeys: { reader: { ...goOn, steps: [reads(24)] } }, load: once },
);

/** A burst after several idle windows, and one after half a day. */
const idle = story(
  'idle',
  { rate: { max: 3 } },
  {
    journeys: { reader: { ...goOn, steps: [reads(4), { pause: '4min' }, reads(10), { pause: '13h' }, reads(4)] } },
    load: once,
  },
);

/** Like `counted-apart`: two users of one application, then another application. */
const apart = story(
  'apart',
  { rate: { max: 3 } },
  {
    applications: { shop: null, office: null },
    users: [
      { id: 'ada', application: 'shop' },
      { id: 'blaise', application: 'shop' },
      { id: 'dora', application: 'office' },
    ],
    journeys: {
      crowd: { ...goOn, steps: [start, reads(4)] },
      other: { ...goOn, steps: [{ pause: '45s' }, start, reads(3), { pause: '18s' }, reads(4)] },
    },
    load: [
      { model: 'burst', count: 2, journeys: ['crowd'] },
      { model: 'burst', count: 1, journeys: ['other'] },
    ],
  },
);

/** Like `limits-side-by-side`: of two limits, the one for histories is judged. */
const sideBySide = story(
  'side-by-side',
  { rate: { max: 4, counts: ['readHistory'] } },
  {
    sandbox: {
      limits: {
        rate: [
          { name: 'histories', operations: ['readHistory'] },
          { name: 'conversations', operations: ['createConversation'] },
        ],
      },
    },
    journeys: {
      both: {
        ...goOn,
        steps: [start, start, start, reads(3), { burst: { of: 'createConversation', count: 3 } }, read],
      },
    },
    load: once,
  },
);

/** Like `daily-quota-50`: both sides of the quota, of midnight in Tokyo and of midnight in UTC. @param anew whether to use another token, too */
const dayWith = (anew: boolean) =>
  story(
    'day',
    { daily: { max: 3 } },
    {
      sandbox: { startTime: '2026-01-15T02:00:00Z', tokenLifetime: '7d', limits: { daily: { day: 'utc' } } },
      users: [{ id: 'traveller', timezone: 'Asia/Tokyo' }],
      journeys: {
        writer: {
          ...goOn,
          steps: [
            start,
            { sendMessage: { message: 'To nobody', conversation: NOBODY } },
            { sendMessage: { message: 'To nobody', conversation: NOBODY } },
            ...['one', 'two', 'three'].flatMap((message) => [says(message), followed, { pause: '3min' }]),
            { resend: { content: 'same' as const } },
            says('one too many'),
            ...(anew ? [{ issueToken: {} }, says('with another token')] : []),
            { pause: '13h' },
            says('past midnight in Tokyo'),
            { pause: '9h' },
            says('past midnight in UTC'),
          ],
        },
      },
      load: once,
    },
  );
const day = dayWith(true);

/** Messages refused for lack of a slot, which the daily quota must not count. */
const slotsThenDay = story(
  'slots-then-day',
  { concurrency: { max: 1 }, daily: { max: 4 } },
  {
    sandbox: { limits: { order: ['rate', 'daily', 'concurrency'] } },
    journeys: {
      writer: {
        ...goOn,
        steps: [
          start,
          { burst: { count: 3, follow: { by: 'stream' as const } } },
          ...['two', 'three', 'four', 'five'].flatMap((message) => [says(message), followed]),
        ],
      },
    },
    load: once,
  },
);

/** Two users who send the same text with the same client_message_id, each to their own conversation. */
const sameId = story(
  'same-id',
  {},
  {
    users: 2,
    journeys: {
      writer: {
        ...goOn,
        steps: [
          start,
          { sendMessage: { message: 'The same words', as: 'shared', nonce: false } },
          { followTurn: { by: 'poll', interval: '2s', deadline: '8s' } },
          { pause: '5s' },
          read,
        ],
      },
    },
    load: { model: 'burst', count: 2, gap: '1s' },
  },
);

const own: readonly LoadedScenario[] = [
  atOnce,
  overload,
  flood,
  drip,
  idle,
  apart,
  sideBySide,
  day,
  slotsThenDay,
  sameId,
];

/** Shipped scenarios that are small, or that have no small equivalent. */
const SHIPPED = [
  'two-simultaneous-processings',
  'idempotent-resend',
  'invalid-requests',
  'smallest-limits',
  'remembered-messages',
];

export const stories = async (): Promise<readonly LoadedScenario[]> => [
  ...own,
  ...(await Promise.all(SHIPPED.map((name) => loadShipped(`${name}.yaml`)))),
];

/** The scenario per limit for correct services of every kind and for services that are off by one. */
export const atEachLimit = {
  rate: atOnce,
  daily: dayWith(false),
  concurrency: () => loadShipped(`${SHIPPED[0]}.yaml`),
} as const;
