import { expect, it } from 'vitest';
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
