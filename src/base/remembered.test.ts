import { expect, it } from 'vitest';
import { rememberedOf } from './remembered.ts';

it('asks once of each object, whatever it returns, and tells objects apart', () => {
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
