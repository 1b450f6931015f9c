import type { Answer, JsonAnswer } from '../../replies.ts';
import { admitOrRefuse, type Call, type Handlers, refuse } from '../../service.ts';
import type { TokenRecord, TurnRecord } from '../../store.ts';
import type { Breakage, Circumstances, Defect } from '../defect.ts';

type Send = Handlers['sendMessage'];
const withSend =
  (change: (honest: Send, circumstances: Circumstances) => Send): Defect['breaks'] =>
  (circumstances): Partial<Breakage> => ({
    handlers: (honest) => ({ ...honest, sendMessage: change(honest.sendMessage, circumstances) }),
  });

/** The key of a message, read before validation. Undefined if it has none. */
function keyOf({ request, caller }: Call<TokenRecord>): string | undefined {
  const id = clientMessageId(request.body);
  const conversation = request.route?.parameters.conversation_id;
  return id === undefined || conversation === undefined
    ? undefined
    : `${caller.owner}\n${conversation.toLowerCase()}\n${id}`;
}

function clientMessageId(body: Call<TokenRecord>['request']['body']): string | undefined {
  let value: unknown;
  try {
    if (body.kind === 'json') value = body.value;
    if (body.kind === 'bytes') value = JSON.parse(Buffer.from(body.bytes).toString('utf8'));
  } catch {
    return undefined;
  }
  const { client_message_id: id } = (value ?? {}) as { readonly client_message_id?: unknown };
  return typeof id === 'string' && id.length <= MOST_CODE_UNITS ? id : undefined;
}
/** Length of 128 characters, each of which may take two code units. */
const MOST_CODE_UNITS = 256;
/** Maximum of remembered keys; beyond it, the oldest are forgotten. */
const MOST_KEYS = 10_000;

function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.set(key, value);
  for (const oldest of memory.keys()) {
    if (memory.size <= MOST_KEYS) break;
    memory.delete(oldest);
  }
}

/** The worker dies with every nth new message. */
const EVERY = 5;

const I3: Defect = {
  says: 'The worker dies with every 5th new message, which stays in progress forever: it is answered 500, and so is every retry with its id.',
  breaks: withSend((honest) => {
    const stuck = new Map<string, true>();
    const known = new Map<string, true>();
    let seen = 0;
    return (call) => {
      const key = keyOf(call);
      if (key === undefined || known.has(key)) return honest(call);
      if (!stuck.has(key) && ++seen % EVERY === 0) remember(stuck, key, true);
      if (stuck.has(key)) return refuse(call, 'internal', 'a request with this client_message_id is in progress');
      remember(known, key, true);
      return honest(call);
    };
  }),
};

/** Finds the turn that the correct handler would return for a message that is sent again. */
function earlierTurn(call: Call<TokenRecord>): TurnRecord | undefined {
  const { store } = call.service;
  const id = clientMessageId(call.request.body);
  const conversation = store.findConversation(call.caller.owner, call.request.route?.parameters.conversation_id ?? '');
  return conversation && id !== undefined ? store.findTurnByClientMessage(conversation, id) : undefined;
}

const I4: Defect = {
  says: 'Of two equal messages in parallel, the later one is answered 503 instead of with the turn of the first.',
  breaks: withSend((honest, { lagUs }) => (call) => {
    const turn = earlierTurn(call);
    const lost = turn !== undefined && call.now < turn.schedule.acceptedAt + lagUs;
    return lost ? refuse(call, 'unavailable', 'a request with this client_message_id is in progress') : honest(call);
  }),
};

const isError = (answer: Answer): answer is JsonAnswer => answer.kind === 'json' && answer.status >= 400;

const I5: Defect = {
  says: 'Refusals are stored by client_message_id and repeated: a message that was refused for lack of a slot is refused forever, even if slots are free, and so is an invalid one after its content was corrected.',
  breaks: withSend((honest) => {
    const kept = new Map<string, JsonAnswer>();
    return (call) => {
      const key = keyOf(call);
      const earlier = key === undefined ? undefined : kept.get(key);
      if (earlier) return admitOrRefuse(call, 'replay') ?? earlier;
      const answer = honest(call);
      if (key !== undefined && isError(answer)) remember(kept, key, answer);
      return answer;
    };
  }),
};

export const handling = { I3, I4, I5 };
