import { expect, it } from 'vitest';
import { judgedOf } from '../../testing/reports.ts';
import { exchange, sampleRun } from '../exporters/journals.exam.ts';
import { limitCards } from './limits.ts';

it('says of surviving readings only that nothing contradicts them', () => {
  const { document } = judgedOf(
    sampleRun.map((record) =>
      record.kind === 'exchange' && record.expect ? exchange(record.seq, { status: 200 }) : record,
    ),
  );
  const readings = document.limits.find(({ limit }) => limit === 'rate')?.readings ?? [];
  const all = new Set(readings.map(({ reading }) => reading));
  const left = new Set(readings.filter(({ state }) => state === 'survives').map(({ reading }) => reading));
  const { text } = limitCards(document, undefined, 1);
  expect(left.size).toBeLessThan(all.size);
  expect(text).toContain(`what was admitted and refused leaves ${left.size} of its ${all.size} readings.`);
  expect(text).not.toContain('explains everything');
});
