import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headers, innerRecords } from '../../testing/history/arbitrary-records.ts';
import { runs } from '../../testing/share.ts';
import { findingsIn } from './finding.exam.ts';

it('whatever is recorded, findings come out as plain sentences', () => {
  fc.assert(
    fc.property(headers, fc.array(innerRecords, { maxLength: 40 }), (header, records) => {
      for (const { claim, data, total = 0 } of findingsIn([header, ...records])) {
        expect(claim).toMatch(/^[\x20-\x7e]+$/);
        expect(JSON.stringify(data)).not.toContain('null');
        expect(total === 0 || total > 20).toBe(true);
      }
    }),
    { numRuns: runs(500) },
  );
});
