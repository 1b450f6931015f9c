import { expect, it } from 'vitest';
import { judge, weigh } from '../../check/index.ts';
import { readGates } from '../../metrics/index.ts';
import { end, header } from '../../testing/history/sample-records.ts';
import { gateFold } from './gate-fold.ts';

const threshold = 'count<9';

it('of one round, a gate of the command line is not mistaken for one of the scenario with windows', () => {
  const { gates } = readGates({ http_reqs: [{ threshold }] });
  const fold = gateFold({ gates });
  const inWindows = { http_reqs: [{ threshold, window: 30_000 }] };
  const records = [header({ gates: inWindows, round: { number: 1, of: 2, side: 'base' } }), end()];
  for (const record of records) fold.add(record);
  const verdicts = judge(records);
  const document = fold.judge({ ...verdicts, ...weigh(verdicts, undefined) });
  expect(document.gates.map(({ windows }) => windows)).toEqual([undefined]);
});

it('a gate of the command line that the run had already is judged once', () => {
  const { gates } = readGates({ http_reqs: [{ threshold }] });
  const fold = gateFold({ gates });
  const records = [header({ gates: { http_reqs: [{ threshold: 'count < 9' }] } }), end()];
  for (const record of records) fold.add(record);
  const verdicts = judge(records);
  const document = fold.judge({ ...verdicts, ...weigh(verdicts, undefined) });
  expect(document.gates.map(({ metric, expression }) => [metric, expression])).toEqual([['http_reqs', threshold]]);
});
