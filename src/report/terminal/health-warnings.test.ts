import { expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { presentWarnings } from './health-warnings.ts';
import { boundsInWords } from './latency-table.ts';

const calm = { kind: 'health', at: us(9_000_000), gcUs: us(0), backlog: 0 } as const;

it('warns of the present from its thresholds on, of a share of the interval that a record covers', () => {
  const below = { eventLoopP99Us: us(19_999), scheduleLagP99Us: us(9_999), cpuUs: us(1_799_999), backlog: 999 };
  expect(presentWarnings({ ...calm, ...below }, 2_000_000)).toEqual([]);
  const from = { eventLoopP99Us: us(20_000), scheduleLagP99Us: us(10_000), cpuUs: us(1_800_000), backlog: 1_000 };
  expect(presentWarnings({ ...calm, ...from }, 2_000_000)).toEqual([
    "the generator's event loop is 20 ms late",
    'requests leave 10 ms after they are due',
    'the generator takes 90 % of a core',
    '1,000 records wait for the disk',
  ]);
});

it('bounds are told with the end that they lack', () => {
  const method = 'order-statistics';
  const [lowUs, highUs] = [us(4_100), us(9_800)];
  expect([
    boundsInWords({ lowUs, highUs, method }),
    boundsInWords({ lowUs, method }),
    boundsInWords({ highUs, method }),
    boundsInWords({ method }),
  ]).toEqual(['4.1 ms to 9.8 ms', '4.1 ms or more', '0 to 9.8 ms', 'too few samples']);
});
