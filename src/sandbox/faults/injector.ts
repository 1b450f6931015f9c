import type { OperationId } from '../../api/index.ts';
import { seededRandom } from '../../base/index.ts';
import type { Outcome } from '../replies.ts';
import type { Service } from '../service.ts';
import type { StruckCall } from './fault.ts';
import { parseFault } from './rule.ts';
import { strikesAt } from './when.ts';

type Ask = StruckCall['next'];

/** Applies the configured faults of one sandbox. */
export interface Injector {
  /**
   * Passes one request through the faults that strike it, the first rule outermost.
   * @param ask decides the request
   */
  around(operation: OperationId | undefined, freshRequestId: () => string, ask: Ask): Outcome;
  /** How often each rule has struck, by the text of the rule. */
  struck(): Readonly<Record<string, number>>;
}

/**
 * @param texts valid rules
 * @throws Error if a rule is invalid, which is a bug of the caller
 */
export function createInjector(texts: readonly string[], seed: number): Injector {
  const rules = texts.map((text, index) => {
    const rule = parseFault(text);
    if ('problem' in rule) throw new Error(rule.problem);
    return { ...rule, index, seen: 0, struck: 0 };
  });
  type Counted = (typeof rules)[number];

  const strikes = (rule: Counted, operation: OperationId | undefined, call: Omit<StruckCall, 'random'>) => {
    if (rule.operation !== '*' && rule.operation !== operation) return undefined;
    const number = ++rule.seen;
    // One stream per rule and request: how much one request draws does not affect the next.
    const random = seededRandom(seed, 'fault', rule.index, number);
    if (!strikesAt(rule.when, number, random)) return undefined;
    rule.struck++;
    return (next: Ask) => rule.strike({ ...call, random, next });
  };

  return {
    around(operation, freshRequestId, ask) {
      const call = { freshRequestId, next: ask };
      // All rules count the request, even those that it never reaches because an outer rule stops it.
      const striking = rules.map((rule) => strikes(rule, operation, call)).filter((strike) => strike !== undefined);
      const decide = striking.reduceRight<Ask>(
        (inner, strike) => (change) => strike((more) => inner(composed(change, more))),
        ask,
      );
      return decide();
    },
    struck: () => {
      const counts: Record<string, number> = {};
      for (const { text, struck } of rules) counts[text] = (counts[text] ?? 0) + struck;
      return counts;
    },
  };
}

type Change = ((service: Service) => Service) | undefined;

const composed = (outer: Change, inner: Change): Change =>
  outer && inner ? (service) => inner(outer(service)) : (outer ?? inner);
