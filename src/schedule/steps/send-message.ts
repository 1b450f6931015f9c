import {
  arrivalUuid,
  digestOfNonced,
  digestWith,
  isPlainText,
  rememberedOf,
  uuidFrom,
  withNonce,
} from '../../base/index.ts';
import type { MessageSent } from '../../history/index.ts';
import type { SendMessageStep } from '../../scenario/index.ts';
import type { Sent } from '../exchanges/attempt.ts';
import type { Request } from '../exchanges/request.ts';
import {
  type JourneyState,
  keepTurn,
  type OpenTurn,
  type SentMessage,
  type StepListener,
  type StepStart,
} from '../journeys/journey-state.ts';
import { renderAll, renderedOnce } from '../journeys/scope.ts';
import type { World } from '../world.ts';
import { NO_CONVERSATION, type OperationStep, oneRequest } from './operation.ts';

/** Sends a new message to the current conversation (or a named one) and remembers its turn. */
export function sendMessage(journey: JourneyState, step: SendMessageStep, listener: StepListener): StepStart {
  const named = step.sendMessage.conversation;
  const target = named === undefined ? CURRENT_CONVERSATION : renderAll(journey, { named });
  if (target.kind === 'stop') return { ...target, operation: 'sendMessage' };
  const composed = compose(journey, step.sendMessage, undefined, target.texts.named);
  if (composed.kind === 'stop') return { ...composed, operation: 'sendMessage' };
  const { message } = composed;
  return oneRequest(journey, step, messageRequest(journey, message, step), listener, (sent) => {
    // A refusal that the step expects left no accepted message that could be sent again.
    if (rememberTurn(journey, message.conversation, sent)) journey.lastMessage = message;
  });
}

const CURRENT_CONVERSATION = { kind: 'texts', texts: { named: undefined } } as const;

export interface MessageContent {
  readonly message: string;
  readonly location?: { readonly city?: string | undefined; readonly commune?: string | undefined } | undefined;
  readonly nonce: boolean;
  /** Name under which the message is sent; absent: it gets its own id. */
  readonly as?: string | undefined;
}

/**
 * A message ready to send. Its id derives from (run, arrival, step, index), or from (run, name) if the scenario names it; its
 * text ends in a nonce from the same parts, so that no two messages are equal unless the scenario wants that.
 * @param index index within its burst; absent: outside one
 * @param conversation its id; absent: the journey's current one
 */
export function compose(
  journey: JourneyState,
  content: MessageContent,
  index: number | undefined,
  conversation: string | undefined,
): { readonly kind: 'message'; readonly message: SentMessage } | { readonly kind: 'stop'; readonly because: string } {
  const texts = textsOf(content);
  const rendered = texts.constant ?? renderAll(journey, texts.all, index);
  if (rendered.kind === 'stop') return rendered;
  const { text = '', city, commune, as } = rendered.texts;
  const target = conversation ?? journey.conversation;
  if (target === undefined) return { kind: 'stop', because: NO_CONVERSATION };
  const { runId } = journey.world;
  const { arrival, step } = journey;
  const clientMessageId =
    as === undefined
      ? arrivalUuid({ runId, arrival: arrival.index, step, kind: 'message', index: index ?? 0 })
      : uuidFrom(runId, 'message', as);
  const nonce = content.nonce ? clientMessageId.slice(0, NONCE_DIGITS) : undefined;
  // The nonce consists of digits, which JSON writes unescaped.
  const isPlain = rendered === texts.constant ? texts.isPlain : isPlainText(text);
  const nonced = nonce === undefined ? text : withNonce(text, nonce);
  const message = { conversation: target, clientMessageId, text: nonced, base: text, nonce, isPlain };
  const hasNoLocation = city === undefined && commune === undefined;
  return { kind: 'message', message: hasNoLocation ? message : { ...message, location: locationOf(city, commune) } };
}

const NONCE_DIGITS = 8;

/** Most messages' texts contain no names and are rendered once for all. */
const textsOf = rememberedOf(({ message, location, as }: MessageContent) => {
  const all = { text: message, city: location?.city, commune: location?.commune, as };
  const constant = renderedOnce(all);
  return { all, constant, isPlain: isPlainText(constant?.texts.text ?? '') };
});

const locationOf = (city: string | undefined, commune: string | undefined) => ({
  ...(city === undefined ? {} : { city }),
  ...(commune === undefined ? {} : { commune }),
});

/**
 * @param resend set for an earlier message, with the same or other content; absent: a new one, which opens a turn. If JSON writes
 * the text unescaped, the body is written here.
 */
export function messageRequest(
  journey: JourneyState,
  message: SentMessage,
  { credentials, expect, name }: OperationStep,
  resend?: 'same' | 'other',
): Request {
  const { conversation, clientMessageId, text, isPlain, location } = message;
  // The same as `requestOf`, with one object less: a fast run needs one per message.
  return {
    operation: 'sendMessage',
    parameters: { conversation_id: conversation },
    query: undefined,
    body:
      location === undefined
        ? { client_message_id: clientMessageId, message: text }
        : { client_message_id: clientMessageId, message: text, location },
    bodyText:
      isPlain && location === undefined ? `{"client_message_id":"${clientMessageId}","message":"${text}"}` : undefined,
    credentials: credentials ?? 'valid',
    conversation,
    turn: undefined,
    message: messageSent(journey.world, message),
    resend,
    page: undefined,
    opensTurn: resend === undefined,
    outlastsFinish: false,
    expect,
    named: name,
  };
}

function messageSent(
  { digestKey: key, keptText }: World,
  { clientMessageId, text, base, nonce, location }: SentMessage,
): MessageSent {
  const digest = nonce === undefined ? digestWith(key, text) : digestOfNonced(key, base, nonce);
  const plain =
    location === undefined
      ? { id: clientMessageId, digest }
      : {
          id: clientMessageId,
          digest: digestWith(key, text, location.city ?? '', location.commune ?? ''),
          textDigest: digest,
        };
  return keptText === undefined ? plain : { ...plain, text: keptText(text) };
}

/** Remembers the turn that an accepted message opened, for followTurn and for the openTurns cap. */
export function rememberTurn(journey: JourneyState, conversation: string, sent: Sent): OpenTurn | undefined {
  const id = sent.exchange.turn?.id;
  if (id === undefined) return undefined;
  const turn: OpenTurn = { id, conversation, finished: sent.turnFinished, followed: false };
  keepTurn(journey, turn);
  return turn;
}
