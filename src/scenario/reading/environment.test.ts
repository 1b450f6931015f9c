import { expect, it } from 'vitest';
import { withoutValues } from './environment.ts';

it('replaces a value that may be a secret within words, too, and a short one only where it stands alone', () => {
  const toldOf = (value: string) =>
    withoutValues(
      [{ path: ['rate'], message: `the pin${value}s "${value}"` }],
      { rate: '${env.N}' },
      { rate: value },
    )[0]?.message;
  expect(toldOf('4711')).toBe('the pin${env.N}s "${env.N}"');
  expect(toldOf('e')).toBe('the pines "${env.N}"');
});
