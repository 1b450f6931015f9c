import { idleSecondsOf } from '../http/keep-alive.ts';
import { type Field, isTextByte, readField } from './field-line.ts';

/** How the end of an answer's body is determined (RFC 9112 section 6.3). */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until-close' };

/** Status line and headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  /** Names in lower case; values of a repeated one joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The content type, looked up once for all answers with this head, because header objects have many shapes. */
  readonly contentType: string | undefined;
  /** Whether the body may have a content coding that must be decoded. */
  readonly isCoded: boolean;
  readonly framing: Framing;
  /** Whether the connection may carry another request. */
  readonly isKeptAlive: boolean;
  /** Seconds after which the other side will close the idle connection; absent if it does not say. */
  readonly idleSeconds: number | undefined;
}

const VERSION = Buffer.from('HTTP/1.', 'latin1');
const [ZERO, ONE, NINE, SPACE] = [0x30, 0x31, 0x39, 0x20];
/** More significant digits are not a length but an attack on parsers that add them up. */
const LENGTH = /^0{0,99}\d{1,15}$/;

/** Whether these bytes may begin a status line: garbage is detected at its first wrong byte. */
export function mayBeStatusLine(bytes: Buffer, from: number, to: number): boolean {
  const length = Math.min(to - from, VERSION.length);
  for (let index = 0; index < length; index++) if (bytes[from + index] !== VERSION[index]) return false;
  return true;
}

/** Reads the lines of one head, one by one, each without its end. */
export class HeadReader {
  #status = 0;
  #isOld = false;
  #headers: Record<string, string> = {};
  #length: string | undefined;
  #coding: string | undefined;

  get isEmpty(): boolean {
    return this.#status === 0;
  }

  /** @returns false if it cannot be a line of a head */
  take(bytes: Buffer, from: number, to: number): boolean {
    if (this.#status === 0) return this.#takeStatusLine(bytes, from, to);
    const field = readField(bytes, from, to);
    return field !== undefined && this.#takeField(field);
  }

  /**
   * The result of the lines; the reader is empty afterwards.
   * @returns `undefined` if the fields contradict each other
   */
  finish(): AnswerHead | undefined {
    const framing = this.#framing();
    const head = framing && {
      status: this.#status,
      headers: this.#headers,
      contentType: this.#headers['content-type'],
      isCoded: this.#headers['content-encoding'] !== undefined,
      framing,
      isKeptAlive: framing.kind !== 'until-close' && this.#isKeptAlive(),
      idleSeconds: idleSecondsOf(this.#headers['keep-alive']),
    };
    this.#status = 0;
    this.#headers = {};
    this.#length = undefined;
    this.#coding = undefined;
    return head;
  }

  /** `HTTP/1.1 200 OK`; the reason may be empty, and some servers omit the space before it. */
  #takeStatusLine(bytes: Buffer, from: number, to: number): boolean {
    const minor = bytes[from + 7];
    if (to - from < 12 || !mayBeStatusLine(bytes, from, to) || (minor !== ZERO && minor !== ONE)) return false;
    const status = digits(bytes, from + 9, from + 12);
    if (bytes[from + 8] !== SPACE || status < 100) return false;
    if (to - from > 12 && bytes[from + 12] !== SPACE) return false;
    for (let at = from + 12; at < to; at++) if (!isTextByte(bytes[at] ?? 0)) return false;
    this.#status = status;
    this.#isOld = minor === ZERO;
    return true;
  }

  /** A second length or coding is rejected, even if it is equal: another parser may have used the other one (RFC 9112 section 11.2). */
  #takeField({ name, value }: Field): boolean {
    if (name === 'content-length') {
      if (this.#length !== undefined || !LENGTH.test(value)) return false;
      this.#length = value;
    }
    if (name === 'transfer-encoding') {
      if (this.#coding !== undefined) return false;
      this.#coding = value.toLowerCase();
    }
    const before = Object.hasOwn(this.#headers, name) ? this.#headers[name] : undefined;
    const joined = before === undefined ? value : `${before}, ${value}`;
    // A plain assignment to this one name would set the prototype instead.
    if (name === '__proto__') Object.defineProperty(this.#headers, name, { value: joined, ...PLAIN });
    else this.#headers[name] = joined;
    return true;
  }

  #framing(): Framing | undefined {
    // A length together with a coding: a parser on the way may read one answer as two (RFC 9112 section 6.3).
    if (this.#coding !== undefined && (this.#length !== undefined || this.#coding !== 'chunked' || this.#isOld))
      return undefined;
    const status = this.#status;
    // HTTP/1.0 has no interim answers: its parsers would take this one for the answer itself (RFC 9110 section 15.2).
    if (status < 200 && this.#isOld) return undefined;
    // A body is announced where none may be (RFC 9110 section 8.6): what follows would be taken for the next answer.
    if (status === 204 && (this.#coding !== undefined || Number(this.#length ?? 0) > 0)) return undefined;
    if (status < 200 || status === 204 || status === 304) return { kind: 'none' };
    if (this.#coding !== undefined) return { kind: 'chunked' };
    if (this.#length === undefined) return { kind: 'until-close' };
    return { kind: 'length', length: Number(this.#length) };
  }

  #isKeptAlive(): boolean {
    const { connection } = this.#headers;
    if (connection === undefined) return !this.#isOld;
    const options = connection.toLowerCase().split(',');
    const has = (wanted: string) => options.some((option) => option.trim() === wanted);
    return this.#isOld ? has('keep-alive') && !has('close') : !has('close');
  }
}

const PLAIN = { writable: true, enumerable: true, configurable: true } as const;

/** The number with these digits; −1 if one of them is no digit. */
function digits(bytes: Buffer, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) return -1;
    number = number * 10 + byte - ZERO;
  }
  return number;
}
