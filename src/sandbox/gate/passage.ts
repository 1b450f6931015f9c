import type { Micros } from '../../base/index.ts';
import type { Ask, Decision } from '../limiters/index.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';

/**
 * What a request turned out to be: `invalid` (422 or 404), `replay` (a message sent before, with the same content), or
 * `ordinary`, which is everything else.
 */
export type RequestKind = 'invalid' | 'replay' | 'ordinary';

/** A limit that admits, and what it has left then. */
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
 * One request's way through the limits, in their order:
 *
 *   arrive() ──► meet(kind) ──► close()        every limit met takes its unit
 *       │             │
 *       └── refused ──┴──► close()             only those before the refusing one that count such requests take one
 *              otherwise ──► fail()            likewise, where the service itself came to grief
 *
 * `arrive` asks the limits that decide whatever the request is, until one wants to know; `meet` asks the others. Both only
 * look, and nothing is taken before the end, so either all limits of a request take their unit or none does that should not.
 */
export class Passage {
  readonly #now: Micros;
  readonly #report: (rule: Rule, key: string) => void;
  readonly #rules: readonly Rule[];
  readonly #subject: Subject;
  readonly #met: Met[] = [];
  /** How many of the rules were asked, or need not be. */
  #asked = 0;
  #refused: (Refused & { readonly ask: Ask }) | undefined;
  #held: { readonly heldFrom: Micros; readonly heldUntil: Micros };
  #isOpen = true;

  /**
   * @param rules those that count the subject's operation, in their order
   * @param report told of each key whose state has changed
   */
  constructor(rules: readonly Rule[], subject: Subject, now: Micros, report: (rule: Rule, key: string) => void) {
    this.#rules = rules;
    this.#subject = subject;
    this.#now = now;
    this.#held = { heldFrom: now, heldUntil: now };
    this.#report = report;
  }

  /** Before anybody looks whether the request is valid. @returns the limit that refuses */
  arrive(): Refused | undefined {
    let rule = this.#rules[this.#asked];
    while (rule?.countsInvalid && rule.countsReplays) {
      this.#asked++;
      if (!this.#ask(rule)) return this.#refused;
      rule = this.#rules[this.#asked];
    }
    return undefined;
  }

  /** Once it is known what the request is, and before it has any effect. @returns the limit that refuses */
  meet(kind: RequestKind): Refused | undefined {
    while (this.#refused === undefined) {
      const rule = this.#rules[this.#asked++];
      if (!rule) break;
      const applies = (kind !== 'invalid' || rule.countsInvalid) && (kind !== 'replay' || rule.countsReplays);
      if (applies) this.#ask(rule);
    }
    return this.#refused;
  }

  /** When the request is served: now, or later where a limit makes it wait. */
  get servedAt(): Micros {
    let delayUs = 0;
    for (const { decision } of this.#met) delayUs = Math.max(delayUs, decision.delayUs ?? 0);
    return (this.#now + delayUs) as Micros;
  }

  /** The limits met, where all admit; after a refusal, none. */
  get standings(): readonly Standing[] {
    return this.#refused ? [] : this.#met;
  }

  /**
   * When what the request begins may begin: the first instant from `from` on at which every limit met has a unit for it until as
   * much later as `until`. For most limits that is `from`.
   */
  freeFrom(from: Micros, until: Micros): Micros {
    let at = from;
    for (let waits = true; waits; ) {
      const held = { heldFrom: at, heldUntil: (until + (at - from)) as Micros };
      const free = this.#met.map(({ rule, ask }) => rule.limiter.freeFrom?.({ ...ask, ...held }) ?? at);
      const latest = Math.max(at, ...free) as Micros;
      // Where one limit makes it wait, another that was free before may be so no more.
      waits = latest > at;
      at = latest;
    }
    return at;
  }

  /** Says when units that are held are taken, where they need not be at once, and when they come back. */
  hold(heldFrom: Micros, heldUntil: Micros): void {
    this.#held = { heldFrom, heldUntil };
  }

  /**
   * The end of a request that was decided: units are taken, refusals counted. A second call does nothing.
   * @returns the limits that took a unit, and the one that refused
   */
  close(): { readonly taken: readonly Rule[]; readonly refused?: Rule } {
    if (!this.#isOpen) return { taken: [] };
    this.#isOpen = false;
    const refused = this.#refused;
    const taken = this.#met.filter(({ rule }) => refused === undefined || rule.countsRefusedLater);
    for (const { rule, ask } of taken) {
      rule.limiter.take({ ...ask, ...this.#held });
      this.#report(rule, ask.key);
    }
    if (refused?.rule.limiter.refuse) {
      refused.rule.limiter.refuse(refused.ask);
      this.#report(refused.rule, refused.ask.key);
    }
    return { taken: taken.map(({ rule }) => rule), ...(refused && { refused: refused.rule }) };
  }

  /** The end of a request that the service could not serve: for the limits, as if a later one had refused. */
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
