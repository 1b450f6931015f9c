import { examsOf } from '../defect.exam.ts';

export const advice = examsOf(`
H1   0 read*4 read?retry
     honest  ok*4 rate:60
     broken  ok*4 rate:60000

H2   0 read*4 | 10 read?retry | 20 read?retry
     honest  ok*4 | rate:50 | rate:40
     broken  ok*4 | rate:60 | rate:60

H3   0 read*4 read?retry
     honest  ok*4 rate:60
     broken  ok*4 rate:-

H4   0 read*4 | 10 read?retry read?t
     honest  ok*4 | rate:50*2
     broken  ok*4 | rate:0*2

H5   0 read?left*4 read?retry
     honest  ok:3 ok:2 ok:1 ok:0 rate:60
     broken  ok:8 ok:7 ok:6 ok:5 rate:-60

H6   0 read*4 read?retry | 1 read?retry | 60 read
     honest  ok*4 rate:60 | rate:59 | ok
     broken  ok*4 rate:1 | rate:1 | ok

H7   0 read*4 read?retry | 15 read
     honest  ok*4 rate:15 | ok
     broken  ok*4 rate:60 | ok

H8   0 read*2 read?items read?items read?items
     honest  ok*2 ok:"minute";r=1;t=60 ok:"minute";r=0;t=60 rate:"minute";r=0;t=60
     broken  ok*2 ok:"minute";r=1;t=60 ok:- rate:-

H9   0 read?left*6
     honest  ok:3 ok:2 ok:1 ok:0 rate:0*2
     broken  ok:2*3 ok:1 rate:1 rate:4

H10  30 read*4 | 75 read?left*4
     honest  ok*4 | ok:0 rate:0*3
     broken  ok*4 | ok:3 rate:0*3

H11  0 read?t read*3 read?retry
     honest  ok:60 ok*3 rate:60
     broken  ok:61 ok*3 rate:61

H12  0 read*4 read?text
     honest  ok*4 too many requests in this window
     broken  ok*4 the limit of 20 requests is exceeded
`);
