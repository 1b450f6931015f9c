import { type OperationId, operationIds } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { LimitsConfig } from '../config/limits.ts';
import type { Decision, SavedState, SavedStates } from '../limiters/index.ts';
import { Passage } from './passage.ts';
import { type Rule, rulesOf } from './rule.ts';
import type { Subject } from './subject.ts';

/** What the limits remember, by the limit's name. Plain data. */
export type SavedLimits = Readonly<Record<string, SavedStates>>;

/** What one limit remembers of one key after a decision; to be written down before the next one. */
export interface LimitChange {
  /** The limit's name. */
  readonly limit: string;
  readonly key: string;
  readonly state: SavedState;
}

/** All limits of the service. */
export interface Gate {
  /** Lets one request in; the way through is `Passage`'s. Closed or failed before the next one begins. */
  passage(subject: Subject, now: Micros): Passage;
  /** What the next request of an application would meet, of the limits that are counted by application. */
  standings(application: string, now: Micros): readonly { readonly rule: Rule; readonly decision: Decision }[];
  /** Everything that still matters at `now`, as a copy. */
  save(now: Micros): SavedLimits;
  /** Goes on from what was saved; a limit that has no state there begins anew, a name that is no limit is passed over. */
  load(saved: SavedLimits): void;
}

interface GateOptions {
  /** Told of every state that a decision has changed, so that a store can keep up key by key. */
  readonly onChange?: (change: LimitChange) => void;
  /** Puts other rules in place of those that the limits make; default: as they are. */
  readonly alter?: (rules: readonly Rule[]) => readonly Rule[];
}

export function createGate(limits: LimitsConfig, { onChange, alter }: GateOptions = {}): Gate {
  const honest = rulesOf(limits);
  const rules = alter ? alter(honest) : honest;
  const counting = (operation: OperationId) => rules.filter(({ operations }) => operations.has(operation));
  const rulesFor = new Map(operationIds.map((operation) => [operation, counting(operation)]));
  const report = (rule: Rule, key: string) => {
    const state = onChange && rule.limiter.stateOf(key);
    if (state !== undefined) onChange?.({ limit: rule.name, key, state });
  };
  return {
    passage: (subject, now) => new Passage(rulesFor.get(subject.operation) ?? [], subject, now, report),
    standings: (application, now) =>
      rules
        .filter(({ scope }) => scope === 'application')
        .map((rule) => ({ rule, decision: rule.limiter.peek({ key: application, now, isLook: true }) })),
    save: (now) => Object.fromEntries(rules.map(({ name, limiter }) => [name, limiter.save(now)])),
    load: (saved) => {
      for (const { name, limiter } of rules) limiter.load(saved[name] ?? {});
    },
  };
}

/** The same limits, but every request passes and none is counted. */
export const openGate = (gate: Gate): Gate => ({
  ...gate,
  passage: (subject, now) => new Passage([], subject, now, () => undefined),
});
