import { describe, expect, it } from 'vitest';
import { header } from '../../testing/history/sample-records.ts';
import { openPool } from './pool.ts';
import { run, workInTemporaryFolder } from './runs-on-disk.exam.ts';

workInTemporaryFolder();

const at = (baseUrl: string) => ({ plan: 'p', profile: { baseUrl } });
const refusals = (runs: readonly string[], present: Parameters<typeof header>[0]) => {
  try {
    openPool({ runs }, header({ runId: 'present', ...present }));
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.replace(/^--pool \S+ /, ''));
  }
};

describe('runs that are judged together', () => {
  it('may name one service with and without a slash at the end', () => {
    const pooled = run(50, { header: at('https://a.example.com/') });
    expect(refusals([pooled], at('https://a.example.com'))).toEqual([]);
    expect(refusals([pooled], at('https://a.example.com//'))).toEqual([]);
    expect(refusals([pooled], at('https://b.example.com/'))).toEqual([
      expect.stringContaining('ran against https://a.example.com, not https://b.example.com'),
    ]);
  });

  it('are each judged once', () => {
    const [one, other] = [run(50, { header: { runId: 'same' } }), run(60, { header: { runId: 'same' } })];
    expect(refusals([one], { runId: 'same', plan: 'p' })).toEqual([expect.stringContaining('is already judged')]);
    expect(refusals([one, other], { plan: 'p' })).toEqual([expect.stringContaining('is already judged')]);
    expect(refusals([one], { plan: 'p' })).toEqual([]);
  });
});
