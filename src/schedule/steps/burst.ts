import type { Micros } from '../../base/index.ts';
import type { BurstStep } from '../../scenario/index.ts';
import type { Request } from '../exchanges/request.ts';
import { type JourneyState, next, type OpenTurn, type StepEnd } from '../journeys/journey-state.ts';
import { policiesOf } from '../policies/decision.ts';
import { type Settled, sendWithPolicy } from '../policies/policy.ts';
import { chosenId, conversationIdOf, conversationRequest } from './create-conversation.ts';
import { followOne } from './follow-turn.ts';
import { settle, sideBySide } from './operation.ts';
import { historyRequest } from './read-history.ts';
import { compose, messageRequest, rememberTurn } from './send-message.ts';

/** `count` requests at once, or `gap` apart, from one conversation or spread over several. */
export async function burst(journey: JourneyState, step: BurstStep): Promise<StepEnd> {
  const prepared = step.burst.of === 'createConversation' ? next : await prepareConversations(journey, step);
  if (prepared.kind !== 'next') return prepared;
  return sideBySide(journey, step.burst, (index, intendedAt) => oneOfBurst(journey, step, index, intendedAt));
}

async function oneOfBurst(journey: JourneyState, step: BurstStep, index: number, intendedAt: Micros): Promise<StepEnd> {
  const { of: operation, conversations } = step.burst;
  const conversation = journey.conversations[index % conversations] ?? journey.conversation;
  const send = (request: Request): Promise<Settled> =>
    sendWithPolicy(journey, request, intendedAt, { member: index, ...policiesOf(journey, step) });
  if (operation === 'createConversation') {
    // As many ids as conversations: the first request of each creates it, the others resume it, all at once.
    const request = conversationRequest(chosenId(journey, index % conversations), undefined, step);
    return settle(journey, step, operation, await send(request));
  }
  if (operation === 'readHistory') {
    const request = historyRequest(journey, { conversation: conversation ?? '' }, step);
    return settle(journey, step, operation, await send(request));
  }
  const composed = compose(journey, step.burst, index, conversation);
  if (composed.kind === 'stop') return { ...composed, operation };
  const settled = await send(messageRequest(journey, composed.message, step));
  let opened: { readonly turn: OpenTurn; readonly startAt: Micros } | undefined;
  const end = settle(journey, step, operation, settled, (sent) => {
    const turn = rememberTurn(journey, composed.message.conversation, sent);
    if (turn) journey.lastMessage = composed.message;
    opened = turn && { turn, startAt: sent.reply.receivedAt };
  });
  if (!opened || !step.burst.follow) return end;
  // Expectations and captures of the step apply to its own requests' answers, not to the polls.
  const { expect: _, capture: __, ...following } = step;
  return followOne({ journey, step: following, settings: step.burst.follow, member: index, ...opened });
}

/** Creates the conversations that the burst lacks, one after another, as exchanges of this step. */
async function prepareConversations(journey: JourneyState, step: BurstStep): Promise<StepEnd> {
  while (journey.conversations.length < step.burst.conversations) {
    const request = conversationRequest(chosenId(journey, journey.conversations.length), undefined);
    const settled = await sendWithPolicy(journey, request, journey.cursor, policiesOf(journey, step));
    let id: string | undefined;
    const end = settle(journey, {}, 'createConversation', settled, (sent) => {
      id = conversationIdOf(sent);
    });
    if (end.kind !== 'next') return end;
    if (id === undefined) return NOT_CREATED;
    journey.conversations.push(id);
    journey.conversation ??= id;
  }
  return next;
}

const NOT_CREATED: StepEnd = {
  kind: 'stop',
  operation: 'createConversation',
  because: 'a conversation for the burst could not be created',
};
