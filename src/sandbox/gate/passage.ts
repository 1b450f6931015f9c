import type { Micros } from '../../base/index.ts';
import type { Ask, Decision } from '../limiters/index.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

/**
 * The kind of a request: `invalid` (422 or 404), `replay` (a message sent before with the same content), or `ordinary`: everything
 * else.
 */
export type RequestKind = 'invalid' | 'replay' | 'ordinary';

/** A limit that admits, with what it has left afterwards. */
export interface Standing {
  readonly rule: Rule;
  readonly decision: Extract<Decision, { admitted: true }>;
}

/** A limit that refuses. */
export interface Refused {
  readonly rule: Rule;
  readonly retryAtUs: Micros;
}

type Met = Standing & { readonly ask: Ask };

/**
 * Checks one request against the limits, in their order:
 *
 *   arrive() ──► meet(kind) ──► close()        every limit met takes its unit
 *       │             │
 *       └── refused ──┴──► close()             of the limits met, those with `countsRefusedLater` take a unit
 *              otherwise ──► fail()            likewise, if the service itself failed
 *
 * `arrive` asks limits in order, up to the first that depends on the kind of the request; `meet` asks the rest. Both only peek;
 * units are taken at the end, so a refusal leaves no partial effect.
 */
export class Passage {
  readonly #now: Micros;
  readonly #report: (rule: Rule, key: string) => void;
  readonly #rules: readonly Rule[];
  readonly #subject: Subject;
  readonly #met: Met[] = [];
  /** How many of the rules have been handled: asked, or skipped. */
  #asked = 0;
  #refused: (Refused & { readonly ask: Ask }) | undefined;
  #held: { readonly heldFrom: Micros; readonly heldUntil: Micros };
  #isOpen = true;

  /**
   * @param rules the rules that count the operation of the subject, in order
   * @param report called for each key whose state has changed
   */
  constructor(rules: readonly Rule[], subject: Subject, now: Micros, report: (rule: Rule, key: string) => void) {
    this.#rules = rules;
    this.#subject = subject;
    this.#now = now;
    this.#held = { heldFrom: now, heldUntil: now };
    this.#report = report;
  }

  /** To be called before the request is validated. @returns the limit that refuses, if any */
  arrive(): Refused | undefined {
    let rule = this.#rules[this.#asked];
    while (rule?.countsInvalid && rule.countsReplays) {
      this.#asked++;
      if (!this.#ask(rule)) return this.#refused;
      rule = this.#rules[this.#asked];
    }
    return undefined;
  }

  /** To be called once the kind of the request is known, before it has any effect. @returns the limit that refuses, if any */
  meet(kind: RequestKind): Refused | undefined {
    while (this.#refused === undefined) {
      const rule = this.#rules[this.#asked++];
      if (!rule) break;
      const applies = (kind !== 'invalid' || rule.countsInvalid) && (kind !== 'replay' || rule.countsReplays);
      if (applies) this.#ask(rule);
    }
    return this.#refused;
  }

  /** When the request is served: now, or later if a limit delays it. */
  get servedAt(): Micros {
    let delayUs = 0;
    for (const { decision } of this.#met) delayUs = Math.max(delayUs, decision.delayUs ?? 0);
    return (this.#now + delayUs) as Micros;
  }

  /** The limits that were asked, if all admit; empty after a refusal. */
  get standings(): readonly Standing[] {
    return this.#refused ? [] : this.#met;
  }

  /**
   * When the work of the request may start: the first instant from `from` on at which every limit met has a unit for the whole
   * duration, `until − from`. For most limits that is `from`.
   */
  freeFrom(from: Micros, until: Micros): Micros {
    let at = from;
    for (let waits = true; waits; ) {
      const held = { heldFrom: at, heldUntil: (until + (at - from)) as Micros };
      const free = this.#met.map(({ rule, ask }) => rule.limiter.freeFrom?.({ ...ask, ...held }) ?? at);
      const latest = Math.max(at, ...free) as Micros;
      // If one limit delays it, another limit that was free before may be occupied by then.
      waits = latest > at;
      at = latest;
    }
    return at;
  }

  /** Sets when held units are taken and when they are released; default for both: now. */
  hold(heldFrom: Micros, heldUntil: Micros): void {
    this.#held = { heldFrom, heldUntil };
  }

  /**
   * Ends a decided request: takes units and counts the refusal. A second call does nothing.
   * @returns the limits that took a unit, and the limit that refused
   */
  close(): { readonly taken: readonly Rule[]; readonly refused?: Rule } {
    if (!this.#isOpen) return { taken: [] };
    this.#isOpen = false;
    const refused = this.#refused;
    const taken = this.#met.filter(({ rule }) => refused === undefined || rule.countsRefusedLater);
    for (const { rule, ask } of taken) {
      rule.limiter.take(Object.assign({}, ask, this.#held));
      this.#report(rule, ask.key);
    }
    if (refused?.rule.limiter.refuse) {
      refused.rule.limiter.refuse(refused.ask);
      this.#report(refused.rule, refused.ask.key);
    }
    return { taken: taken.map(({ rule }) => rule), ...(refused && { refused: refused.rule }) };
  }

  /** Ends a request that the service failed to serve. Limits count it as if a later limit had refused. */
  fail(): { readonly taken: readonly Rule[] } {
    this.#met.splice(0, this.#met.length, ...this.#met.filter(({ rule }) => rule.countsRefusedLater));
    return this.close();
  }

  /** @returns whether the limit admits, or does not apply */
  #ask(rule: Rule): boolean {
    const key = rule.keyOf(this.#subject);
    if (key === undefined) return true;
    const { timezone } = this.#subject;
    const ask: Ask = { key, now: this.#now, ...(timezone !== undefined && { timezone }) };
    const decision = rule.limiter.peek(ask);
    if (decision.admitted) {
      this.#met.push({ rule, ask, decision });
      return true;
    }
    this.#refused = { rule, ask, retryAtUs: decision.retryAtUs };
    return false;
  }
}
