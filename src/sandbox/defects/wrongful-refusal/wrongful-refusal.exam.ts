import { examsOf } from '../defect.exam.ts';

export const wrongfulRefusal = examsOf(
  `
W1   0 read*6
     honest  ok*4 rate*2
     broken  ok*3 rate*3

W2   @one 0 read | 300 read
     honest  ok | ok
     broken  rate | rate

W3   0 read*4
     honest  ok*4
     broken  ok rate*3

W4   0 read*2 | 15 read*2
     honest  ok*2 | ok*2
     broken  ok rate | ok rate

W5   0 read?left*4
     honest  ok:3 ok:2 ok:1 ok:0
     broken  ok:2 ok:0 rate:0*2

W6   0 read*5 | 14 read | 28 read | 42 read | 56 read | 70 read | 84 read
     honest  ok*4 rate | rate | rate | rate | rate | ok | ok
     broken  ok*4 rate | rate | rate | rate | rate | rate | rate

W7   0 read*5 | 30 read | 61 read
     honest  ok*4 rate | rate | ok
     broken  ok*4 rate | rate | rate

W9   0 read*4 | 180 read?retry
     honest  ok*4 | ok
     broken  ok*4 | rate:-

W10  0 read?left*2 read?t | 61 read?left read?t
     honest  ok:3 ok:2 ok:60 | ok:3 ok:59
     broken  ok:3 ok:2 ok:60 | ok:0 rate:59

W11  0 read*5 | 60 read*5 | 119.9 read | 120 read
     honest  ok*4 rate | ok*4 rate | rate | ok
     broken  ok*4 rate | rate*5 | rate | ok

W13  0 send*5 | 5 send*2
     honest  ok*2 slots*3 | ok*2
     broken  ok*2 slots*3 | day*2

W15  0 read | 13h read | 13h+60 read | 13h+75 read
     honest  ok | ok | ok | ok
     broken  ok | rate | rate | ok

W16  0 read*5 | 65 read?retry | 70 read
     honest  ok*4 rate | ok | ok
     broken  ok*4 rate | rate:-5 | ok

W18  @classes 0 send*3 read*4 | 60 read
     honest  ok*2 rate ok*4 | ok
     broken  ok*2 rate*5 | ok

W19  0 read*4 | 24h read
     honest  ok*4 | ok
     broken  ok*4 | rate

W20  0 read*4 | 8 read | 16 read | 24 read | 32 read
     honest  ok*4 | rate | ok | rate | ok
     broken  ok*4 | rate | rate | rate | rate

W21  0 read?t*4 | 55 read*20
     honest  ok:60*4 | rate*20
     broken  ok:53 ok:60*3 | ok*17 rate ok*2

W22  @days 0 badsend*2 send*6
     honest  invalid*2 ok*5 day
     broken  invalid*2 ok*3 day*3
`,
  {
    one: { limits: { rate: { max: 1, operations: ['readHistory'] } } },
    classes: {
      limits: {
        daily: 1_000,
        concurrency: 1_000,
        rate: [
          { max: 4, operations: ['readHistory'] },
          { max: 2, operations: ['sendMessage'] },
        ],
      },
    },
  },
);
