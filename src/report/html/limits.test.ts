import { expect, it } from 'vitest';
import { judgedOf } from '../../testing/reports.ts';
import { exchange, sampleRun } from '../exporters/journals.exam.ts';
import { limitCards, proofOf } from './limits.ts';

/** The sample without what its rate limit is convicted of. */
const keptRun = sampleRun.map((record) =>
  record.kind === 'exchange' && record.expect ? exchange(record.seq, { status: 200 }) : record,
);

it('says of surviving readings only that nothing contradicts them', () => {
  const { document } = judgedOf(keptRun);
  const readings = document.limits.find(({ limit }) => limit === 'rate')?.readings ?? [];
  const all = new Set(readings.map(({ reading }) => reading));
  const left = new Set(readings.filter(({ state }) => state === 'survives').map(({ reading }) => reading));
  const uninferred = document.limits.map(({ inference: _, ...limit }) => limit as (typeof document.limits)[number]);
  const { text } = limitCards({ ...document, limits: uninferred }, undefined, 1);
  expect(left.size).toBeLessThan(all.size);
  expect(text).toContain(`what was admitted and refused leaves ${left.size} of its ${all.size} readings.`);
  expect(text).not.toContain('explains everything');
});

it('gives the time of a proof on both clocks, and the number of exchanges that it does not name', () => {
  const certificate = {
    limit: 'rate',
    rule: 'r',
    reading: 'every',
    counts: 'admitted',
    scope: {},
    fromUs: 1_000_000,
    toUs: 2_000_000,
  };
  const textOf = (exchanges: number) =>
    proofOf({ ...certificate, exchanges: Array.from({ length: exchanges }, (_, seq) => seq) } as never, 60).text;
  expect(textOf(42)).toContain('1.000 s and 2.000 s of the run, 60.000 s on the service&#39;s clock');
  expect(textOf(42)).toContain('38, 39 and 2 more in verdicts.json');
  expect(textOf(41)).toContain('38, 39 and 1 more in verdicts.json');
  expect(textOf(40)).not.toContain('more in verdicts.json');
  expect(textOf(0)).toContain('<dd class="named">none</dd>');
});

it('gives the number of readings that the terminal and verdicts.json give, where they give one', () => {
  const { document } = judgedOf(keptRun);
  const explained = document.limits.find(({ limit }) => limit === 'rate')?.inference?.possible.length;
  expect(explained).toBe(1);
  expect(limitCards(document, undefined, 1).text).toContain(
    '<p>It was reached (1 refusal), and 1 reading explains what was admitted and refused.</p>',
  );
});

it('says why fewer readings explain a history than nothing contradicts', () => {
  const { document } = judgedOf(sampleRun);
  const [limit] = document.limits;
  const reading = (name: string) =>
    ({ reading: name, scope: 'application', counts: 'admitted', state: 'survives' }) as const;
  const possible = ['a', 'b'].map((name) => ({ reading: name, scope: 'application', counts: 'admitted', says: name }));
  const inference = { behaves: '', sentence: '2 readings explain it: a, or b', possible, ruledOut: [] };
  const textOf = (names: readonly string[]) => {
    const kept = {
      ...limit,
      verdict: 'consistent',
      readings: names.map(reading),
      inference,
    } as unknown as typeof limit;
    return limitCards({ ...document, limits: kept ? [kept] : [] }, undefined, 1).text;
  };
  expect(textOf(['a', 'b', 'c'])).toContain(
    '<p>a, b; not counted, as each behaves here like one of these: c</p>\n<p>2 readings explain it: a, or b.</p>',
  );
  expect(textOf(['a', 'b', 'c'])).toContain(', and 2 readings explain what was admitted and refused.</p>');
  expect(textOf(['a', 'b'])).toContain('<p>a, b</p>\n<p>2 readings explain it: a, or b.</p>');
});
