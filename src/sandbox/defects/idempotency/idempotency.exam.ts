import { examsOf } from '../defect.exam.ts';

/** Turns take a minute to process. */
const slow = {
  queued: { distribution: 'constant', value: '1s' },
  processing: { distribution: 'constant', value: '60s' },
} as const;

export const idempotency = examsOf(
  `
I1   @free 0 send=m1?turn*2 | 1 send=m1?turn
     honest  t1*2 | t1
     broken  t1 t2 | t2

I2   @slow 0 send=m1?turn | 9.9 send=m1?turn | 10 send=m1?turn | 200 send=m1?turn
     honest  t1 | t1 | t1 | t1
     broken  t1 | t1 | t2 | t2

I3   @free 0 send*4 send=m5 | 1 send=m5 send=m6 | 1h send=m5
     honest  ok*5 | ok*2 | ok
     broken  ok*4 internal | internal ok | internal

I4   @free 0 send=m1?turn*2 | 1 send=m1?turn
     honest  t1*2 | t1
     broken  t1 unavailable | t1

I5   @slots 0 send*2 send=m3?turn | 60 send=m3?turn send=m4?turn
     honest  ok*2 slots | t1 t2
     broken  ok*2 slots | slots t1

I7   @free 0 send=m1?turn b.send=m1?turn
     honest  t1 t2
     broken  t1*2

I9   @free 0 send=m1?turn send*255 send=m1?turn send*256 send=m1?turn
     honest  t1 ok*255 t1 ok*256 t1
     broken  t1 ok*255 t1 ok*256 t2

I11  @slow 0 send=m1?turn | 9.9 send=m1?turn | 200 send=m1?turn
     honest  t1 | t1 | t1
     broken  t1 | t1 | t2
`,
  { slow: { latency: slow, limits: { daily: 1_000, concurrency: 1_000 } } },
);
