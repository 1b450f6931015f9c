import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inertText } from '../../base/index.ts';
import { headers, innerRecords } from '../../testing/history/arbitrary-records.ts';
import { runs } from '../../testing/share.ts';
import { findingsIn } from './finding.exam.ts';

it('whatever is recorded, findings come out as plain sentences', () => {
  fc.assert(
    fc.property(headers, fc.array(innerRecords, { maxLength: 40 }), (header, records) => {
      for (const { claim, data, total = 0 } of findingsIn([header, ...records])) {
        // On one line, without effect on a terminal.
        expect(claim).toBe(inertText(claim, Number.POSITIVE_INFINITY));
        expect(claim).not.toBe('');
        expect(JSON.stringify(data)).not.toContain('null');
        expect(total === 0 || total > 20).toBe(true);
      }
    }),
    { numRuns: runs(500) },
  );
});
