import { goOn, once, read, start, story } from './story.ts';

/* Stories of the rate limit. */

const reads = (count: number, gap = '0') => ({ burst: { of: 'readHistory' as const, count, gap } });

/** Like `rate-limit-20-per-minute`: 2N + 1 at once, one with retries, and both sides of a reset. */
export const atOnce = story(
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
export const overload = story(
  'overload',
  { rate: { max: 3, window: '6s' } },
  { journeys: { reader: { ...goOn, steps: [start, reads(4), reads(22, '900ms')] } }, load: once },
);

/** A limit of one per minute under steady requests: shows services that sometimes admit too much. */
export const drip = story(
  'drip',
  { rate: { max: 1 } },
  { journeys: { reader: { ...goOn, steps: [reads(32, '4s')] } }, load: once },
);

/** Many requests at once. */
export const flood = story(
  'flood',
  { rate: { max: 8, window: '1s' } },
  { journeys: { reader: { ...goOn, steps: [reads(24)] } }, load: once },
);

/** A burst after several idle windows, and one after half a day. */
export const idle = story(
  'idle',
  { rate: { max: 3 } },
  {
    journeys: { reader: { ...goOn, steps: [reads(4), { pause: '4min' }, reads(10), { pause: '13h' }, reads(4)] } },
    load: once,
  },
);

/** Like `counted-apart`: two users of one application, then another application. */
export const apart = story(
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
export const sideBySide = story(
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
