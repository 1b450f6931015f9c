import { expect, it } from 'vitest';
import { loadedFrom } from '../testing/virtual.ts';
import { adjust } from './adjust.ts';

it('a single arrival is written alike in every version, as runs are compared by the digest of their plan', () => {
  const journeys = { a: { steps: [{ createConversation: {} }] } };
  const loaded = loadedFrom({ journeys, load: { model: 'burst', count: 20 }, warmUp: '5s' });
  const { load, phases, warmUp } = adjust(loaded, { once: true }).scenario;
  expect(JSON.stringify(load)).toBe('[{"model":"burst","count":1,"gap":0,"start":0,"journeys":["a"]}]');
  expect({ phases, warmUp }).toEqual({ warmUp: 0 });
});
