import { describe, expect, it } from 'vitest';
import type { GateResult } from '../../gates/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { summaryOf } from '../../testing/measured.ts';
import { judgedOf } from '../../testing/reports.ts';
import { exchange, header, sampleRun } from '../exporters/journals.exam.ts';
import type { Judged } from '../judged.ts';
import { headlineOf } from './headline.ts';

const gate = (state: GateResult['state'], failsRun: boolean): GateResult => ({
  metric: 'http_reqs',
  expression: 'count>1',
  state,
  because: '0',
  failsRun,
});

const calm: readonly JournalRecord[] = sampleRun.map((record) =>
  record.kind === 'exchange' && record.expect ? exchange(record.seq, { status: 200 }) : record,
);
const withProof = (...violations: string[]): Judged => {
  const { document, ...rest } = judgedOf(calm);
  return {
    ...rest,
    document: { ...document, proven: violations.map((violation) => ({ violation, claim: `proof of ${violation}` })) },
  };
};
const title = (judged: Judged, gates: readonly GateResult[] = [], records = calm) =>
  headlineOf(summaryOf(records), judged, gates).title;

describe('the headline', () => {
  it.each([
    ['rate', 'The service broke its rate limit'],
    ['concurrency', 'The service broke its concurrency limit'],
    ['daily', 'The service broke its daily quota'],
    ['wrongful-refusal', 'The service refused requests that it had to admit'],
    ['replay-refused', 'The service misbehaved: replay refused'],
  ])('of a proof of %s is: %s', (violation, expected) => {
    expect(title(withProof(violation))).toBe(expected);
    expect(headlineOf(summaryOf(calm), withProof(violation), []).lead).toBe(`Proof of ${violation}.`);
  });

  it('reports a proof before gates, an invalid run before gates, and how many gates failed', () => {
    const failing = [gate('fail', true), gate('undetermined', true), gate('undetermined', false), gate('pass', false)];
    expect(title(withProof('rate', 'daily'), failing)).toBe('The service broke its rate limit');
    expect(headlineOf(summaryOf(calm), withProof('rate', 'daily'), failing).lead).toContain(
      '1 more violation proven below',
    );
    expect(title(withProof(), failing)).toBe('1 gate failed, 1 gate could not be decided');
    const cut = calm.slice(0, -1);
    expect(title(judgedOf(cut), failing, cut)).toBe('This run is invalid');
  });

  it('says that the budget ended a run', () => {
    const ended = calm.map((record) =>
      record.kind === 'end' ? { ...record, complete: false, reason: 'budget' } : record,
    );
    expect(title(withProof(), [], ended)).toBe('Ended: its budget was spent');
  });

  it('counts unmet expectations', () => {
    expect(title(withProof(), [], sampleRun)).toBe('1 expectation not met');
  });

  it('says that no expectation could be checked', () => {
    const summary = {
      ...summaryOf(calm),
      expectations: { checked: 0, unmet: 0, neverChecked: true, examples: [] },
    } as const;
    expect(headlineOf(summary, withProof(), [])).toMatchObject({ mood: 'bad', title: 'No expectation was checked' });
  });

  it('never claims more than was judged', () => {
    expect(headlineOf(summaryOf(calm), withProof(), [])).toMatchObject({
      mood: 'good',
      title: 'Nothing is proven against the service',
      lead: 'Reached and held: rate limit. Undecided: concurrency limit, daily quota.',
    });
    const judged = withProof();
    const accepted = [{ violation: 'rate', claim: 'c', reason: 'r' }];
    const accepting = { ...judged, document: { ...judged.document, accepted } };
    expect(headlineOf(summaryOf(calm), accepting, [])).toMatchObject({
      title: 'Nothing is proven against the service beyond what its profile accepts',
      lead: expect.stringMatching(/ 1 proven violation accepted by the profile\.$/),
    });
    expect(headlineOf(summaryOf(calm), accepting, [gate('fail', true)]).lead).toMatch(/^Nothing .* accepts\. Reached/);
    const quiet: readonly JournalRecord[] = [
      header(),
      exchange(0, { status: 200 }),
      { ...calm.at(-1), exchanges: 1 } as JournalRecord,
    ];
    expect(headlineOf(summaryOf(quiet), judgedOf(quiet), [])).toMatchObject({ mood: 'open' });
    const met = { ...summaryOf(quiet), expectations: { checked: 1, unmet: 0, examples: [] } };
    expect(headlineOf(met, judgedOf(quiet), [])).toMatchObject({ mood: 'good' });
    expect(headlineOf(summaryOf(quiet), judgedOf(quiet), [gate('undetermined', false)])).toMatchObject({
      mood: 'open',
    });
    expect(headlineOf(summaryOf(quiet), judgedOf(quiet), [gate('undetermined', true)])).toMatchObject({
      mood: 'bad',
      title: '1 gate could not be decided',
    });
  });
});
