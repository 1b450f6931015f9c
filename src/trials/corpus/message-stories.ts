import { goOn, once, read, start, story } from './story.ts';

/* Stories of the daily quota, of slots and of messages sent again. */

const says = (message: string) => ({ sendMessage: { message } });
const followed = { followTurn: { by: 'stream' } } as const;
const NOBODY = '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c';

/** Like `daily-quota-50`: both sides of the quota, of midnight in Tokyo and of midnight in UTC. @param anew whether to use another token, too */
export const dayWith = (anew: boolean) =>
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
export const day = dayWith(true);

/** Messages refused for lack of a slot, which the daily quota must not count. */
export const slotsThenDay = story(
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
export const sameId = story(
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
