import { isPlainText } from '../../base/index.ts';
import type { ResendStep } from '../../scenario/index.ts';
import type { JourneyState, SentMessage, StepEnd } from '../journeys/journey-state.ts';
import { renderAll } from '../journeys/scope.ts';
import { policiesOf } from '../policies/decision.ts';
import { sendWithPolicy } from '../policies/policy.ts';
import { settle, sideBySide } from './operation.ts';
import { messageRequest } from './send-message.ts';

/**
 * Sends the last message again under its client_message_id: with the same content (a replay: no new turn, no quota) or with
 * other content. Holds no open-turn slot: a replay opens no turn.
 */
export async function resend(journey: JourneyState, step: ResendStep): Promise<StepEnd> {
  const { content } = step.resend;
  const last = journey.lastMessage;
  if (!last)
    return {
      kind: 'stop',
      operation: 'sendMessage',
      because: 'nothing to resend: no message was accepted before this step',
    };
  const rendered = renderAll(journey, { other: step.resend.message });
  if (rendered.kind === 'stop') return { ...rendered, operation: 'sendMessage' };
  const message = content === 'same' ? last : withText(last, rendered.texts.other ?? `${last.text} (changed)`);
  const request = messageRequest(journey, message, step, content);
  return sideBySide(journey, step.resend, async (index, intendedAt) => {
    const policies = { member: index, ...policiesOf(journey, step) };
    const settled = await sendWithPolicy(journey, request, intendedAt, policies);
    return settle(journey, step, 'sendMessage', settled);
  });
}

const withText = (message: SentMessage, text: string): SentMessage => ({
  ...message,
  text,
  base: text,
  nonce: undefined,
  isPlain: isPlainText(text),
});
