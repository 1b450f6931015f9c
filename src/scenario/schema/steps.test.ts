import { describe, expect, test } from 'vitest';
import type { Step, StepName } from './steps.ts';
import { Step as StepSchema, stepNameOf, stepNames, stepSchemas } from './steps.ts';

const operationSteps: Readonly<Record<Exclude<StepName, 'pause' | 'repeat'>, object>> = {
  issueToken: {},
  createConversation: {},
  sendMessage: { message: 'Hello' },
  burst: { count: 2 },
  resend: {},
  followTurn: {},
  readHistory: {},
  rateAnswer: { rating: 'up' },
};

describe('every step of an operation', () => {
  test.each(Object.entries(operationSteps))('%s takes the common members', (name, body) => {
    const common = {
      name: 'A step',
      capture: { id: 'turn_id' },
      expect: { status: [200, 429], body: { 'messages.0.role': { oneOf: ['user'] } } },
      onRefused: { retry: {} },
      onError: 'continue',
      credentials: 'none',
    };
    const step = StepSchema.parse({ [name]: body, ...common }) as Step & typeof common;
    expect(stepNameOf(step)).toBe(name);
    expect(step).toMatchObject({
      ...common,
      onRefused: { retry: { max: 3, obeyRetryAfter: true, retryAfterCeiling: 300_000, afterwards: 'stop' } },
    });
  });

  test.each(['expect', 'capture', 'onError'])('pause and repeat have no %s', (member) => {
    const value = { expect: {}, capture: {}, onError: 'stop' }[member];
    expect(StepSchema.safeParse({ pause: '1s', [member]: value }).success).toBe(false);
    expect(StepSchema.safeParse({ repeat: { times: 1, steps: [{ pause: '1s' }] }, [member]: value }).success).toBe(
      false,
    );
  });
});

test('every step name has a schema with the member of its name', () => {
  for (const name of stepNames) expect(Object.keys(stepSchemas[name].shape)).toContain(name);
});

test('defaults are filled in, durations are milliseconds', () => {
  expect(StepSchema.parse({ followTurn: { by: 'stream' } })).toEqual({
    followTurn: { by: 'stream', turns: 'last', interval: 1_000, backoff: 1 },
  });
  expect(StepSchema.parse({ burst: { count: 3, gap: '20ms', follow: {} } })).toMatchObject({
    burst: {
      of: 'sendMessage',
      count: 3,
      gap: 20,
      conversations: 1,
      nonce: true,
      follow: { by: 'poll', interval: 1_000 },
    },
  });
  expect(
    StepSchema.parse({ repeat: { times: 2, steps: [{ pause: { distribution: 'constant', value: '1s' } }] } }),
  ).toEqual({
    repeat: { times: 2, steps: [{ pause: { distribution: 'constant', value: 1_000 } }] },
  });
});
