import { expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { SHORTEST_RUN, SharedRuns } from './shared-runs.ts';

it.each([
  ['token characters', 'abcdef0123456789'],
  ['any bytes', 'ab\x00\xff "\\{}01234'],
])('finds each run that a text has in common with one of many, and no other: %s', (_, signs) => {
  const random = seededRandom(7);
  const drawn = (length: number) => Array.from({ length }, () => signs[random.integer(signs.length)]).join('');
  const texts = Array.from({ length: 100 }, () => drawn(40));
  const runs = new SharedRuns(texts);
  const some = texts.slice(0, 30);
  for (const [index, text] of some.entries()) {
    const from = index % 10;
    const bytes = `${drawn(index)}${text.slice(from, from + 15 + (index % 8))}${drawn(9)}`;
    const ends = bytes.length - SHORTEST_RUN;
    const known = Array.from({ length: Math.max(0, ends + 1) }, (_, at) => at).filter((at) =>
      texts.some((one) => one.includes(bytes.slice(at, at + SHORTEST_RUN))),
    );
    expect([...new Set(runs.in({ bytes }))]).toEqual(known);
  }
});
