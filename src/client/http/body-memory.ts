import type { BodyForm } from '../../api/index.ts';
import { type Hole, holesIn } from './body-holes.ts';
import type { BodyRead } from './body-read.ts';
import { KnownBytes } from './known-bytes.ts';

/** A hole and what was in it. */
interface KnownHole extends Hole {
  readonly content: KnownBytes;
}

/** A remembered body, and what is needed to make similar ones from it. */
interface KnownBody {
  /** All bytes except those in the holes. */
  readonly around: KnownBytes;
  readonly body: object;
  readonly holes: readonly KnownHole[];
  /** Whether all holes are members of the body itself. */
  readonly isFlat: boolean;
  readonly form: BodyForm;
}

/** Answers of one operation also differ in a turn's status and in the number of digits. */
const MOST_BODIES = 4;
const LEAST_BYTES = 4;
const MOST_BYTES = 4_096;
const MOST_HOLES = 12;
/**
 * One of this many unknown bodies is remembered; twice as many each time it proves useless. For a service that never repeats
 * itself, learning must cost next to nothing.
 */
const LEARN_EVERY = 8;
const LEARN_AT_LEAST_EVERY = 8_192;

/**
 * Remembers the last bodies of one operation. Most answers differ from the previous one only in identifiers, instants and tokens:
 * then the text around these is compared instead of parsed, and the new values are put into a copy. Whatever does not match
 * exactly is parsed.
 */
export class BodyMemory {
  readonly #known: KnownBody[] = [];
  #misses = 0;
  #learnAfter = LEARN_EVERY;
  #isOfUse = true;

  /** The result of JSON.parse for the bytes, if known. Parts that cannot differ are shared between bodies. */
  find(bytes: Buffer, from = 0, to = bytes.length): BodyRead | undefined {
    for (const known of this.#known) {
      if (known.around.length !== to - from || !known.around.areAt(bytes, from)) continue;
      const body = filled(known, bytes, from);
      if (body === undefined) continue;
      this.#isOfUse = true;
      return { body, bodyForm: known.form };
    }
    return undefined;
  }

  /** Remembers some of the unknown bodies. @param text the bytes as text, ASCII */
  learn(bytes: Buffer, text: string, body: unknown): void {
    this.#misses += 1;
    if (this.#misses < this.#learnAfter || text.length < LEAST_BYTES || text.length > MOST_BYTES) return;
    this.#misses = 0;
    this.#learnAfter = this.#isOfUse ? LEARN_EVERY : Math.min(2 * this.#learnAfter, LEARN_AT_LEAST_EVERY);
    this.#isOfUse = false;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    const holes = holesIn(text, MOST_HOLES);
    if (!holes) return;
    this.#known.unshift({
      around: new KnownBytes(bytes, holes),
      body,
      holes: holes.map((hole) => knownHole(hole, bytes)),
      isFlat: holes.every(({ path }) => path.length === 1),
      form: {},
    });
    if (this.#known.length > MOST_BODIES) this.#known.pop();
  }
}

/** Listed member by member, not spread: spread objects have many shapes, and every answer reads these. */
const knownHole = ({ from, to, fits, path }: Hole, bytes: Buffer): KnownHole => ({
  from,
  to,
  fits,
  path,
  content: new KnownBytes(bytes.subarray(from, to)),
});

type Members = Record<string, unknown>;

/**
 * The body with the current values of its holes; `undefined` if one of them is not a valid value. Many answers repeat some
 * values, such as the conversation: those already in the model need no new text.
 * @param start where the body begins among the bytes
 */
function filled({ body, holes, isFlat }: KnownBody, bytes: Buffer, start: number): object | undefined {
  // Written twice, because copying at a place that has met more than four shapes takes several times as long.
  const copy: Members = isFlat ? { ...body } : { ...body };
  for (const { from, to, path, fits, content } of holes) {
    if (content.areAt(bytes, start + from)) continue;
    if (!fits(bytes, start + from, start + to)) return undefined;
    put(copy, body as Members, path, bytes.toString('latin1', start + from, start + to));
  }
  return copy;
}

/** Sets a member; objects on the path to it are copied first, as they belong to the model. */
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
