import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { judge, weigh } from '../check/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { hostileRun } from './exporters/hostile-run.exam.ts';
import { sampleRun } from './exporters/journals.exam.ts';
import { type VerdictsDocument, VerdictsSchema, verdictsJsonSchema } from './verdicts-json.ts';

const read = (seq: number, at: number) => exchange({ seq, conversation: 'c1', token: 't1', sentAt: us(at) });
const refused = (seq: number, at: number, code: string) => ({
  ...read(seq, at),
  outcome: 'refused' as const,
  status: 429,
  error: { code, retryable: true, requestId: 'r' },
});
const whole = (...records: JournalRecord[]): JournalRecord[] => [
  header(),
  ...records,
  end({ exchanges: records.length }),
];

const histories: Readonly<Record<string, readonly JournalRecord[]>> = {
  'too many admitted': whole(...Array.from({ length: 41 }, (_, seq) => read(seq, seq * 1_000))),
  'refused with nothing before it': whole(refused(0, 0, 'rate_limited'), refused(1, 9_000, 'unheard-of')),
  'a turn that went back': whole(poll(0, 't1', 'completed', 0, 900), poll(1, 't1', 'queued', 5_000, 5_900)),
  'the sample run': sampleRun,
  'a hostile service': hostileRun,
};

const documentOf = (records: readonly JournalRecord[]): VerdictsDocument => {
  const verdicts = judge(records);
  return JSON.parse(JSON.stringify({ ...verdicts, ...weigh(verdicts, undefined) })) as VerdictsDocument;
};

describe('verdicts.json', () => {
  it.each(Object.entries(histories))('of %s has the members of the definition and no others', (_, records) => {
    expect(VerdictsSchema.safeParse(documentOf(records)).error?.issues).toBeUndefined();
  });

  it.each(Object.entries(histories))('of %s satisfies the published schema', (_, records) => {
    const validate = new Ajv2020({ allErrors: true, strictTypes: false }).compile(verdictsJsonSchema());
    validate(documentOf(records));
    expect(validate.errors).toBeNull();
  });

  it('is rejected by the published schema without its proof, and with an invalid basis', () => {
    const validate = new Ajv2020({ strictTypes: false }).compile(verdictsJsonSchema());
    const document = documentOf(histories['too many admitted'] ?? []);
    const [rate] = document.limits;
    expect(rate).toMatchObject({ verdict: 'violated' });
    expect(validate({ ...document, limits: [{ ...rate, certificate: undefined }] })).toBe(false);
    const finding = { kind: 'k', basis: 'hearsay', claim: 'c', exchanges: [] };
    expect(validate({ ...document, findings: [finding] })).toBe(false);
    expect(validate({ ...document, findings: [{ ...finding, basis: 'observation' }], new: 1 })).toBe(true);
  });
});
