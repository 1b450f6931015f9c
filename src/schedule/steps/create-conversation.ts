import { answerReaders } from '../../api/index.ts';
import { arrivalUuid, rememberedOf } from '../../base/index.ts';
import type { CreateConversationStep, Journey, Step } from '../../scenario/index.ts';
import type { Sent } from '../exchanges/attempt.ts';
import { type Request, type RequestSettings, requestOf } from '../exchanges/request.ts';
import type { JourneyState, StepListener, StepStart } from '../journeys/journey-state.ts';
import { renderAll } from '../journeys/scope.ts';
import { NO_CONVERSATION, oneRequest } from './operation.ts';

/** Creates a conversation, or resumes one by its id; it becomes the journey's current conversation. */
export function createConversation(
  journey: JourneyState,
  step: CreateConversationStep,
  listener: StepListener,
): StepStart {
  const { conversation, title } = step.createConversation;
  const isName = conversation === 'new' || conversation === 'chosen' || conversation === 'resume';
  const rendered = renderAll(journey, { title, conversation: isName ? undefined : conversation });
  if (rendered.kind === 'stop') return { ...rendered, operation: 'createConversation' };
  const id = isName ? idOf(journey, conversation) : rendered.texts.conversation;
  // Without an id the service would create another conversation.
  if (conversation === 'resume' && id === undefined) return NOTHING_TO_RESUME;
  const request = conversationRequest(id, rendered.texts.title, step);
  return oneRequest(journey, step, request, listener, (sent) => adopt(journey, sent));
}

const NOTHING_TO_RESUME: StepStart = {
  kind: 'stop',
  operation: 'createConversation',
  because: NO_CONVERSATION,
};

/**
 * A client-chosen id derives from the run, not only from the seed: a second run with the same seed must not resume conversations
 * of the first.
 */
export function chosenId(journey: JourneyState, index = 0): string {
  return arrivalUuid({
    runId: journey.world.runId,
    arrival: journey.arrival.index,
    step: journey.step,
    kind: 'conversation',
    index,
  });
}

function idOf(journey: JourneyState, which: 'new' | 'chosen' | 'resume'): string | undefined {
  if (which === 'new') return undefined;
  return which === 'chosen' ? chosenId(journey) : journey.conversation;
}

const ANY_CONVERSATION = { operation: 'createConversation', body: {}, bodyText: '{}' } as const;

export function conversationRequest(
  id: string | undefined,
  title: string | undefined,
  step?: RequestSettings,
): Request {
  if (title === undefined && id === undefined) return requestOf(ANY_CONVERSATION, step);
  const body: Record<string, string> = {};
  if (title !== undefined) body.title = title;
  if (id !== undefined) body.conversation_id = id;
  return requestOf({ operation: 'createConversation', body, conversation: id }, step);
}

function adopt(journey: JourneyState, sent: Sent): void {
  const id = conversationIdOf(sent);
  if (id === undefined) return;
  journey.conversation = id;
  const { conversations } = journey;
  if (conversations.length < mostNeeded(journey.journey) && !conversations.includes(id)) conversations.push(id);
}

/** The number of conversations of its widest burst: a journey that creates conversations for hours need not remember them all. */
const mostNeeded = rememberedOf(({ steps }: Journey): number => widestOf(steps));

/** A journey may have more steps than a call has arguments. */
const widestOf = (steps: readonly Step[]): number => steps.reduce((most, step) => Math.max(most, widthOf(step)), 0);

const widthOf = (step: Step): number =>
  'repeat' in step ? widestOf(step.repeat.steps) : 'burst' in step ? step.burst.conversations : 0;

/** The conversation that an answer names; `undefined` when it is not a conversation. */
export function conversationIdOf(sent: Sent): string | undefined {
  const { reply } = sent;
  return reply.kind === 'answer'
    ? answerReaders.createConversation(reply.body, reply.bodyForm)?.conversation_id
    : undefined;
}
