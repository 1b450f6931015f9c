import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/index.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { ask, once } from './small-runs.exam.ts';

type Step = ScenarioInput['journeys'][string]['steps'][number];

/** How a journey of these steps ended, and what it sent before. */
async function stopOf(steps: readonly Step[]) {
  const { exchanges, journeys } = await runVirtualScenario({ journeys: { a: { steps: [...steps] } }, load: once });
  return { sent: exchanges.map(({ operation }) => operation), stoppedAt: journeys.map((one) => one.stoppedAt) };
}

describe('a step stops its journey, and sends nothing,', () => {
  it.each<[string, Step]>([
    ['issueToken', { issueToken: { locale: '${gone}' } }],
    ['createConversation', { createConversation: { title: '${gone}' } }],
    ['createConversation', { createConversation: { conversation: '${gone}' } }],
    ['sendMessage', { sendMessage: { message: 'Hello ${gone}' } }],
    ['sendMessage', { sendMessage: { message: 'Hello', conversation: '${gone}' } }],
    ['sendMessage', { burst: { count: 2, message: '${gone}' } }],
    ['sendMessage', { resend: { content: 'other', message: '${gone}' } }],
    ['readHistory', { readHistory: { conversation: '${gone}' } }],
    ['rateAnswer', { rateAnswer: { rating: 'up', message: '${gone}' } }],
  ])('if a name has no value: as %s, %j', async (operation, step) => {
    const { sent, stoppedAt } = await stopOf([...ask, step]);
    expect(sent).toEqual((await stopOf(ask)).sent);
    expect(stoppedAt).toEqual([{ operation, because: expect.stringContaining('${gone}') }]);
  });

  const noConversation = 'no conversation: none was created before this step';
  it.each<[string, Step, string]>([
    ['createConversation', { createConversation: { conversation: 'resume' } }, noConversation],
    ['sendMessage', { sendMessage: { message: 'Hello' } }, noConversation],
    ['sendMessage', { resend: {} }, 'nothing to resend: no message was accepted before this step'],
    ['readHistory', { readHistory: {} }, noConversation],
    [
      'rateAnswer',
      { rateAnswer: { rating: 'up' } },
      'no answer to rate: no turn was seen to complete before this step',
    ],
  ])('if what it is about is not there: as %s, %j', async (operation, step, because) => {
    expect(await stopOf([step])).toEqual({ sent: [], stoppedAt: [{ operation, because }] });
  });
});
