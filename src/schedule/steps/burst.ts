import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { BurstStep } from '../../scenario/index.ts';
import { policiesOf } from '../decision.ts';
import { type JourneyState, next, type StepEnd } from '../journey-state.ts';
import { type Settled, sendWithPolicy } from '../policy.ts';
import { chosenId, conversationIdOf, conversationRequest } from './create-conversation.ts';
import { followOne } from './follow-turn.ts';
import { settle } from './operation.ts';
import { historyRequest } from './read-history.ts';
import { compose, messageRequest, rememberTurn } from './send-message.ts';

/** `count` requests at once, or `gap` apart, from one conversation or spread over several. */
export async function burst(journey: JourneyState, step: BurstStep): Promise<StepEnd> {
  const { of: operation, count, gap } = step.burst;
  const prepared = operation === 'createConversation' ? next : await prepareConversations(journey, step);
  if (prepared.kind !== 'next') return prepared;
  const start = journey.cursor;
  const ends = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const intendedAt = (start + index * microsFromMillis(gap)) as Micros;
      await journey.world.clock.sleepUntil(intendedAt, journey.stop.finish);
      return journey.stop.finish.aborted
        ? ({ kind: 'interrupted' } as const)
        : oneOfBurst(journey, step, index, intendedAt);
    }),
  );
  // Each request has its own policy; the step ends like the first request that did not go on.
  return ends.find((end) => end.kind !== 'next') ?? next;
}

async function oneOfBurst(journey: JourneyState, step: BurstStep, index: number, intendedAt: Micros): Promise<StepEnd> {
  const { of: operation, conversations } = step.burst;
  const conversation = journey.conversations[index % conversations] ?? journey.conversation;
  const send = (request: Parameters<typeof sendWithPolicy>[1]): Promise<Settled> =>
    sendWithPolicy(journey, request, intendedAt, { member: index, ...policiesOf(journey, step) });
  if (operation === 'createConversation') {
    return settle(
      journey,
      step,
      operation,
      // As many ids as conversations: the first request of each creates it, the others resume it, all at once.
      await send(conversationRequest(chosenId(journey, index % conversations), undefined, step)),
      () => undefined,
    );
  }
  if (operation === 'readHistory') {
    return settle(
      journey,
      step,
      operation,
      await send(historyRequest(journey, { conversation: conversation ?? '' }, step)),
      () => undefined,
    );
  }
  const composed = compose(journey, step.burst, index, conversation);
  if (composed.kind === 'stop') return { ...composed, operation };
  const settled = await send(messageRequest(journey, composed.message, step));
  let turn: ReturnType<typeof rememberTurn>;
  const end = settle(journey, step, operation, settled, (sent) => {
    turn = rememberTurn(journey, composed.message.conversation, sent);
    if (turn) journey.lastMessage = composed.message;
  });
  if (end.kind !== 'next' || !turn || !step.burst.follow) return end;
  const startAt = settled.kind === 'done' ? settled.sent.reply.receivedAt : intendedAt;
  // Expectations and captures of the step apply to its own requests' answers, not to the polls.
  const { expect: _, capture: __, ...following } = step;
  return followOne({ journey, step: following, settings: step.burst.follow, turn, startAt, member: index });
}

/** Creates the conversations that the burst lacks, one after another, as exchanges of this step. */
async function prepareConversations(journey: JourneyState, step: BurstStep): Promise<StepEnd> {
  while (journey.conversations.length < step.burst.conversations) {
    const request = conversationRequest(chosenId(journey, journey.conversations.length), undefined);
    const settled = await sendWithPolicy(journey, request, journey.cursor, policiesOf(journey, step));
    const end = settle(journey, {}, 'createConversation', settled, (sent) => {
      const id = conversationIdOf(sent);
      if (id !== undefined) journey.conversations.push(id);
      if (id !== undefined) journey.conversation ??= id;
    });
    if (end.kind !== 'next') return end;
    if (settled.kind !== 'done' || conversationIdOf(settled.sent) === undefined) {
      return {
        kind: 'stop',
        operation: 'createConversation',
        because: 'a conversation for the burst could not be created',
      };
    }
  }
  return next;
}
