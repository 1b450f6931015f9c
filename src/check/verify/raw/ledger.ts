import { type LimitName, limitNames, type OperationId, operationIds } from '../../../api/index.ts';
import {
  type EndRecord,
  type Exchange,
  type Header,
  type JournalRecord,
  type ProfileWords,
  recordedAllSent,
} from '../../../history/index.ts';
import type { Certificate, ExchangeRef } from '../../certificates/certificate.ts';
import { bytes, floats, SeenSequences } from '../../evidence/columns.ts';
import { doubtAbout } from '../../evidence/doubt.ts';
import type { Timeline } from '../../evidence/timeline.ts';
import { type Decider, gather, Raw, Sharing, type Stamped, sharingOf } from './buckets.ts';
import {
  type Decided,
  endsTheMatter,
  type Labels,
  refOfExchange,
  type Stamps,
  saysAdmitted,
  wasInvalid,
  wasRefused,
} from './raw.ts';
import { codeOf, limitsWithCodes, mayRefuse, packed, type Said, unpacked } from './raw-codes.ts';
import type { Rivals } from './raw-rivals.ts';

/** One attempt, as the verifier sees it. */
export interface RawAttempt {
  readonly index: number;
  readonly operation: OperationId;
  readonly flags: number;
  readonly decided: Decided;
  readonly mayBeReplay: boolean;
}

/** Every attempt of a history, as far as the rate limit needs it. */
export interface RawAttempts {
  readonly complete: boolean;
  /** Limits that some refusal's code names. */
  readonly withCodes: ReadonlySet<LimitName>;
  /** The attempt of an exchange that a certificate names; `undefined` for others. */
  readonly attempt: (ref: ExchangeRef) => RawAttempt | undefined;
  /** The reference of an attempt (`RawAttempt.index`). */
  readonly refOf: (index: number) => ExchangeRef;
  readonly stampsAt: (index: number) => Stamps;
  /** The labels of all attempts, each combination once. */
  readonly labels: readonly Labels[];
  /** Whether the attempt certainly counts in the certificate's bucket. */
  readonly isInScope: (attempt: RawAttempt, certificate: Pick<Certificate, 'scope'>) => boolean;
  /** Everything that may have counted in the certificate's bucket. */
  readonly rivalsOf: (certificate: Pick<Certificate, 'scope' | 'counts'>) => Rivals;
}

/**
 * What the verifier keeps of every exchange during the first reading: ten bytes. So a proof that only rules out a reading needs
 * no second reading of the journal, which would cost as much as everything else.
 */
export class RawLedger {
  readonly #words: ProfileWords;
  /** Run time of the status line; if there is none, when the client stopped waiting. */
  readonly #until = floats();
  readonly #flags = bytes();
  /** For a refusal, what its code says (`packed`). */
  readonly #said = bytes();
  readonly #seen = new SeenSequences();
  readonly #twice = new Set<string>();
  #end: EndRecord | undefined;

  constructor(words: ProfileWords) {
    this.#words = words;
  }

  add(record: JournalRecord): void {
    if (record.kind === 'exchange') this.addExchange(record, doubtAbout(record, this.#words));
    else if (record.kind === 'end') this.#end = record;
  }

  /** @param doubt result of `doubtAbout` */
  addExchange(exchange: Exchange, doubt: string | undefined): void {
    const { worker = 0, seq } = exchange;
    if (!this.#seen.add(worker, seq)) this.#twice.add(`${worker}:${seq}`);
    // For an exchange that broke off without a status line, one µs more gives the end that `decidedWithin` computes.
    this.#until.push(exchange.headersAt ?? exchange.receivedAt - 1);
    const answered = endsTheMatter(exchange) ? Raw.answered : 0;
    this.#flags.push(doubt === undefined ? flagsOf(exchange, this.#words) | answered : Raw.doubted | answered);
    this.#said.push(doubt === undefined && wasRefused(exchange) ? packed(codeOf(exchange, this.#words)) : 0);
  }

  #decider(stamped: Stamped, header: Header, timeline: Timeline): Decider & Pick<RawAttempts, 'withCodes'> {
    const { worker, seq, sentAt, operation } = stamped;
    const [until, kept, said] = [this.#until.values(), this.#flags.values(), this.#said.values()];
    const isTwice = (row: number) => this.#twice.size > 0 && this.#twice.has(`${worker[row] ?? 0}:${seq[row] ?? 0}`);
    const isDoubted = (row: number) => ((kept[row] as number) & Raw.doubted) !== 0 || isTwice(row);
    const withCodes = limitsWithCodes(said, isTwice);
    const flags = (row: number) => {
      if (isDoubted(row)) return Raw.doubted;
      const refused = said[row] as number;
      const id = operationIds[operation[row] as number] as OperationId;
      return (kept[row] as number) | (refused === 0 ? 0 : refusalFlags(unpacked(refused), id, withCodes, this.#words));
    };
    const delayUs = header.clock.maxServerDelayUs;
    return {
      withCodes,
      flags,
      decide: (row) => decidedBetween(sentAt[row] as number, until[row] as number, flags(row), { delayUs, timeline }),
    };
  }

  #stampsAt(row: number, { sentAt: sent }: Stamped, delayUs: number): Stamps {
    const sentAt = sent[row] as number;
    const seen = this.#until.at(row) + 1;
    const isAnswered = (this.#flags.at(row) & Raw.answered) !== 0;
    return { sentAt, until: isAnswered ? seen : Math.max(seen, sentAt + delayUs) };
  }

  /** @param named exchanges that certificates name */
  finish(stamped: Stamped, header: Header, timeline: Timeline, named: ReadonlySet<ExchangeRef>): RawAttempts {
    const decider = this.#decider(stamped, header, timeline);
    const rows = rowsNamed(stamped, named);
    const labels = Array.from({ length: stamped.places }, (_, i) => stamped.labelsOf(i + 1));
    const scopes = remembered((scope: Certificate['scope']) => sharingOf(stamped, scope));
    const rivals = remembered((bucket: Pick<Certificate, 'scope' | 'counts'>) => gather(stamped, bucket, decider));
    return {
      complete: recordedAllSent(header, this.#end, this.#until.size),
      withCodes: decider.withCodes,
      attempt: (ref) => {
        const row = rows.get(ref);
        if (row === undefined) return undefined;
        const operation = operationIds[stamped.operation[row] as number] as OperationId;
        const mayBeReplay = stamped.mayBeReplay(row);
        return { index: row, operation, flags: decider.flags(row), decided: decider.decide(row), mayBeReplay };
      },
      refOf: (row) => refAt(stamped, row),
      stampsAt: (row) => this.#stampsAt(row, stamped, header.clock.maxServerDelayUs),
      labels,
      isInScope: ({ index }, { scope }) => scopes(scope)(index) === Sharing.surely,
      rivalsOf: ({ scope, counts }) => rivals({ scope, counts }),
    };
  }
}

/** Computes the value of each key once. */
function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<string, V>();
  return (key) => {
    const name = JSON.stringify(key);
    const value = known.get(name) ?? make(key);
    known.set(name, value);
    return value;
  };
}

/** For a believable exchange. */
function flagsOf(exchange: Exchange, words: ProfileWords): number {
  if (wasRefused(exchange)) return 0;
  if (saysAdmitted(exchange, words)) return Raw.admitted;
  return wasInvalid(exchange) ? Raw.invalid : 0;
}

function refusalFlags(
  said: Said,
  operation: OperationId,
  withCodes: ReadonlySet<LimitName>,
  { afterRate }: ProfileWords,
): number {
  const may = (limit: LimitName) => mayRefuse(limit, said, operation, withCodes);
  if (!may('rate')) {
    const isLater = limitNames.every((limit) => !may(limit) || afterRate.includes(limit));
    return isLater ? Raw.refusedElsewhere | Raw.refusedLater : Raw.refusedElsewhere;
  }
  return may('concurrency') || may('daily') ? Raw.mayBeRate : Raw.mayBeRate | Raw.surelyRate;
}

interface Terms {
  readonly delayUs: number;
  readonly timeline: Timeline;
}

/** Like `decidedWithin`, from stamps and flags alone. */
function decidedBetween(sentAt: number, until: number, flags: number, { delayUs, timeline }: Terms): Decided {
  if ((flags & Raw.doubted) !== 0) return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const from = timeline.at(sentAt);
  if ((flags & Raw.answered) !== 0) return { from, to: timeline.at(until + 1) };
  return { from, to: Math.max(timeline.at(until + 1), timeline.at(sentAt + delayUs), from + delayUs) };
}

function rowsNamed({ size, seq, worker }: Stamped, named: ReadonlySet<ExchangeRef>): ReadonlyMap<ExchangeRef, number> {
  const rows = new Map<ExchangeRef, number>();
  for (let row = 0; row < size && rows.size < named.size; row++) {
    const ref = refAt({ seq, worker }, row);
    if (named.has(ref)) rows.set(ref, row);
  }
  return rows;
}

const refAt = ({ seq, worker }: Pick<Stamped, 'seq' | 'worker'>, row: number): ExchangeRef =>
  refOfExchange({ seq: seq[row] as number, worker: worker[row] as number });
