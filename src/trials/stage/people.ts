import { digestWith } from '../../base/index.ts';
import type { Ids } from '../../sandbox/index.ts';
import { ZONES } from '../world/habits.ts';
import { countingIds } from './ids.ts';
import type { Asker, KnownTurn, Person } from './person.ts';
import { bearing, conversationRequest, framed, ratingRequest, tokenRequest, turnRequest } from './requests.ts';
import { Retries } from './retries.ts';
import { type Composed, DIGEST_KEY, type Learnt, type Stage } from './stage.ts';

interface Message {
  readonly person: Person;
  readonly conversation: string;
  readonly id: string;
  readonly text: string;
}

/** Kinds of requests. `bad…` is answered 422, `lost…` 404. */
const askings = [
  'read',
  'badRead',
  'lostRead',
  'send',
  'badSend',
  'replay',
  'changed',
  'poll',
  'stream',
  'create',
  'resume',
  'token',
  'rate',
] as const;
export type Asking = (typeof askings)[number];

/** The users, with the conversations and turns that they know; composes their requests. */
export class People {
  readonly persons: readonly Person[];
  readonly turns: KnownTurn[] = [];
  readonly #messages: Message[] = [];
  readonly #stage: Stage;
  readonly #ids: Ids;
  readonly #retries: Retries;
  #renewed = 0;

  /** @param persons users with tokens and conversations */
  constructor(stage: Stage, persons: readonly Person[]) {
    this.#stage = stage;
    this.#ids = countingIds(stage.world.scene, 2);
    this.persons = persons;
    this.#retries = new Retries(stage, (asker, then) => this.renew(asker, then));
  }

  /** Requests a new token. @param then called even if there is no new token */
  renew(asker: Asker, then: () => void = () => undefined): void {
    this.ask('token', asker, ({ body }) => {
      const { access_token: secret } = (body ?? {}) as { access_token?: string };
      if (secret !== undefined)
        Object.assign(asker.person, { secret, token: `t${this.persons.length + ++this.#renewed}` });
      then();
    });
  }

  /** Sends a request and remembers what its answer shows. @param then called with the answer */
  ask(asking: Asking, { person, isRecorded }: Asker, then: (seen: Learnt) => void = () => undefined): void {
    const [composed, message] = this.#compose(asking, person);
    this.#retries.send({ ...composed, person, isRecorded, attempt: 1 }, (seen) => {
      const { turn, status } = seen.exchange;
      if (message && status === 202 && turn && !this.turns.some(({ id }) => id === turn.id))
        this.turns.push({ id: turn.id, person, conversation: message.conversation, isOver: false });
      if (turn?.assistantMessageId) this.#over(turn.id, turn.assistantMessageId);
      else if (turn?.status === 'failed') this.#over(turn.id);
      then(seen);
    });
  }

  #over(id: string, answer?: string): void {
    const turn = this.turns.find((one) => one.id === id);
    if (!turn) return;
    turn.isOver = true;
    if (answer !== undefined) turn.answer = answer;
  }

  /** Composes a request. If it needs a turn or an answer that does not exist yet, a page of history is read instead. */
  #compose(asking: Asking, person: Person): readonly [Composed, Message?] {
    const { draw } = this.#stage.world;
    const own = this.turns.filter((turn) => turn.person.user === person.user);
    switch (asking) {
      case 'send':
      case 'badSend':
        return this.#message(person, this.#newMessage(person), asking === 'badSend');
      case 'replay':
      case 'changed': {
        const known = this.#messages.filter((message) => message.person.user === person.user);
        if (known.length === 0) return this.#message(person, this.#newMessage(person), false);
        const again = draw.pick(known.slice(-3));
        const message = asking === 'changed' ? { ...again, text: `${again.text} (changed)` } : again;
        return this.#message(person, message, false, asking === 'changed' ? 'other' : 'same');
      }
      case 'poll':
      case 'stream': {
        const turn = own.find(({ isOver }) => !isOver) ?? own.at(-1);
        return turn ? [turnRequest(asking, person, turn)] : [this.#read(person, 'read')];
      }
      case 'rate': {
        const answered = own.find(({ answer }) => answer !== undefined);
        return answered?.answer === undefined ? [this.#read(person, 'read')] : [ratingRequest(person, answered.answer)];
      }
      case 'create':
      case 'resume':
        return [conversationRequest(person, asking === 'resume' ? draw.pick(person.conversations) : this.#ids.uuid())];
      case 'token':
        return [tokenRequest(person, this.#stage.world.habits.zone ?? draw.pick(ZONES))];
      default:
        return [this.#read(person, asking)];
    }
  }

  #newMessage(person: Person): Message {
    const conversation = this.#stage.world.draw.pick(person.conversations);
    const id = this.#ids.uuid();
    return { person, conversation, id, text: `text of ${id}` };
  }

  #message(person: Person, message: Message, isBad: boolean, resend?: 'same' | 'other'): readonly [Composed, Message] {
    if (!resend && !isBad) this.#messages.push(message);
    const { conversation, id, text } = message;
    const body = { client_message_id: id, message: isBad ? '' : text };
    const request = bearing(person, 'sendMessage', { conversation_id: conversation }, { body });
    const digest = digestWith(DIGEST_KEY, body.message);
    const frame = {
      ...framed(person, 'sendMessage', conversation),
      message: { id, digest },
      ...(resend && { resend }),
    };
    return [{ request, frame }, message];
  }

  #read(person: Person, asking: 'read' | 'badRead' | 'lostRead'): Composed {
    const { draw } = this.#stage.world;
    const conversation = asking === 'lostRead' ? this.#ids.uuid() : draw.pick(person.conversations);
    const page = { limit: draw.pick([20, 20, 3]), offset: draw.pick([0, 0, 0, 2]) };
    const query = { limit: asking === 'badRead' ? '0' : String(page.limit), offset: String(page.offset) };
    return {
      request: bearing(person, 'readHistory', { conversation_id: conversation }, { query }),
      frame: { ...framed(person, 'readHistory', conversation), page },
    };
  }
}
