import type { BodyForm } from '../../api/index.ts';
import type { BodyRead } from './answer.ts';
import { type Hole, holesIn } from './body-holes.ts';

/** A body, and what makes another one of it. */
interface KnownBody {
  readonly bytes: Buffer;
  readonly body: object;
  readonly holes: readonly Hole[];
  readonly form: BodyForm;
}

/** Answers of one operation differ in a turn's status, and in the digits of numbers. */
const MOST_BODIES = 4;
const MOST_BYTES = 4_096;
const MOST_HOLES = 12;
/**
 * Of so many bodies unlike those remembered one is remembered, and of twice as many whenever that was for nothing: of a service that
 * never says the same twice, taking bodies apart must cost nothing that is felt.
 */
const LEARN_EVERY = 8;
const LEARN_AT_LEAST_EVERY = 8_192;

/**
 * Remembers the last bodies of one operation. Most answers differ from the one before in identifiers and instants alone; then
 * the text around these is compared instead of parsed, and what is in their places is put into a copy. Whatever does not fit
 * exactly is parsed.
 */
export class BodyMemory {
  readonly #known: KnownBody[] = [];
  #misses = 0;
  #learnAfter = LEARN_EVERY;
  #isOfUse = true;

  /** What JSON.parse would make of the bytes, where that is known. Parts that cannot differ are shared between bodies. */
  find(bytes: Buffer, from = 0, to = bytes.length): BodyRead | undefined {
    for (const known of this.#known) {
      if (known.bytes.length !== to - from || !isLike(known, bytes, from)) continue;
      this.#isOfUse = true;
      return { body: filled(known, bytes, from), bodyForm: known.form };
    }
    return undefined;
  }

  /** Keeps a body that was not known, now and then. @param text of the bytes, ASCII */
  learn(bytes: Buffer, text: string, body: unknown): void {
    this.#misses += 1;
    if (this.#misses < this.#learnAfter || text.length > MOST_BYTES) return;
    this.#misses = 0;
    this.#learnAfter = this.#isOfUse ? LEARN_EVERY : Math.min(2 * this.#learnAfter, LEARN_AT_LEAST_EVERY);
    this.#isOfUse = false;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    const holes = holesIn(text, MOST_HOLES);
    if (!holes) return;
    this.#known.unshift({ bytes: Buffer.from(bytes), body, holes, form: {} });
    if (this.#known.length > MOST_BODIES) this.#known.pop();
  }
}

/** @param start where the body begins among the bytes */
function isLike({ bytes: model, holes }: KnownBody, bytes: Buffer, start: number): boolean {
  let at = 0;
  for (const { from, to, fits } of holes) {
    if (!areEqual(model, bytes, start, at, from)) return false;
    if (!areEqual(model, bytes, start, from, to) && !fits(bytes, start + from, start + to)) return false;
    at = to;
  }
  return areEqual(model, bytes, start, at, model.length);
}

/** Beyond so many bytes calling into the runtime is cheaper than looking at each. */
const FEW_BYTES = 48;

function areEqual(model: Buffer, bytes: Buffer, start: number, from: number, to: number): boolean {
  if (to - from > FEW_BYTES) return bytes.compare(model, from, to, start + from, start + to) === 0;
  for (let at = from; at < to; at++) if (model[at] !== bytes[start + at]) return false;
  return true;
}

type Members = Record<string, unknown>;

/** Many answers say some of it again, the conversation for one: what stands in the model already costs no text. */
function filled({ bytes: model, body, holes }: KnownBody, bytes: Buffer, start: number): object {
  const copy: Members = { ...body };
  for (const { from, to, path } of holes)
    if (!areEqual(model, bytes, start, from, to))
      put(copy, body as Members, path, bytes.toString('latin1', start + from, start + to));
  return copy;
}

/** Sets a member; what lies on its way is copied first, as it is the model's still. */
function put(copy: Members, model: Members, path: readonly string[], value: string): void {
  const last = path.length - 1;
  for (let depth = 0; depth < last; depth++) {
    const name = path[depth] ?? '';
    if (copy[name] === model[name]) copy[name] = { ...(model[name] as Members) };
    copy = copy[name] as Members;
    model = model[name] as Members;
  }
  copy[path[last] ?? ''] = value;
}
