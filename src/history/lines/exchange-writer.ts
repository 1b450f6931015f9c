import type { OperationId } from '../../api/index.ts';
import type { Exchange } from '../records.ts';
import { putNumber } from './digits.ts';
import { callerPart, hasNothingRare } from './exchange-line.ts';
import { LineTemplate, putPlain } from './line-template.ts';
import { putBytes } from './put-bytes.ts';
import { MOST_WAIT_BYTES, putWaits } from './put-waits.ts';

/** Limit of cached caller texts, by user; when it is reached, the cache is emptied. */
const MOST_CALLERS = 10_000;
/** One of this many exchanges without a fitting template becomes the next template. */
const LEARN_EVERY = 8;
/** Limit of templates per operation, one for each status of a turn. */
const MOST_STATUSES = 8;
/** Maximum length of the last part without the token itself: quotes, three numbers, and their names. */
const LAST_BYTES = 128;

const TOKEN = Buffer.from(',"token":"', 'latin1');
const ARRIVAL = Buffer.from(',"arrival":', 'latin1');
const STEP = Buffer.from(',"step":', 'latin1');
const CONNECTION = Buffer.from(',"connection":', 'latin1');
const [QUOTE, BRACE, NEWLINE] = [0x22, 0x7d, 0x0a];

/**
 * Writes lines of exchanges with templates, one per operation and status of its turn. If no template fits repeatedly, it makes a new
 * template from such an exchange.
 */
export class ExchangeWriter {
  readonly #templates = new Map<OperationId, Map<string | undefined, LineTemplate>>();
  /** Consecutive exchanges are mostly of the same kind, and a comparison is faster than a look-up. */
  #lastUsed:
    | { readonly operation: OperationId; readonly status: string | undefined; readonly template: LineTemplate }
    | undefined;
  #misfits = 0;
  readonly #callers = new Map<string, { readonly application: string; readonly bytes: Buffer }>();

  /**
   * Writes the line, including its newline.
   * @returns the offset after it; −1 if no template fits or there is no room: then use `exchangeLine`
   */
  write(page: Buffer, at: number, record: Exchange): number {
    if (!hasNothingRare(record)) return -1;
    const template = this.#templateFor(record.operation, record.turn?.status);
    const caller = this.#callerOf(record);
    const least = MOST_WAIT_BYTES + caller.length + (record.token?.length ?? 0) + LAST_BYTES;
    if (!template || page.length - at < template.length + least) return this.#learn(record);
    const steadyEnd = template.write(page, at, record);
    if (steadyEnd < 0) return this.#learn(record);
    const { capWaitUs } = record;
    const waitsEnd = capWaitUs === undefined ? steadyEnd : putWaits(page, steadyEnd, capWaitUs);
    if (waitsEnd < 0) return -1;
    page.set(caller, waitsEnd);
    return putLast(page, waitsEnd + caller.length, record);
  }

  #templateFor(operation: OperationId, status: string | undefined): LineTemplate | undefined {
    const last = this.#lastUsed;
    if (last?.operation === operation && last.status === status) return last.template;
    const template = this.#templates.get(operation)?.get(status);
    this.#lastUsed = template && { operation, status, template };
    return template;
  }

  /**
   * Makes a template of every eighth misfit only: if exchanges alternate between two shapes, more templates would cost more than
   * they save.
   */
  #learn(record: Exchange): -1 {
    this.#misfits += 1;
    if (this.#misfits % LEARN_EVERY !== 0 || !LineTemplate.suits(record)) return -1;
    const ofOperation = this.#templates.get(record.operation) ?? new Map<string | undefined, LineTemplate>();
    this.#templates.set(record.operation, ofOperation);
    // Bounds memory: a service may use any number of statuses.
    if (ofOperation.size >= MOST_STATUSES) ofOperation.clear();
    ofOperation.set(record.turn?.status, new LineTemplate(record));
    this.#lastUsed = undefined;
    return -1;
  }

  /** The caller without the token, as bytes: copying bytes takes a fifth of the time of writing a string. */
  #callerOf(record: Exchange): Buffer {
    const { user, application } = record;
    const known = this.#callers.get(user);
    if (known?.application === application) return known.bytes;
    const bytes = Buffer.from(callerPart({ application, user }), 'latin1');
    if (this.#callers.size >= MOST_CALLERS) this.#callers.clear();
    this.#callers.set(user, { application, bytes });
    return bytes;
  }
}

/** Writes from the token on. @returns −1 if the token has a character that JSON would escape */
function putLast(page: Buffer, from: number, { token, arrival, step, connection }: Exchange): number {
  let at = from;
  if (token !== undefined) {
    at = putBytes(page, at, TOKEN);
    if (!putPlain(page, at, token)) return -1;
    at += token.length;
    page[at++] = QUOTE;
  }
  at = putNumber(page, putBytes(page, at, ARRIVAL), arrival);
  at = putNumber(page, putBytes(page, at, STEP), step);
  if (connection !== undefined) at = putNumber(page, putBytes(page, at, CONNECTION), connection);
  page[at] = BRACE;
  page[at + 1] = NEWLINE;
  return at + 2;
}
