import { expect, it } from 'vitest';
import type { GateResult } from '../../gates/index.ts';
import { judgedOf } from '../../testing/reports.ts';
import { exportText } from '../export-all.ts';
import { exporters } from '../exporters/index.ts';
import { exchange, header } from '../exporters/journals.exam.ts';

const UNMET = 'status: expected 200, found 500';

it.each([
  [12, 10, 'and 2 more'],
  [10, 10, undefined],
])('of %i unmet expectations %i are listed, and the rest is counted', (unmet, listed, rest) => {
  const exchanges = Array.from({ length: unmet }, (_, seq) =>
    exchange(seq, { status: 500, expect: { checked: 1, unmet: [UNMET] } }),
  );
  const records = [header(), ...exchanges];
  const page = exportText(exporters.report, records, judgedOf(records));
  expect(page.split(`, readTurn: ${UNMET}</li>`)).toHaveLength(listed + 1);
  expect(/<p>(and \d+ more)<\/p>/.exec(page)?.[1]).toBe(rest);
});

it('lists the gates that fail first, then those that are undetermined', () => {
  const gates = (['pass', 'undetermined', 'fail'] as const).map((state): GateResult => {
    const demand = { metric: 'http_reqs', expression: `count>${state}` };
    return { ...demand, state, because: 'why', failsRun: state !== 'pass' };
  });
  const records = [header(), exchange(0, { status: 200 })];
  const page = exportText(exporters.report, records, judgedOf(records, gates));
  const listed = [...page.matchAll(/<code>(http_req.*?)<\/code>/g)].map(([, name = '']) => name.replace(/<.*?>/g, ''));
  expect(listed).toEqual(['fail', 'undetermined', 'pass'].map((state) => `http_reqs: count&gt;${state}`));
});

it('tells a limit of one in the singular', () => {
  const told = (max: number) => {
    const { limits } = header();
    const limited = header({ limits: { ...limits, rate: { ...limits.rate, max }, daily: { ...limits.daily, max } } });
    const records = [limited, exchange(0, { status: 200 })];
    const page = exportText(exporters.report, records, judgedOf(records));
    return [...page.matchAll(/\d+ (?:requests? per minute|new messages? a day)/g)].map(([one]) => one);
  };
  expect(told(1)).toEqual(expect.arrayContaining(['1 request per minute', '1 new message a day']));
  expect(told(2)).toEqual(expect.arrayContaining(['2 requests per minute', '2 new messages a day']));
});

it('tells an expectation that is the only one in the singular', () => {
  const told = (...unmet: string[][]) => {
    const records = [header(), ...unmet.map((one, seq) => exchange(seq, { expect: { checked: 1, unmet: one } }))];
    const texts = exportText(exporters.report, records, judgedOf(records)).split(/[<>]/);
    return texts.find((text) => text.includes(" of the scenario's steps "));
  };
  expect(told([])).toBe(" The one expectation of the scenario's steps was met.");
  expect(told([UNMET])).toBe(" The one expectation of the scenario's steps was not met.");
  expect(told([], [])).toBe(" All 2 expectations of the scenario's steps were met.");
  expect(told([UNMET], [])).toBe(" 1 of 2 expectations of the scenario's steps were not met.");
});
