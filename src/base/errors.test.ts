import { describe, expect, it } from 'vitest';
import { ConfigurationError, ExitCode, formatProblem, nearest, SpillwayError, together, whyNotRead } from './errors.ts';

describe('a problem', () => {
  it.each([
    [{ path: '', message: 'is wrong' }, 'is wrong'],
    [{ path: '--seed', message: 'is wrong' }, '--seed: is wrong'],
    [{ path: '--seed', message: 'is wrong', hint: 'write 1' }, '--seed: is wrong; write 1'],
    [{ file: 'a.yaml', path: '', message: 'is empty' }, 'a.yaml: is empty'],
    [{ file: 'a.yaml', line: 12, path: '', message: 'is wrong' }, 'a.yaml:12:1: is wrong'],
    [
      { file: 'a.yaml', line: 12, column: 5, path: 'journeys.a', message: 'is wrong', hint: 'write b' },
      'a.yaml:12:5 journeys.a: is wrong; write b',
    ],
    [{ file: 'a.ts', path: 'journeys.a', message: 'is wrong' }, 'a.ts journeys.a: is wrong'],
  ])('%j reads %j', (problem, text) => {
    expect(formatProblem(problem)).toBe(text);
  });

  it('is reported together with all others, one per line, with exit code 104', () => {
    const problems = [
      { path: 'a', message: 'is one' },
      { path: 'b', message: 'is two' },
    ];
    const error = new ConfigurationError(problems);
    expect(error.message).toBe('a: is one\nb: is two');
    expect(error.exitCode).toBe(104);
    expect(error.code).toBe('INVALID_CONFIGURATION');
    expect(error.problems).toEqual(problems);
    expect(error).toBeInstanceOf(SpillwayError);
  });
});

it('checks report all their problems, also more than a call has arguments', async () => {
  const problems = Array.from({ length: 130_000 }, (_, i) => ({ path: `steps[${i}]`, message: 'is wrong' }));
  const check = () => {
    throw new ConfigurationError(problems);
  };
  const error = await together(check, check, () => 1).catch((thrown: unknown) => thrown);
  expect((error as ConfigurationError).problems).toEqual(problems);
});

describe('exit codes', () => {
  it('are as documented, each with one meaning', () => {
    expect(ExitCode).toEqual({
      ok: 0,
      toolDefect: 1,
      limitViolated: 10,
      invalidRun: 11,
      targetUnusable: 12,
      gateFailed: 99,
      invalidConfiguration: 104,
      interrupted: 105,
      scenarioThrew: 107,
      abortedByGate: 108,
    });
  });
});

describe('the nearest word', () => {
  const steps = ['sendMessage', 'createConversation', 'readHistory', 'pause'];
  it.each([
    ['sendMesage', 'sendMessage'],
    ['sendmessage', 'sendMessage'],
    ['readHistroy', 'readHistory'],
    ['createConversatoin', 'createConversation'],
    ['puase', 'pause'],
    ['pauses', 'pause'],
    ['wait', undefined],
    ['', undefined],
    ['history', undefined],
    // Of eighteen letters, three swaps are few; one swap does not make up for other letters before it.
    ['craeteConvresatoin', 'createConversation'],
    ['wholes', undefined],
  ])('to %j is %j', (word, expected) => {
    expect(nearest(word, steps)).toBe(expected);
  });

  it.each([
    ['vus', undefined],
    ['csv', undefined],
    ['rps', undefined],
    ['rate', 'gate'],
    ['laod', 'load'],
    ['yse', 'yes'],
    ['nmae', 'name'],
  ])('to the short %j is %j: two of its letters are most of it', (word, expected) => {
    expect(nearest(word, ['out', 'env', 'yes', 'name', 'load', 'gate'])).toBe(expected);
  });

  it('is undefined without candidates', () => {
    expect(nearest('anything', [])).toBeUndefined();
  });
});

describe('a file that cannot be read', () => {
  const failing = (code: string) => Object.assign(new Error(`${code}: what the system says, open 'a.yaml'`), { code });

  it.each([
    ['EACCES', 'permission denied', 'check its permissions and those of the folders above it'],
    ['EPERM', 'permission denied', 'check its permissions and those of the folders above it'],
    ['EISDIR', 'it is a folder', 'check the path'],
    ['ELOOP', 'its links lead in a circle', 'check the path'],
    ['ENOTDIR', 'a file stands where a folder should be', 'check the path'],
    ['EIO', "EIO: what the system says, open 'a.yaml'", 'check the path'],
  ])('tells %s in words, and what to do about it', (code, reason, hint) => {
    expect(whyNotRead(failing(code), 'check the path')).toEqual({ message: `cannot be read: ${reason}`, hint });
  });
});

it('takes a word for one that is two edits away from five letters on', () => {
  expect([nearest('users', ['uses on', 'useal']), nearest('user', ['used', 'usul'])]).toEqual(['useal', 'used']);
  expect(nearest('user', ['usul'])).toBeUndefined();
});
