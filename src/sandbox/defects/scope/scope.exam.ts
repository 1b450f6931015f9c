import { examsOf } from '../defect.exam.ts';

const readHistory = { max: 4, operations: ['readHistory' as const] };

export const scope = examsOf(
  `
S1   0 read*5 read2*5
     honest  ok*4 rate*6
     broken  ok*4 rate ok*4 rate

S3   @routes 0 read?left turn?left*3 read?left
     honest  ok:3 unknown:3 unknown:2 unknown:1 ok:2
     broken  ok:3 unknown:2 unknown:1 unknown:0 rate:0

S4   0 read*5 b.read*5
     honest  ok*4 rate*6
     broken  ok*4 rate ok*4 rate

S5   @stacked 0 read*4 b.read*4
     honest  ok*5 rate*3
     broken  ok*8

S6   @days 0 send*6 n.send
     honest  ok*5 day*2
     broken  ok*5 day ok

S7   0 read*4 z.read
     honest  ok*5
     broken  ok*4 rate
`,
  {
    routes: { limits: { rate: [readHistory, { max: 4, operations: ['readTurn'] }] } },
    stacked: {
      limits: {
        rate: [
          { ...readHistory, scope: 'user' },
          { ...readHistory, max: 5 },
        ],
      },
    },
  },
);
