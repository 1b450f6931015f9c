import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isRefusal, type TargetProfile } from '../api/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { runs } from '../testing/share.ts';
import { drawnJournal, drawnKinds } from './drawn.exam.ts';
import { judge } from './index.ts';

/*
 * A refusal is one whatever its status, if the profile says so (`errorCodes.otherStatuses`).
 */

type Codes = Partial<TargetProfile['errorCodes']>;

const profileOf = (records: readonly JournalRecord[]) =>
  records.flatMap((record) => (record.kind === 'header' ? [record.profile as TargetProfile] : []))[0] as TargetProfile;

function saying(records: readonly JournalRecord[], codes: Codes, altered: (one: Exchange) => Exchange) {
  const profile = profileOf(records);
  const errorCodes = { ...profile.errorCodes, ...codes };
  return records.map((record): JournalRecord => {
    if (record.kind === 'header') return { ...record, profile: { ...profile, errorCodes } };
    return record.kind === 'exchange' && record.outcome === 'refused' ? altered(record) : record;
  });
}

/** The refusals of the rate limit have no code, as a gateway's. */
const withoutCodes = (records: readonly JournalRecord[]) =>
  saying(records, { otherBodies: 'rate' }, ({ error, ...bare }) =>
    error?.code === 'rate_limited' ? bare : { ...bare, ...(error && { error }) },
  );

/** The service refuses with another status, where its answer says which limit it was. */
function withOtherStatus(records: readonly JournalRecord[], status: number) {
  const errorCodes = { ...profileOf(records).errorCodes, otherStatuses: [status] };
  return saying(records, errorCodes, (one) =>
    isRefusal({ errorCodes }, { ...one, status }) ? { ...one, status } : one,
  );
}

it('of refusals with another status the same is said as of 429s', () => {
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(drawnKinds)),
      fc.nat(),
      fc.boolean(),
      fc.constantFrom(420, 503, 509),
      (kind, seed, hasCodes, status) => {
        const drawn = drawnJournal(kind, seed);
        const records = hasCodes ? drawn : withoutCodes(drawn);
        const others = withOtherStatus(records, status);
        expect(judge(others)).toEqual(judge(records));
        refused += others.filter((record) => record.kind === 'exchange' && record.status === status).length;
      },
    ),
    { numRuns: runs(150) },
  );
  expect(refused).toBeGreaterThan(0);
});
