import { examsOf } from '../defect.exam.ts';

export const overAdmission = examsOf(
  `
O1   0 read*9 | 60 read | 60.1 read | 60.2 read | 60.3 read | 60.4 read
     honest  ok*4 rate*5 | ok | ok | ok | ok | rate
     broken  ok*9 | ok | ok | ok | ok | rate

O2   0 read*9 | 0.1 read*9 | 0.2 read*9 | 0.3 read*9 | 0.4 read*9
     honest  ok*4 rate*5 | rate*9 | rate*9 | rate*9 | rate*9
     broken  ok*9 | ok*9 | ok*9 | ok rate*8 | rate*9

O3   0 read*9 | 300 read | 300.1 read | 300.2 read | 300.3 read | 300.4 read
     honest  ok*4 rate*5 | ok | ok | ok | ok | rate
     broken  ok*9 | ok | ok | ok | ok | rate

O3   @mixed 0 read*9 turn*9
     honest  ok*4 rate*5 unknown*4 rate*5
     broken  ok*9 unknown*4 rate*5

O4   0 read*5 | 1 z.read*3 | 2 read*2 | 100 read*2000
     honest  ok*4 rate | ok*3 | rate*2 | ok*4 rate*1996
     broken  ok*4 rate | ok*3 | rate*2 | ok*4 rate*1498 ok rate*497

O5   0 read*40
     honest  ok*4 rate*36
     broken  ok*7 rate*5 ok rate*27

O6   0 read*20
     honest  ok*4 rate*16
     broken  ok*9 rate ok rate*2 ok rate*2 ok rate*3

O7   59.9 read*5 | 60 read*5
     honest  ok*4 rate | rate*5
     broken  ok*4 rate | ok*4 rate

O8   @byUser 0 read | 59 b.read*5 | 60 b.read*5
     honest  ok | ok*4 rate | rate*5
     broken  ok | ok*4 rate | ok*4 rate

O12  0 read*5 | 14 read | 15 read | 28 read | 30 read | 42 read | 45 read | 56 read | 60 read
     honest  ok*4 rate | rate | ok | rate | ok | rate | ok | rate | ok
     broken  ok*4 rate | ok | rate | ok | rate | ok | rate | ok | rate

O13  0 read*50
     honest  ok*4 rate*46
     broken  ok*50

O14  0 send | 100 send | 200 send | 301 send | 400 send | 500 send | 602 send
     honest  ok | ok | ok | ok | ok | day | day
     broken  ok | ok | ok | ok | ok | ok | ok

O14  0 send*2 | 100 send | 42920 send*2 | 43000 send*2 | 43100 send | 43201 send*2
     honest  ok*2 | ok | ok*2 | day*2 | day | ok*2
     broken  ok*2 | ok | ok*2 | ok*2 | ok | ok*2

O16  59 read*5 | 60 read*5
     honest  ok*4 rate | rate*5
     broken  ok*4 rate | ok*4 rate

O17  0 read*4 | 240 read*20
     honest  ok*4 | ok*4 rate*16
     broken  ok*4 | ok*12 rate*8

O19  @slots 0 send*8
     honest  ok*2 slots*6
     broken  ok*2 slots ok slots ok slots ok

O21  0 read*9 | 30 read*9 | 60 read*9 | 70 read*9 | 80 read*9 | 90 read*9
     honest  ok*4 rate*5 | rate*9 | ok*4 rate*5 | rate*9 | rate*9 | rate*9
     broken  ok*4 rate*5 | rate*9 | ok*4 rate*5 | rate*9 | ok*9 | rate*9

O22  0 badread*6 read*4
     honest  invalid*4 rate*6
     broken  invalid*6 ok*4

O24  0 read*6
     honest  ok*4 rate*2
     broken  ok*5 rate
`,
  {
    byUser: { limits: { rate: { max: 4, operations: ['readHistory'], scope: 'user' } } },
    mixed: {
      limits: {
        rate: [
          { name: 'reads', max: 4, operations: ['readHistory'], algorithm: 'gcra' },
          { name: 'polls', max: 4, operations: ['readTurn'], algorithm: 'sliding-log' },
        ],
      },
    },
  },
);
