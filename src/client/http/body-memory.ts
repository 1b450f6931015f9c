import type { BodyForm } from '../../api/index.ts';
import type { BodyRead } from './answer.ts';
import { type Hole, holesIn } from './body-holes.ts';
import { KnownBytes } from './known-bytes.ts';

/** A hole and what was in it. */
interface KnownHole extends Hole {
  readonly content: KnownBytes;
}

/** A body, and what makes another one of it. */
interface KnownBody {
  /** All but what is in the holes. */
  readonly around: KnownBytes;
  readonly body: object;
  readonly holes: readonly KnownHole[];
  /** Whether all holes are members of the body itself. */
  readonly isFlat: boolean;
  readonly form: BodyForm;
}

/** Answers of one operation differ in a turn's status, and in the digits of numbers. */
const MOST_BODIES = 4;
const LEAST_BYTES = 4;
const MOST_BYTES = 4_096;
const MOST_HOLES = 12;
/**
 * Of so many bodies unlike those remembered one is remembered, and of twice as many whenever that was for nothing: of a service that
 * never says the same twice, taking bodies apart must cost nothing that is felt.
 */
const LEARN_EVERY = 8;
const LEARN_AT_LEAST_EVERY = 8_192;

/**
 * Remembers the last bodies of one operation. Most answers differ from the one before in identifiers, instants and tokens alone; then
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
      if (known.around.length !== to - from || !known.around.areAt(bytes, from)) continue;
      const body = filled(known, bytes, from);
      if (body === undefined) continue;
      this.#isOfUse = true;
      return { body, bodyForm: known.form };
    }
    return undefined;
  }

  /** Keeps a body that was not known, now and then. @param text of the bytes, ASCII */
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

/** Written out, not spread: objects made by a spread are of many shapes, and every answer reads these. */
const knownHole = ({ from, to, fits, path }: Hole, bytes: Buffer): KnownHole => ({
  from,
  to,
  fits,
  path,
  content: new KnownBytes(bytes.subarray(from, to)),
});

type Members = Record<string, unknown>;

/**
 * The body with what is in its holes now; `undefined` where something in them is no value that may stand there. Many answers say
 * some of it again, the conversation for one: what stands in the model already costs no text.
 * @param start where the body begins among the bytes
 */
function filled({ body, holes, isFlat }: KnownBody, bytes: Buffer, start: number): object | undefined {
  // In two places, as a copy made at one that has met more than four shapes takes several times as long.
  const copy: Members = isFlat ? { ...body } : { ...body };
  for (const { from, to, path, fits, content } of holes) {
    if (content.areAt(bytes, start + from)) continue;
    if (!fits(bytes, start + from, start + to)) return undefined;
    put(copy, body as Members, path, bytes.toString('latin1', start + from, start + to));
  }
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
