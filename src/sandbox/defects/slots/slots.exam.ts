import { examsOf } from '../defect.exam.ts';

/** C7 is missing: it shows only in a process that continues after another was killed, and has its own test. */
export const slots = examsOf(
  `
C1   @failing 0 send | 10 send | 20 send?retry
     honest  ok | ok | ok
     broken  ok | ok | slots:-

C2   @slots 0 badsend*2 send | 1h send
     honest  invalid*2 ok | ok
     broken  invalid*2 slots | slots

C4   @slots 0 send*2 | 5 send | 7.9 send | 8 send
     honest  ok*2 | ok | ok | slots
     broken  ok*2 | slots | slots | ok

C5   @slots 0 send*6 | 10 send | 10.1 send | 10.2 send
     honest  ok*2 slots*4 | ok | ok | slots
     broken  ok*6 | ok | ok | slots

C8   @slots 0 send*6
     honest  ok*2 slots*4
     broken  ok*2 slots ok slots*2

C8   @lease 0 send*6 | 1 send*4
     honest  ok*2 slots*4 | ok*2 slots*2
     broken  ok*2 slots ok slots*2 | ok*3 slots
`,
  {
    failing: { failureShare: 1, limits: { daily: 1_000 } },
    lease: { limits: { daily: 1_000, concurrency: { max: 2, algorithm: 'lease', ttl: '1s' } } },
  },
);
