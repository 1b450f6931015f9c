import { examsOf } from '../defect.exam.ts';

/** Tests start at noon UTC: 12 h before midnight in UTC, 3 h before midnight in Tokyo and 17 h before midnight in New York. */
export const day = examsOf(
  `
D2   @days 0 send*6 | 12h send*6 | 36h send
     honest  ok*5 day | ok*5 day | ok
     broken  ok*5 day | day*6 | day

D3   @days 0 j.send*6 | 3h j.send | 12h j.send
     honest  ok*5 day | ok | ok
     broken  ok*5 day | day | ok

D3   @utc 0 j.send*6 | 3h j.send | 12h j.send
     honest  ok*5 day | day | ok
     broken  ok*5 day | ok | ok

D4   @days 0 send*6 | 12h send | 16h+3599.9 send | 17h send
     honest  ok*5 day | ok | ok | ok
     broken  ok*5 day | day | day | ok

D5   @days 0 send*6 | 12h send | 24h send
     honest  ok*5 day | ok | ok
     broken  ok*5 day | day | ok

D6   @days -0.1 send*5 | 0 send*6 | 12h send
     honest  ok*5 | day*6 | ok
     broken  ok*5 | ok*5 day | day

D6   @mixed -0.1 send*3 | 0 send*6
     honest  ok*3 | day*6
     broken  ok*3 | ok*2 day*4
`,
  {
    utc: { limits: { concurrency: 1_000, daily: { max: 5, day: 'utc' } } },
    mixed: {
      limits: {
        concurrency: 1_000,
        daily: [
          { name: 'date', max: 3, day: 'utc' },
          { name: 'hours', max: 5, day: 'rolling' },
        ],
      },
    },
  },
);
