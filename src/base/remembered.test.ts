import { expect, it } from 'vitest';
import { rememberedOf } from './remembered.ts';

it('computes once per object, whatever the result, and distinguishes objects', () => {
  const asked: object[] = [];
  const answers = new Map<object, string | undefined>();
  const answerOf = rememberedOf((of: object) => {
    asked.push(of);
    return answers.get(of);
  });
  const [one, other] = [{}, {}];
  answers.set(one, 'one');
  expect([one, one, other, other, one].map(answerOf)).toEqual(['one', 'one', undefined, undefined, 'one']);
  expect(asked).toEqual([one, other]);
  expect(asked[0]).toBe(one);
});
