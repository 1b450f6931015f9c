import { type OperationId, operationIds } from '../../api/index.ts';
import type { EndRecord, Exchange, Header, JournalRecord, ProfileWords } from '../../history/index.ts';
import type { Certificate, ExchangeRef } from '../certificate.ts';
import { bytes, floats, SeenSequences, words } from '../columns.ts';
import { doubtAbout } from '../doubt.ts';
import type { Evidence } from '../evidence.ts';
import type { LabelColumn } from '../labels.ts';
import type { Timeline } from '../timeline.ts';
import {
  countedOperations,
  type Decided,
  endsTheMatter,
  mayBeRefusedBy,
  mayShare,
  needNotShare,
  surelyRefusedBy,
  wasAdmitted,
} from './raw.ts';
import type { Rivals } from './raw-rivals.ts';

/** Bits of what an exchange was, by its raw record. `answered`: the service acted on it no later than its answer. */
export const Raw = { doubted: 1, admitted: 2, mayBeRate: 4, surelyRate: 8, resend: 16, answered: 32 } as const;

/** The names and stamps that the verifier shares with the evidence: they are copied from the records, not derived. */
export type Copied = Pick<Evidence, 'size' | 'seq' | 'worker' | 'sentAt' | 'operation' | 'place' | 'places'>;

/** One attempt, as the verifier sees it. */
export interface RawAttempt {
  readonly index: number;
  readonly operation: OperationId;
  readonly flags: number;
  readonly decided: Decided;
}

/** Every attempt of a history, as far as the rate limit goes. */
export interface RawAttempts {
  readonly complete: boolean;
  /** Of the exchanges named; `undefined` for others. */
  readonly attempt: (ref: ExchangeRef) => RawAttempt | undefined;
  /** Whether it surely counts there. */
  readonly isInScope: (attempt: RawAttempt, certificate: Pick<Certificate, 'scope'>) => boolean;
  /** Everything that may have counted in the bucket of a certificate. */
  readonly rivalsOf: (certificate: Pick<Certificate, 'scope' | 'counts'>) => Rivals;
}

/**
 * What the verifier keeps for itself of every exchange while the records go by: nine bytes, so that no proof of the rate limit
 * needs a second reading of the journal, which would cost as much as everything else.
 */
export class RawLedger {
  readonly #words: ProfileWords;
  /** Run time of the status line; of its absence, when the client stopped waiting. */
  readonly #until = floats();
  readonly #flags = bytes();
  readonly #seen = new SeenSequences();
  readonly #twice = new Set<string>();
  #end: EndRecord | undefined;

  constructor(words: ProfileWords) {
    this.#words = words;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'end') this.#end = record;
    if (record.kind !== 'exchange') return;
    if (!this.#seen.add(record.worker ?? 0, record.seq)) this.#twice.add(`${record.worker ?? 0}:${record.seq}`);
    this.#until.push(record.headersAt ?? record.receivedAt);
    this.#flags.push(flagsOf(record, this.#words));
  }

  #decider({ worker, seq, sentAt }: Copied, header: Header, timeline: Timeline): Decider {
    const [until, kept] = [this.#until.values(), this.#flags.values()];
    const isTwice = (row: number) => this.#twice.size > 0 && this.#twice.has(`${worker[row] ?? 0}:${seq[row] ?? 0}`);
    const flags = (row: number) => (isTwice(row) ? Raw.doubted : (kept[row] as number));
    const delayUs = header.clock.maxServerDelayUs;
    return {
      flags,
      decide: (row) => decidedBetween(sentAt[row] as number, until[row] as number, flags(row), { delayUs, timeline }),
    };
  }

  /** @param named exchanges that certificates name */
  finish(copied: Copied, header: Header, timeline: Timeline, named: ReadonlySet<ExchangeRef>): RawAttempts {
    const decider = this.#decider(copied, header, timeline);
    const rows = rowsNamed(copied, named);
    const scopes = remembered((scope: Certificate['scope']) => sharingOf(copied, scope));
    const rivals = remembered((bucket: Pick<Certificate, 'scope' | 'counts'>) => gather(copied, bucket, decider));
    return {
      complete: this.#end?.complete === true && this.#end.exchanges === this.#until.size,
      attempt: (ref) => {
        const row = rows.get(ref);
        if (row === undefined) return undefined;
        const operation = operationIds[copied.operation[row] as number] as OperationId;
        return { index: row, operation, flags: decider.flags(row), decided: decider.decide(row) };
      },
      isInScope: ({ index }, { scope }) => scopes(scope)(index) === Sharing.surely,
      rivalsOf: ({ scope, counts }) => rivals({ scope, counts }),
    };
  }
}

/** What each row was, and when it was decided. */
interface Decider {
  readonly flags: (row: number) => number;
  readonly decide: (row: number) => Decided;
}

/** Made once for each key. */
function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<string, V>();
  return (key) => {
    const name = JSON.stringify(key);
    const value = known.get(name) ?? make(key);
    known.set(name, value);
    return value;
  };
}

function flagsOf(exchange: Exchange, words: ProfileWords): number {
  if (doubtAbout(exchange) !== undefined) return Raw.doubted;
  let flags = 0;
  if (endsTheMatter(exchange)) flags |= Raw.answered;
  if (exchange.resend !== undefined) flags |= Raw.resend;
  if (exchange.outcome === 'refused') {
    if (mayBeRefusedBy(exchange, 'rate', words)) flags |= Raw.mayBeRate;
    if (surelyRefusedBy(exchange, 'rate', words)) flags |= Raw.surelyRate;
  } else if (wasAdmitted(exchange, words)) flags |= Raw.admitted;
  return flags;
}

interface Terms {
  readonly delayUs: number;
  readonly timeline: Timeline;
}

/** As `decidedWithin`, from the stamps and flags alone. */
function decidedBetween(sentAt: number, until: number, flags: number, { delayUs, timeline }: Terms): Decided {
  if ((flags & Raw.doubted) !== 0) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const from = timeline.at(sentAt);
  if ((flags & Raw.answered) !== 0) return { from, to: timeline.at(until + 1) };
  return { from, to: Math.max(timeline.at(until + 1), timeline.at(sentAt + delayUs), from + delayUs) };
}

function rowsNamed({ size, seq, worker }: Copied, named: ReadonlySet<ExchangeRef>): ReadonlyMap<ExchangeRef, number> {
  const rows = new Map<ExchangeRef, number>();
  for (let row = 0; row < size && rows.size < named.size; row++) {
    const number = seq[row] as number;
    const ref: ExchangeRef = worker[row] === 0 ? number : `${worker[row] as number}:${number}`;
    if (named.has(ref)) rows.set(ref, row);
  }
  return rows;
}

/** Whether a row belongs to a scope: `surely`, by its labels and its operation; or only `perhaps`. */
const Sharing = { no: 0, perhaps: 1, surely: 2 } as const;
type Sharing = (typeof Sharing)[keyof typeof Sharing];

const columns: readonly LabelColumn[] = ['application', 'user', 'token', 'conversation'];

function sharingOf({ places, place, operation }: Copied, scope: Certificate['scope']): (row: number) => Sharing {
  const { operation: wantedOperation, ...wanted } = scope;
  const byPlace = new Uint8Array(places.size + 1);
  for (let one = 1; one <= places.size; one++) {
    const labels = Object.fromEntries(
      columns.map((column) => [column, places.nameOf(column, places[column][one] as number)]),
    );
    const isIn = columns.every((column) => wanted[column] === undefined || labels[column] === wanted[column]);
    byPlace[one] = isIn ? Sharing.surely : mayShare(labels, scope) ? Sharing.perhaps : Sharing.no;
  }
  const index = operationIds.indexOf(wantedOperation as OperationId);
  const unsure = needNotShare(scope).map((id) => operationIds.indexOf(id));
  return (row) => {
    const sharing = byPlace[place[row] as number] as Sharing;
    if (sharing === Sharing.no || (wantedOperation !== undefined && operation[row] !== index)) return Sharing.no;
    return unsure.includes(operation[row] as number) ? Sharing.perhaps : sharing;
  };
}

function gather(
  copied: Copied,
  { scope, counts }: Pick<Certificate, 'scope' | 'counts'>,
  { decide, flags }: Decider,
): Rivals {
  const sharing = sharingOf(copied, scope);
  const counted = countedOperations(counts).operations;
  const isCounted = operationIds.map((id) => counted.includes(id));
  const columns = { row: words(), from: floats(), to: floats(), refused: bytes(), admitted: bytes() };
  for (let row = 0; row < copied.size; row++) {
    const shares = isCounted[copied.operation[row] as number] ? sharing(row) : Sharing.no;
    if (shares === Sharing.no) continue;
    const decided = decide(row);
    const known = shares === Sharing.surely ? flags(row) : 0;
    columns.row.push(row);
    columns.from.push(decided.from);
    columns.to.push(decided.to);
    columns.refused.push(known & Raw.surelyRate ? 1 : 0);
    columns.admitted.push(known & Raw.admitted ? 1 : 0);
  }
  const rows = columns.row.values();
  return {
    size: rows.length,
    from: columns.from.values(),
    to: columns.to.values(),
    refused: columns.refused.values(),
    admitted: columns.admitted.values(),
    indexOf: (row) => rows.indexOf(row),
  };
}
