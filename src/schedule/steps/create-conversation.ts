import { answerReaders } from '../../api/index.ts';
import { arrivalUuid } from '../../base/index.ts';
import type { CreateConversationStep } from '../../scenario/index.ts';
import type { Request, Sent } from '../exchange.ts';
import type { JourneyState, StepEnd } from '../journey-state.ts';
import { renderAll } from '../scope.ts';
import { oneRequest, shared } from './operation.ts';

/** Creates a conversation, or resumes one by its id; it becomes the journey's current conversation. */
export async function createConversation(journey: JourneyState, step: CreateConversationStep): Promise<StepEnd> {
  const { conversation, title } = step.createConversation;
  const isName = conversation === 'new' || conversation === 'chosen' || conversation === 'resume';
  const rendered = renderAll(journey, { title, conversation: isName ? undefined : conversation });
  if (rendered.kind === 'stop') return { ...rendered, operation: 'createConversation' };
  const id = isName ? idOf(journey, conversation) : rendered.texts.conversation;
  const request = conversationRequest(id, rendered.texts.title);
  return oneRequest(journey, step, { ...request, ...shared(step) }, (sent) => adopt(journey, sent));
}

/** A client-chosen id derives from the run, never from the seed alone: the same seed twice must not resume. */
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

export function conversationRequest(id: string | undefined, title: string | undefined): Request {
  return {
    operation: 'createConversation',
    body: { ...(title === undefined ? {} : { title }), ...(id === undefined ? {} : { conversation_id: id }) },
    credentials: 'valid',
    ...(id === undefined ? {} : { conversation: id }),
  };
}

function adopt(journey: JourneyState, sent: Sent): void {
  const id = conversationIdOf(sent);
  if (id === undefined) return;
  journey.conversation = id;
  if (!journey.conversations.includes(id)) journey.conversations.push(id);
}

/** The conversation that an answer names; `undefined` when it is not a conversation. */
export function conversationIdOf(sent: Sent): string | undefined {
  return sent.reply.kind === 'answer' ? answerReaders.createConversation(sent.reply.body)?.conversation_id : undefined;
}
