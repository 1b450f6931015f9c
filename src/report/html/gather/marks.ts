import { formatCount, inertText } from '../../../base/index.ts';
import type { ExchangeRef } from '../../../check/index.ts';
import { type RunContext, surelyAdmitted } from '../../../collect/index.ts';
import type { Exchange } from '../../../history/index.ts';
import { plural } from '../../formatters.ts';
import { type MarkClass, type MarkKind, type Marks, markClasses, type NewMarks } from '../page-data.ts';
import { Dictionary } from './dictionary.ts';
import { type Columns, columnsOf, lengthOf, type Mark } from './mark-columns.ts';
import { Thinned } from './thinned.ts';

/** Bounds of distinct kinds and users, because a service may send a new error code in every answer. */
const MOST_KINDS = 2_000;
const MOST_USERS = 20_000;
const ANSWER_CHARACTERS = 60;
const NAME_CHARACTERS = 40;

/** Maximum characters of the columns, which take about 25 per exchange; more is thinned, so that the page stays below 5 MB. */
const MOST_CHARACTERS = 4_200_000;

export const refOf = ({ seq, worker }: { readonly seq: number; readonly worker?: number }): ExchangeRef =>
  worker === undefined ? seq : `${worker}:${seq}`;

/** Collects the exchanges to draw: all up to `most`; above that, every 2nd, 4th, … of the larger of successes and others. */
export class MarkGatherer {
  readonly #context: RunContext;
  readonly #most: number;
  readonly #named: ReadonlySet<ExchangeRef>;
  /** Marks added since the last `takeNew`; `undefined` before its first call. */
  #fresh: Mark[] | undefined;
  #taken = { marks: 0, kinds: 0, users: 0, strides: '' };
  readonly #kinds = new Dictionary<MarkKind>(MOST_KINDS);
  readonly #users = new Dictionary<string>(MOST_USERS);
  readonly #successes = new Thinned<Mark>();
  readonly #others = new Thinned<Mark>();
  /** Exchanges in certificates are always drawn. */
  readonly #proofs: Mark[] = [];
  readonly #counts = Object.fromEntries(markClasses.map((name) => [name, 0])) as Record<MarkClass, number>;

  constructor(context: RunContext, most: number, named: ReadonlySet<ExchangeRef>) {
    this.#context = context;
    this.#most = most;
    this.#named = named;
  }

  add(exchange: Exchange): void {
    const kind = this.#kindOf(exchange);
    this.#counts[kind.class] += 1;
    const user = inertText(exchange.user, NAME_CHARACTERS);
    const mark: Mark = {
      sentAt: exchange.sentAt,
      service: exchange.receivedAt - exchange.sentAt,
      waited: Math.max(0, exchange.sentAt - exchange.intendedAt),
      kind: this.#kinds.indexOf(keyOf(kind), kind, commonOf),
      user: this.#users.indexOf(user, user, () => OTHER_USERS),
      seq: exchange.seq,
      worker: exchange.worker ?? -1,
      named: this.#named.has(refOf(exchange)),
    };
    if (this.#keep(mark, kind.class)) this.#fresh?.push(mark);
    while (this.#kept() > this.#most) this.#larger().halve();
  }

  /** All collected exchanges, in order of sending. */
  marks(): Marks {
    let columns = this.#columns();
    while (lengthOf(columns.columns) > MOST_CHARACTERS && this.#kept() > 1_000) {
      this.#larger().halve();
      columns = this.#columns();
    }
    return { ...columns, kinds: this.#kinds.values(), users: this.#users.values(), ...this.#totals() };
  }

  /**
   * The exchanges since the last call. At the first call, and after exchanges were thinned, it returns all of them with `from` 0,
   * and the page must discard what it has.
   */
  takeNew(): NewMarks {
    const strides = `${this.#successes.stride} ${this.#others.stride}`;
    const fresh = strides === this.#taken.strides ? this.#fresh : undefined;
    const { marks, kinds, users } = fresh ? this.#taken : { marks: 0, kinds: 0, users: 0 };
    const added = {
      ...(fresh ? columnsOf(fresh) : this.#columns()),
      kinds: this.#kinds.values().slice(kinds),
      users: this.#users.values().slice(users),
      ...this.#totals(),
    };
    this.#fresh = [];
    this.#taken = {
      marks: marks + added.columns.seq.length,
      kinds: this.#kinds.values().length,
      users: this.#users.values().length,
      strides,
    };
    return { from: marks, added, kindsFrom: kinds, usersFrom: users };
  }

  /** Sentences about what was left out; empty if nothing was. */
  thinning(): string[] {
    const parts = [
      ...thinningOf(this.#successes, 'success', 'successes'),
      ...thinningOf(this.#others, 'other exchange', 'other exchanges'),
    ];
    if (parts.length === 0) return [];
    return [
      `Too many to draw them all: ${parts.join(' and ')} drawn, plus all exchanges of proofs. The numbers on this page count all exchanges.`,
    ];
  }

  #keep(mark: Mark, kind: MarkClass): boolean {
    if (!mark.named) return (kind === 'success' ? this.#successes : this.#others).add(mark);
    this.#proofs.push(mark);
    return true;
  }

  #totals(): Pick<Marks, 'counts' | 'whole'> {
    return { counts: { ...this.#counts }, whole: this.#successes.stride === 1 && this.#others.stride === 1 };
  }

  #kept(): number {
    return this.#successes.items.length + this.#others.items.length;
  }

  #larger(): Thinned<Mark> {
    return this.#successes.items.length >= this.#others.items.length ? this.#successes : this.#others;
  }

  #columns(): Columns {
    const marks = [...this.#successes.items, ...this.#others.items, ...this.#proofs];
    return columnsOf(marks.sort((a, b) => a.sentAt - b.sentAt || a.seq - b.seq || a.worker - b.worker));
  }

  #kindOf(exchange: Exchange): MarkKind {
    const outcome = this.#context.isExpectedError(exchange) ? 'expected' : this.#context.classOf(exchange);
    const { operation, status, attempt, retryAfter } = exchange;
    const parts = [status, exchange.error?.code, exchange.failure, exchange.bodyProblem].filter(
      (one) => one !== undefined,
    );
    return {
      operation,
      class: outcome === 'refused' ? this.#context.limitOf(exchange) : outcome,
      answer: inertText(parts.join(' '), ANSWER_CHARACTERS),
      journey: inertText(exchange.journey, NAME_CHARACTERS),
      application: inertText(exchange.application, NAME_CHARACTERS),
      attempt,
      counted: surelyAdmitted(exchange) && this.#context.words.rateCounts.includes(operation),
      ...(retryAfter !== undefined && { retryAfter: inertText(retryAfter, NAME_CHARACTERS) }),
    };
  }
}

const thinningOf = ({ stride, seen }: Thinned<Mark>, one: string, many: string): string[] =>
  stride === 1 ? [] : [`1 in ${formatCount(stride)} of ${plural(seen, one, many)}`];

const keyOf = (kind: MarkKind): string => Object.values(kind).join('\u0000');

/** The substitute of kinds when the dictionary is full: keeps operation and class, but not answer, journey and attempt. */
function commonOf({ retryAfter: _, ...kind }: MarkKind): readonly [string, MarkKind] {
  const common = { ...kind, answer: '…', journey: '…', attempt: 1 };
  return [keyOf(common), common];
}

const OTHER_USERS = ['\u0000', 'another user'] as const;
