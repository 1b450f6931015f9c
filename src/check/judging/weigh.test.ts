import { describe, expect, it } from 'vitest';
import { header } from '../../testing/history/sample-records.ts';
import { rateVerdicts } from '../../testing/rate-verdicts.ts';
import type { Finding } from '../finding.ts';
import type { LimitVerdict, Verdicts, WrongfulRefusedExchange } from '../verdict.ts';
import { weigh } from './weigh.ts';

const { violated, consistent } = rateVerdicts;
const { claim } = violated.certificate;
const wrongful = {
  exchange: 7,
  certificates: [
    { claim: 'too few for rate', limit: 'rate' },
    { claim: 'too few for daily', limit: 'daily' },
  ],
} as unknown as WrongfulRefusedExchange;
const finding = (kind: string, basis: Finding['basis']): Finding => ({
  kind,
  basis,
  claim: `${kind}!`,
  exchanges: [1],
});

const verdicts = (members: {
  limits?: readonly LimitVerdict[];
  wrongful?: readonly WrongfulRefusedExchange[];
  findings?: readonly Finding[];
}): Verdicts => ({
  format: 'spillway-verdicts',
  version: 1,
  limits: members.limits ?? [],
  refusals: {
    total: 0,
    unnamed: 0,
    attributed: { rate: 0, concurrency: 0, daily: 0, ambiguous: 0 },
    wrongful: members.wrongful ?? [],
  },
  findings: members.findings ?? [],
  soundness: { exclusive: true, flushed: { rate: true, concurrency: true, daily: true }, complete: true, skipped: {} },
});
const accepting = (...violations: string[]) => ({
  accepted: violations.map((violation) => ({ violation, reason: `${violation} is known` })),
});

describe('what counts against a service', () => {
  it('is a violated limit, and no other', () => {
    expect(weigh(verdicts({ limits: [violated] }), {})).toEqual({
      proven: [{ violation: 'rate', claim }],
      accepted: [],
    });
    expect(weigh(verdicts({ limits: [consistent] }), {}).proven).toEqual([]);
  });

  it('is a finding by the specification or the profile, once per kind; an observation is told only', () => {
    const findings = [
      finding('a', 'observation'),
      finding('b', 'profile'),
      finding('c', 'specification'),
      finding('b', 'profile'),
    ];
    expect(weigh(verdicts({ findings }), {}).proven.map(({ violation }) => violation)).toEqual(['b', 'c']);
  });

  it('is a refusal that no limit explains, unless a limit says so already', () => {
    expect(weigh(verdicts({ wrongful: [wrongful] }), {}).proven).toEqual([
      { violation: 'wrongful-refusal', claim: 'too few for rate' },
    ]);
    // A limit may be kept as far as its other refusals go.
    expect(weigh(verdicts({ limits: [consistent], wrongful: [wrongful] }), {}).proven).toMatchObject([
      { violation: 'wrongful-refusal' },
    ]);
    const bare = { exchange: 8, certificates: [] };
    expect(weigh(verdicts({ wrongful: [bare] }), {}).proven).toEqual([
      { violation: 'wrongful-refusal', claim: 'request 8 was refused, and no limit explains it' },
    ]);
    const told = weigh(verdicts({ limits: [violated], wrongful: [wrongful] }), {});
    expect(told.proven.map(({ violation }) => violation)).toEqual(['rate']);
  });

  it('is not what the profile accepts, which is told with its reason', () => {
    const both = verdicts({ limits: [violated], findings: [finding('b', 'profile')], wrongful: [wrongful] });
    expect(weigh(both, accepting('rate', 'c'))).toEqual({
      proven: [{ violation: 'b', claim: 'b!' }],
      accepted: [{ violation: 'rate', claim, reason: 'rate is known' }],
    });
    expect(weigh(verdicts({ wrongful: [wrongful] }), accepting('daily')).proven).toEqual([]);
    expect(weigh(verdicts({ wrongful: [wrongful] }), accepting('wrongful-refusal')).proven).toEqual([]);
  });

  it('is read from the profile of a header as it is from none', () => {
    expect(weigh(verdicts({ limits: [violated] }), header().profile).proven).toHaveLength(1);
    expect(weigh(verdicts({ limits: [violated] }), undefined).proven).toHaveLength(1);
  });
});
