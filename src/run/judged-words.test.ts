import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../api/index.ts';
import { checkJudgedWords } from './judged-words.ts';

const profile = (text: object) => TargetProfileSchema.parse(text);

describe('words that only the judge knows', () => {
  it('are its readings, "unknown", the limits and the kinds of findings', () => {
    const known = profile({
      limits: { rate: { reading: 'fixed-window' }, daily: { reading: 'unknown' } },
      accepted: [
        { violation: 'rate', reason: 'known' },
        { violation: 'replay-refused', reason: 'known' },
      ],
    });
    expect(() => checkJudgedWords(known, 'p.yaml')).not.toThrow();
  });

  it('are told all at once where they are mistyped, or of another limit', () => {
    const mistyped = profile({
      limits: { rate: { reading: 'fixed-windw' }, concurrency: { reading: 'sliding-log' } },
      accepted: [{ violation: 'replay-refusd', reason: 'known' }],
    });
    expect(() => checkJudgedWords(mistyped, 'p.yaml')).toThrow(
      [
        'p.yaml limits.rate.reading: "fixed-windw" is not known; did you mean fixed-window?',
        'p.yaml limits.concurrency.reading: "sliding-log" is not known; write one of accepted-to-finished, processing-only, unknown',
        'p.yaml accepted[0].violation: "replay-refusd" is not known; did you mean replay-refused?',
      ].join('\n'),
    );
  });
});
