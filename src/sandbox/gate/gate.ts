import { type OperationId, operationIds } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { LimitsConfig } from '../config/limits.ts';
import type { Decision, SavedState, SavedStates } from '../limiters/index.ts';
import { Passage } from './passage.ts';
import { type Rule, rulesOf } from './rule.ts';
import type { Subject } from './subject.ts';

/** State of the limits, by name. Plain data. */
export type SavedLimits = Readonly<Record<string, SavedStates>>;

/** New state of one key of a limit after a decision. A later decision may change the object; it is then reported again. */
export interface LimitChange {
  /** The limit's name. */
  readonly limit: string;
  readonly key: string;
  readonly state: SavedState;
}

/** All limits of the service. */
export interface Gate {
  /** Starts the checks of one request. The passage must be closed or failed before the next one starts. */
  passage(subject: Subject, now: Micros): Passage;
  /** What the next request of an application would get from the limits with scope `application`. */
  standings(application: string, now: Micros): readonly { readonly rule: Rule; readonly decision: Decision }[];
  /** A copy of all state that is still relevant at `now`. */
  save(now: Micros): SavedLimits;
  /** Restores saved state. A limit without saved state is reset; unknown names are ignored. */
  load(saved: SavedLimits): void;
}

interface GateOptions {
  /** Called with every state that a decision has changed, so that a store can save it. */
  readonly onChange?: (change: LimitChange) => void;
  /** Replaces the rules of the limits; default: unchanged. */
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
      for (const { name, limiter } of rules) limiter.load((Object.hasOwn(saved, name) && saved[name]) || {});
    },
  };
}

/** The same limits, but every request is admitted and none counted. */
export const openGate = (gate: Gate): Gate => ({
  ...gate,
  passage: (subject, now) => new Passage([], subject, now, () => undefined),
});
