import { describe, expect, it } from 'vitest';
import type { Certificate } from './certificates/certificate.ts';
import type { Finding } from './finding.ts';
import { plainWord } from './findings/plain-word.ts';
import { inert } from './inert.ts';
import { propose } from './inference/propose.ts';
import { renderInference } from './inference/render.ts';
import { boundsFor } from './readings/sample-attempts.exam.ts';
import { renderVerdicts } from './render.ts';
import type { LimitVerdict, Verdicts } from './verdict.ts';

const certificate = {
  claim: 'too\u0007many',
  rule: 'sliding-log-n-plus-1',
  reading: 'sliding-log',
  counts: 'bearer',
  scope: { application: 'a\u001b1', user: 'u\u061c\u200b\u{e0041}1' },
  fromUs: 1_234_567,
  toUs: 61_000_000,
  exchanges: [3, '1:4'],
} as unknown as Certificate;
const about = { declared: 'unknown', overAdmission: 'proven', wrongfulRefusal: 'not-proven', readings: [] } as const;
const inference = { behaves: 'behaves as it does', sentence: 'in full', possible: [], ruledOut: [] };
const limits: readonly LimitVerdict[] = [
  { ...about, limit: 'rate', verdict: 'violated', because: 'over-admission', certificate, inference },
  { ...about, limit: 'concurrency', verdict: 'consistent' },
  { ...about, limit: 'daily', verdict: 'undecided', missing: ['a refusal', 'exchanges'] },
];
const finding: Finding = { kind: 'turn-ended-twice', basis: 'profile', claim: 'twice', exchanges: [] };
const verdicts: Verdicts = {
  format: 'spillway-verdicts',
  version: 1,
  limits,
  refusals: {
    total: 5,
    unnamed: 2,
    attributed: { rate: 2, concurrency: 0, daily: 1, ambiguous: 2 },
    wrongful: [{ exchange: 7, certificates: [] }],
  },
  findings: [finding],
  soundness: {
    exclusive: true,
    flushed: { rate: true, concurrency: true, daily: true },
    complete: false,
    skipped: { 'odd\u009bkind': 2, 'torn last line': 1 },
  },
};

describe('verdicts for people', () => {
  it('say all that they have, and nothing that a terminal obeys', () => {
    expect(renderVerdicts(verdicts, 'results/x').split('\n')).toEqual([
      'rate: violated (over-admission)',
      '  too\\u{7}many',
      '  rule sliding-log-n-plus-1, reading sliding-log, counting bearer, of application a\\u{1b}1, user u\\u{61c}\\u{200b}\\u{e0041}1',
      '  between 1.235 s and 61.000 s of the run',
      '  exchanges: 3 1:4',
      '  show it again: spillway check results/x',
      '  in full',
      'concurrency: consistent',
      'daily: undecided',
      '  missing: a refusal',
      '  missing: exchanges',
      'refusals: 5 (rate 2, daily 1, ambiguous 2); 2 of them without a code that names a limit: attributed by elimination, or from an intermediary; ambiguous: by one of several limits, or by an intermediary',
      '  wrongful: request 7, which no reading explains',
      'found: turn-ended-twice (profile)',
      '  twice',
      'the history is incomplete: no refusal is proven wrongful',
      'not used as evidence: 2 × odd\\u{9b}kind, 1 × torn last line',
      '',
    ]);
    expect(renderVerdicts(verdicts, 'x', { brief: true })).toContain('\n  behaves as it does\nconcurrency');
    const [one] = verdicts.refusals.wrongful;
    const wrongful = [4, 7, 9].map((exchange) => ({ ...one, exchange }) as NonNullable<typeof one>);
    expect(renderVerdicts({ ...verdicts, refusals: { ...verdicts.refusals, wrongful } }, 'x')).toContain(
      '\n  wrongful: 3 requests, which no reading explains: 4 7 9\nfound',
    );
  });

  it('say nothing of what there is not', () => {
    const none = { rate: 0, concurrency: 0, daily: 0, ambiguous: 0 };
    const soundness = { ...verdicts.soundness, complete: true, skipped: {} };
    const refusals = { total: 0, unnamed: 0, attributed: none, wrongful: [] };
    expect(renderVerdicts({ ...verdicts, limits: [], refusals, findings: [], soundness })).toBe('refusals: 0\n');
  });

  it('name sixty exchanges, and how many more', () => {
    const [violated] = limits as readonly [Extract<LimitVerdict, { verdict: 'violated' }>];
    const of = (count: number) => {
      const exchanges = Array.from({ length: count }, (_, i) => i);
      const one = { ...violated, certificate: { ...certificate, scope: {}, exchanges } as Certificate };
      return renderVerdicts({ ...verdicts, limits: [one] }).split('\n');
    };
    const sixty = Array.from({ length: 60 }, (_, i) => i).join(' ');
    expect(of(60)[4]).toBe(`  exchanges: ${sixty}`);
    expect(of(62)[4]).toBe(`  exchanges: ${sixty} and 2 more`);
    expect(of(0)[4]).toBe('  exchanges: none');
    expect(of(0)[2]).toBe('  rule sliding-log-n-plus-1, reading sliding-log, counting bearer');
    expect(of(0)[5]).toBe('  show it again: spillway check RUN');
  });
});

describe('what a limit behaves as', () => {
  it('is said with the numbers of three readings, and how to tell them apart', () => {
    const possible = ['a', 'b', 'c', 'd'].map((reading, i) => ({
      ...{ reading, scope: 'user', counts: 'bearer', says: reading },
      ...(i !== 1 && { fits: `${i} turns` }),
    }));
    const whole = { ...inference, possible, experiment: { sentence: 'try' } };
    expect(renderInference(whole, false)).toEqual([
      ...['  in full', '  a fits with 0 turns', '  c fits with 2 turns', '  to tell them apart: try'],
    ]);
    expect(renderInference(whole, true)).toEqual(['  behaves as it does']);
    expect(renderInference(undefined, false)).toEqual([]);
  });

  it('is told apart from what it may be instead by messages, of slots and of days', () => {
    const sentence = (limit: 'concurrency' | 'daily', ...readings: string[]) =>
      propose(
        limit,
        readings.map((reading) => ({ reading, scope: '', counts: '', says: '' })),
        boundsFor(5, 0),
      )?.sentence;
    expect(sentence('daily', 'utc', 'utc')).toBeUndefined();
    expect(sentence('concurrency', 'accepted-to-finished', 'processing-only')).toBe(
      'keep 5 turns open that still wait (queued) and send one more message: a slot from acceptance to the end of the turn refuses it, a slot only while the turn is in process accepts it',
    );
    expect(sentence('daily', 'utc', 'token-timezone', 'rolling')).toBe(
      "use a token whose time zone has its midnight within the hour, send 5 messages before it and one just after it: a day from midnight in the token's time zone accepts that, a day from 00:00 UTC or a span of any 24 hours refuses it",
    );
    expect(sentence('daily', 'utc', 'first-use', 'rolling')).toBe(
      'send 5 messages in the hour before that midnight and one just after it: a day from 00:00 UTC accepts it, a day from the first message or a span of any 24 hours refuses it',
    );
    expect(sentence('daily', 'first-use', 'rolling')).toBe(
      'send 2 messages, 3 more 12 hours later, and 3 at 24 hours after the first: a day from the first message accepts all, a span of any 24 hours accepts 2',
    );
  });
});

describe('text of a service', () => {
  it('shows its control characters, and is cut', () => {
    expect(inert('a\u0000\u001f\u007f\u009f\u200e\u202e\u2028\u2069ä')).toBe(
      'a\\u{0}\\u{1f}\\u{7f}\\u{9f}\\u{200e}\\u{202e}\\u{2028}\\u{2069}ä',
    );
    expect(inert('x'.repeat(500))).toBe('x'.repeat(500));
    expect(inert('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
  });

  it('is itself, on one line and short, where it stands in a sentence', () => {
    for (const word of ['rate_limited/v1.2:+@ -', '=1+1', 'zu_viele_(grüße)', 'x'.repeat(40)])
      expect(plainWord(word)).toBe(word);
    expect(plainWord('a\nb\u001bc\u202e')).toBe('a\\nb\\u{1b}c\\u{202e}');
    expect(plainWord('x'.repeat(41))).toBe(`${'x'.repeat(39)}…`);
  });
});
