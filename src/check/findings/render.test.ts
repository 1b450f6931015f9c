import { expect, it } from 'vitest';
import { renderFindings } from './render.ts';

it('tells what counts first, each kind once, and how many are not listed', () => {
  const one = (kind: string, basis: 'profile' | 'observation', claim: string, total?: number) => ({
    kind,
    basis,
    claim,
    exchanges: [3, '1:4' as const],
    ...(total !== undefined && { total }),
  });
  const findings = [
    one('code-unmapped', 'observation', 'a code \u001b[31m of the service'),
    one('turn-ended-twice', 'profile', 'a turn ended twice', 31),
    one('turn-ended-twice', 'profile', 'another one', 31),
  ];
  expect(renderFindings(findings)).toEqual([
    'found: turn-ended-twice (profile)',
    '  a turn ended twice [exchanges 3 1:4]',
    '  another one [exchanges 3 1:4]',
    '  and 29 more',
    'observed, not judged: code-unmapped (observation)',
    '  a code \\u{1b}[31m of the service [exchanges 3 1:4]',
  ]);
  expect(renderFindings([])).toEqual([]);
  const alike = Array.from({ length: 8 }, (_, i) => one('k', 'profile', `number ${i}`));
  expect(renderFindings(alike).map((line) => line.replace(/ \[.*/, ''))).toEqual([
    'found: k (profile)',
    ...[0, 1, 2, 3, 4].map((i) => `  number ${i}`),
    '  and 3 more',
  ]);
  const many = { ...one('k', 'profile', 'much'), exchanges: Array.from({ length: 14 }, (_, i) => i) };
  expect(renderFindings([many])[1]).toBe('  much [exchanges 0 1 2 3 4 5 6 7 8 9 10 11 and 2 more]');
  expect(renderFindings([one('k', 'profile', 'one', 1_001)])[2]).toBe('  and 1,000 more');
});
