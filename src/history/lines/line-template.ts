import type { Exchange } from '../records.ts';
import { hasDigits, putDigits } from './digits.ts';
import { steadyPart } from './exchange-line.ts';

/** The position of a value in a line: the digits of a number, or a text without its quotes. */
interface Place {
  readonly at: number;
  readonly length: number;
}

/** Shorter than an empty text: a service may send one where another left the member out. */
const NOWHERE: Place = { at: -1, length: -1 };

/**
 * The steady part of an earlier exchange's line, with the positions of the values that change. A line whose values have the same
 * numbers of digits and characters is a copy with these values overwritten. That takes a fraction of the time of formatting a line
 * and allocates nothing. A record that does not fit is formatted by `exchangeLine`.
 */
export class LineTemplate {
  readonly #model: Exchange;
  readonly #bytes: Buffer;
  readonly #seq: Place;
  readonly #intendedAt: Place;
  readonly #sentAt: Place;
  readonly #headersAt: Place;
  readonly #receivedAt: Place;
  readonly #sent: Place;
  readonly #received: Place;
  readonly #conversation: Place;
  readonly #turn: Place;
  readonly #elsewhere: Place;
  readonly #userMessage: Place;
  readonly #assistantMessage: Place;
  readonly #latencyMs: Place;
  readonly #createdAt: Place;
  readonly #updatedAt: Place;
  readonly #message: Place;
  readonly #digest: Place;

  constructor(model: Exchange) {
    const line = steadyPart(model);
    // No text can contain `,"name":`, because quotes within a text are escaped; the members are in this order.
    let from = 0;
    const place = (begin: string, value: number | string | undefined): Place => {
      if (value === undefined) return NOWHERE;
      const at = line.indexOf(begin, from) + begin.length;
      from = at;
      return { at, length: String(value).length };
    };
    this.#model = model;
    this.#bytes = Buffer.from(line, 'latin1');
    this.#seq = place(',"seq":', model.seq);
    this.#intendedAt = place(',"intendedAt":', model.intendedAt);
    this.#sentAt = place(',"sentAt":', model.sentAt);
    this.#headersAt = place(',"headersAt":', model.headersAt);
    this.#receivedAt = place(',"receivedAt":', model.receivedAt);
    this.#sent = place('{"sent":', model.bytes.sent);
    this.#received = place(',"received":', model.bytes.received);
    this.#conversation = place(',"conversation":"', model.conversation);
    this.#turn = place(',"turn":{"id":"', model.turn?.id);
    this.#elsewhere = place(',"conversation":"', model.turn?.conversation);
    this.#userMessage = place(',"userMessageId":"', model.turn?.userMessageId);
    this.#assistantMessage = place(',"assistantMessageId":"', model.turn?.assistantMessageId);
    this.#latencyMs = place(',"latencyMs":', model.turn?.latencyMs);
    this.#createdAt = place(',"createdAt":"', model.turn?.createdAt);
    this.#updatedAt = place(',"updatedAt":"', model.turn?.updatedAt);
    this.#message = place(',"message":{"id":"', model.message?.id);
    this.#digest = place(',"digest":"', model.message?.digest);
  }

  /** Whether this exchange can become a template: all its texts are plain, and it has no rare members of turn or message. */
  static suits({ turn, message, journey, date = '', conversation = '' }: Exchange): boolean {
    const isParticular = turn?.error !== undefined || message?.text !== undefined || message?.textDigest !== undefined;
    const ofTurn = [turn?.id, turn?.status, turn?.createdAt, turn?.updatedAt];
    const ofMessages = [
      turn?.conversation,
      turn?.userMessageId,
      turn?.assistantMessageId,
      message?.id,
      message?.digest,
    ];
    const texts = [journey, date, conversation, ...ofTurn, ...ofMessages];
    return !isParticular && texts.every((text) => text === undefined || isPlain(text));
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** Writes the steady part of an exchange without rare members. @returns the offset after it; −1 if the exchange does not fit */
  write(page: Buffer, at: number, record: Exchange): number {
    if (!this.#fits(record) || !this.#textsFit(record)) return -1;
    page.set(this.#bytes, at);
    this.#putNumbers(page, at, record);
    return this.#putTexts(page, at, record) ? at + this.#bytes.length : -1;
  }

  #fits(record: Exchange): boolean {
    const model = this.#model;
    return (
      hasDigits(record.sentAt, this.#sentAt.length) &&
      hasDigits(record.receivedAt, this.#receivedAt.length) &&
      hasDigits(record.seq, this.#seq.length) &&
      hasDigits(record.intendedAt, this.#intendedAt.length) &&
      (record.headersAt === undefined
        ? this.#headersAt === NOWHERE
        : hasDigits(record.headersAt, this.#headersAt.length)) &&
      hasDigits(record.bytes.sent, this.#sent.length) &&
      hasDigits(record.bytes.received, this.#received.length) &&
      record.operation === model.operation &&
      record.journey === model.journey &&
      record.attempt === model.attempt &&
      record.outcome === model.outcome &&
      record.status === model.status &&
      record.date === model.date &&
      record.worker === model.worker
    );
  }

  #textsFit({ conversation, turn, message }: Exchange): boolean {
    const model = this.#model;
    return (
      isAsLong(conversation, this.#conversation) &&
      isAsLong(turn?.id, this.#turn) &&
      isAsLong(turn?.conversation, this.#elsewhere) &&
      isAsLong(turn?.userMessageId, this.#userMessage) &&
      isAsLong(turn?.assistantMessageId, this.#assistantMessage) &&
      (turn?.latencyMs === undefined
        ? this.#latencyMs === NOWHERE
        : hasDigits(turn.latencyMs, this.#latencyMs.length)) &&
      isAsLong(turn?.createdAt, this.#createdAt) &&
      isAsLong(turn?.updatedAt, this.#updatedAt) &&
      isAsLong(message?.id, this.#message) &&
      isAsLong(message?.digest, this.#digest) &&
      turn?.status === model.turn?.status &&
      turn?.error === undefined &&
      message?.textDigest === undefined &&
      message?.text === undefined
    );
  }

  #putNumbers(page: Buffer, at: number, record: Exchange): void {
    putDigits(page, at + this.#seq.at, record.seq, this.#seq.length);
    putDigits(page, at + this.#intendedAt.at, record.intendedAt, this.#intendedAt.length);
    putDigits(page, at + this.#sentAt.at, record.sentAt, this.#sentAt.length);
    if (record.headersAt !== undefined)
      putDigits(page, at + this.#headersAt.at, record.headersAt, this.#headersAt.length);
    putDigits(page, at + this.#receivedAt.at, record.receivedAt, this.#receivedAt.length);
    putDigits(page, at + this.#sent.at, record.bytes.sent, this.#sent.length);
    putDigits(page, at + this.#received.at, record.bytes.received, this.#received.length);
    if (record.turn?.latencyMs !== undefined)
      putDigits(page, at + this.#latencyMs.at, record.turn.latencyMs, this.#latencyMs.length);
  }

  /** @returns false if a text has a character that JSON would escape */
  #putTexts(page: Buffer, at: number, { conversation, turn, message }: Exchange): boolean {
    const model = this.#model;
    return (
      (conversation === model.conversation || putPlain(page, at + this.#conversation.at, conversation)) &&
      putPlain(page, at + this.#turn.at, turn?.id) &&
      putPlain(page, at + this.#elsewhere.at, turn?.conversation) &&
      putPlain(page, at + this.#userMessage.at, turn?.userMessageId) &&
      putPlain(page, at + this.#assistantMessage.at, turn?.assistantMessageId) &&
      (turn?.createdAt === model.turn?.createdAt || putPlain(page, at + this.#createdAt.at, turn?.createdAt)) &&
      (turn?.updatedAt === model.turn?.updatedAt || putPlain(page, at + this.#updatedAt.at, turn?.updatedAt)) &&
      putPlain(page, at + this.#message.at, message?.id) &&
      putPlain(page, at + this.#digest.at, message?.digest)
    );
  }
}

const isAsLong = (text: string | undefined, { length }: Place): boolean => (text?.length ?? NOWHERE.length) === length;

/**
 * By code unit: 1 if JSON writes it unescaped (visible ASCII and spaces, no quotes, no backslashes). Covers all code units, so
 * that no index is out of range.
 */
const PLAIN = new Uint8Array(65_536).map((_, code) =>
  code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c ? 1 : 0,
);

function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (PLAIN[text.charCodeAt(index)] !== 1) return false;
  return true;
}

/**
 * Copies a text that needs no escaping. For texts as short as identifiers this takes two thirds of the time of a regular
 * expression and `write`.
 * @returns false if it has a character that JSON would escape
 */
export function putPlain(page: Buffer, at: number, text: string | undefined): boolean {
  if (text === undefined) return true;
  let isAllPlain = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    page[at + index] = code;
    isAllPlain &= PLAIN[code] ?? 0;
  }
  return isAllPlain === 1;
}
