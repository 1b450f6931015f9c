import type { OperationId } from '../../api/index.ts';
import type { Exchange, Header, ProfileWords } from '../../history/index.ts';
import type { Certificate, ExchangeRef } from '../certificate.ts';
import { bytes, floats } from '../columns.ts';
import { doubtAbout } from '../doubt.ts';
import type { ScopeLabels } from '../slice.ts';
import type { Timeline } from '../timeline.ts';
import { countedOperations, refOfExchange, surelyRefusedBy, wasAdmitted } from './raw.ts';

/** Everything of a history that may have counted in one bucket of the rate limit, in columns: there may be millions. */
export interface Rivals {
  readonly size: number;
  /** Service µs since run time 0. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** 1: surely refused by the same limit, so that it counts only where refusals do. */
  readonly refused: Uint8Array;
  /** 1: surely admitted; anything else may have been refused. */
  readonly admitted: Uint8Array;
  readonly indexOf: (ref: ExchangeRef) => number;
}

/** Whether a refusal must be counted again. */
export const countsRivals = (certificate: Certificate): boolean =>
  certificate.limit === 'rate' &&
  ('refusal' in certificate ||
    ('arcs' in certificate && certificate.arcs.some(({ says }) => says === 'no-boundary-within')));

const bucketOf = ({ scope, counts }: Pick<Certificate, 'scope' | 'counts'>) => JSON.stringify([scope, counts]);

/** Gathers the rivals of every bucket that certificates of wrongful refusals are about. */
export class RivalFold {
  readonly #buckets = new Map<string, Bucket>();
  readonly #delayUs: number;
  readonly #words: ProfileWords;

  constructor(certificates: readonly Certificate[], header: Header, words: ProfileWords) {
    this.#delayUs = header.clock.maxServerDelayUs;
    this.#words = words;
    for (const certificate of certificates.filter(countsRivals))
      this.#buckets.set(bucketOf(certificate), new Bucket(certificate));
  }

  add(exchange: Exchange): void {
    for (const bucket of this.#buckets.values()) bucket.add(exchange, this.#words);
  }

  finish(timeline: Timeline, twice: ReadonlySet<ExchangeRef>): (certificate: Certificate) => Rivals | undefined {
    const made = new Map(
      [...this.#buckets].map(([key, bucket]) => [key, bucket.finish(this.#delayUs, timeline, twice)]),
    );
    return (certificate) => made.get(bucketOf(certificate));
  }
}

class Bucket {
  readonly #operations: ReadonlySet<OperationId>;
  readonly #labels: readonly [keyof ScopeLabels, string][];
  readonly #refs: ExchangeRef[] = [];
  readonly #sentAt = floats();
  /** NaN where no status line came. */
  readonly #headersAt = floats();
  readonly #receivedAt = floats();
  readonly #doubted = bytes();
  readonly #refused = bytes();
  readonly #admitted = bytes();

  constructor({ scope, counts }: Certificate) {
    this.#operations = new Set(countedOperations(counts).operations);
    this.#labels = Object.entries(scope) as [keyof ScopeLabels, string][];
  }

  add(exchange: Exchange, words: ProfileWords): void {
    if (!this.#operations.has(exchange.operation)) return;
    for (const [label, value] of this.#labels) if (exchange[label] !== value) return;
    this.#refs.push(refOfExchange(exchange));
    this.#sentAt.push(exchange.sentAt);
    this.#headersAt.push(exchange.headersAt ?? Number.NaN);
    this.#receivedAt.push(exchange.receivedAt);
    this.#doubted.push(doubtAbout(exchange) === undefined ? 0 : 1);
    this.#refused.push(surelyRefusedBy(exchange, 'rate', words) ? 1 : 0);
    this.#admitted.push(wasAdmitted(exchange, words) ? 1 : 0);
  }

  finish(delayUs: number, timeline: Timeline, twice: ReadonlySet<ExchangeRef>): Rivals {
    const refs = this.#refs;
    const sentAt = this.#sentAt.values();
    const from = sentAt.map((at) => timeline.at(at));
    const headersAt = this.#headersAt.values();
    const receivedAt = this.#receivedAt.values();
    const [doubted, refused, admitted] = [this.#doubted.values(), this.#refused.values(), this.#admitted.values()];
    const to = from.map((begin, i) => {
      const headers = headersAt[i] as number;
      if (!Number.isNaN(headers)) return timeline.at(headers + 1);
      const latest = timeline.at((sentAt[i] as number) + delayUs);
      return Math.max(timeline.at(receivedAt[i] as number), latest, begin + delayUs);
    });
    refs.forEach((ref, i) => {
      if (doubted[i] === 0 && !twice.has(ref)) return;
      from[i] = Number.NEGATIVE_INFINITY;
      to[i] = Number.POSITIVE_INFINITY;
      refused[i] = 0;
      admitted[i] = 0;
    });
    return { size: refs.length, from, to, refused, admitted, indexOf: (ref) => refs.indexOf(ref) };
  }
}
