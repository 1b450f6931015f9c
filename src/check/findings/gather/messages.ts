import type { Exchange, ProfileWords } from '../../../history/index.ts';
import { limitsNamed } from '../../evidence/attribution.ts';
import { push } from '../../push.ts';
import { bySending, type Reference } from '../reference.ts';

/** One attempt at a message, and its outcome. */
export interface Send extends Reference {
  /** Of the evidence. */
  readonly row: number;
  /** Whether the client says that it sent the message before. */
  readonly isRepeated: boolean;
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly application: string;
  readonly user: string;
  readonly conversation: string;
  /** Number of the conversation, which belongs to its user (`Places`). */
  readonly conversationNumber: number;
  /** client_message_id */
  readonly message: string;
  /** `digest`: of message and location; `textDigest`: of the message alone, as for history items. */
  readonly digest: string;
  readonly textDigest: string;
  /** `accepted`: a success whose body names a turn. `unknown`: no answer, or an inconclusive one. */
  readonly outcome: 'accepted' | 'refused' | 'rejected' | 'unknown';
  /** The turn in the answer; only if accepted. */
  readonly turn: string | undefined;
  /** For refused ones, what the code says (`limitsNamed`). */
  readonly named: number;
}

export class MessageGatherer {
  readonly #words: ProfileWords;
  readonly #sends = new Map<string, Send[]>();

  constructor(words: ProfileWords) {
    this.#words = words;
  }

  /** @param row @param conversationNumber see `Send` */
  add(exchange: Exchange, row: number, conversationNumber: number): void {
    const { operation, message, conversation } = exchange;
    if (operation !== 'sendMessage' || message === undefined || conversation === undefined) return;
    const outcome = this.#outcomeOf(exchange);
    const send: Send = {
      worker: exchange.worker ?? 0,
      seq: exchange.seq,
      row,
      isRepeated: exchange.attempt > 1 || exchange.resend !== undefined,
      sentAt: exchange.sentAt,
      receivedAt: exchange.receivedAt,
      application: exchange.application,
      user: exchange.user,
      conversation,
      conversationNumber,
      message: message.id,
      digest: message.digest,
      textDigest: message.textDigest ?? message.digest,
      outcome,
      turn: outcome === 'accepted' ? exchange.turn?.id : undefined,
      named: outcome === 'refused' ? limitsNamed(exchange, this.#words) : 0,
    };
    push(this.#sends, message.id, send);
  }

  finish(isDoubtful: (reference: Reference) => boolean): ReadonlyMap<string, readonly Send[]> {
    for (const [id, sends] of this.#sends) {
      const sound = sends.some(isDoubtful) ? sends.filter((send) => !isDoubtful(send)) : sends;
      if (sound.length > 1) sound.sort(bySending);
      if (sound.length === 0) this.#sends.delete(id);
      else if (sound !== sends) this.#sends.set(id, sound);
    }
    return this.#sends;
  }

  #outcomeOf({ outcome, status = 0, bodyProblem, turn }: Exchange): Send['outcome'] {
    if (outcome === 'refused') return bodyProblem === undefined ? 'refused' : 'unknown';
    if (outcome !== 'answered') return 'unknown';
    const success = this.#words.success.sendMessage.includes(status);
    // Without a usable body, the answer may be an intermediary's.
    if (bodyProblem !== undefined) return 'unknown';
    if (success && turn !== undefined) return 'accepted';
    return status >= 400 && status < 500 ? 'rejected' : 'unknown';
  }
}
