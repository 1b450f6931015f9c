import { expect, it } from 'vitest';
import { ConfigurationError } from '../base/index.ts';
import { resolveHeaders } from './gateway-headers.ts';

const problemsOf = (written: Record<string, string>, env: Record<string, string>) => {
  try {
    resolveHeaders('p.yaml', written, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ path, message, hint }) => `${path}: ${message}; ${hint}`);
  }
};

it('fills in variables, converts names to lower case, and marks secrets', () => {
  const written = { 'X-Api-Key': 'Key ${env.KEY}', 'x-team': 'load', 'x-both': '${env.KEY}-${env.OTHER}' };
  expect(resolveHeaders('p.yaml', written, { KEY: 'k-1', OTHER: 'o-2' })).toEqual({
    headers: { 'x-api-key': 'Key k-1', 'x-team': 'load', 'x-both': 'k-1-o-2' },
    secrets: ['Key k-1', 'k-1', 'k-1-o-2', 'o-2'],
  });
});

it('reports every unset variable and every invalid header value, and quotes none', () => {
  const written = { 'x-a': '${env.A}', 'x-b': '${env.B}', 'x-c': '${env.C}', 'x-d': '' };
  const unfit =
    'has a value that is not allowed in a header; use printable ASCII without line breaks or surrounding blanks';
  expect(problemsOf(written, { B: 'two\r\nlines', C: ' blank' })).toEqual([
    'client.headers.x-a: the environment variable A is not set; set it with export A=… or pass -e A=…',
    `client.headers.x-b: ${unfit}`,
    `client.headers.x-c: ${unfit}`,
    `client.headers.x-d: ${unfit}`,
  ]);
});
