import { describe, expect, it } from 'vitest';
import { judgedOf } from '../../testing/reports.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { renderVerdictsDocument } from './verdicts.ts';

describe('verdicts at a terminal', () => {
  const { document } = judgedOf(sampleRun);

  it('are wrapped and indented without losing a word', () => {
    const text = renderVerdictsDocument(document, 'results/x');
    const wrapped = renderVerdictsDocument(document, 'results/x', { columns: 60 });
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeGreaterThan(80);
    expect(Math.max(...wrapped.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
    expect(wrapped.split(/\s+/)).toEqual(text.split(/\s+/));
    expect(wrapped.split('\n').slice(0, 3)).toEqual([
      'rate: violated (wrongful-refusal)',
      '  request 5 was refused although at most 5 can have counted',
      '    in the 120.1 s before it, refused ones included, or',
    ]);
  });

  it('have a line for each word that is longer than the terminal is wide, and none that is empty', () => {
    const text = renderVerdictsDocument(document, 'results/x');
    const narrow = renderVerdictsDocument(document, 'results/x', { columns: 3 });
    expect(narrow.split(/\s+/)).toEqual(text.split(/\s+/));
    const empty = (lines: string) => lines.split('\n').filter((line) => line.trim() === '').length;
    expect(empty(narrow)).toBe(empty(text));
  });

  it('are not wrapped without a width', () => {
    expect(renderVerdictsDocument(document, 'results/x').split('\n')[0]).toBe('rate: violated (wrongful-refusal)');
  });
});
