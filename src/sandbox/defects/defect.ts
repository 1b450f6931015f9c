import type { LatencyDistribution, LimitName, RateAlgorithm, SlotKind } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { DailyLimit, LimitsConfig, LimitsSettings } from '../config/limits.ts';
import type { SandboxConfig } from '../config.ts';
import type { Rule } from '../gate/index.ts';
import type { Handlers } from '../handlers/index.ts';
import type { Answer } from '../replies.ts';
import type { SandboxRequest } from '../request.ts';
import type { Service } from '../service.ts';
import type { Store } from '../store.ts';

/** Decides one request. */
export type Decide = (service: Service, request: SandboxRequest, now: Micros) => Answer;

/** What stands in the place of the honest parts; each is handed the honest one, once, when the core is put together. */
export interface Breakage {
  rules(honest: readonly Rule[]): readonly Rule[];
  store(honest: Store): Store;
  handlers(honest: Handlers): Handlers;
  decide(honest: Decide): Decide;
}

/** Under what a defect works. */
export interface Circumstances {
  readonly config: SandboxConfig;
  /** By how much what is read lags what was written, where a defect races. Service time. */
  readonly lagUs: Micros;
}

/** Rate limits side by side, as settings write them. */
export type RateList = Extract<NonNullable<LimitsSettings['rate']>, readonly unknown[]>;

/** What must hold of the settings for a defect to show at all. Of a list, the first holds where the settings say nothing. */
export interface Requirement {
  readonly algorithm?: readonly [RateAlgorithm, ...RateAlgorithm[]];
  readonly day?: readonly [DailyLimit['day'], ...DailyLimit['day'][]];
  /** When a turn takes a slot, for defects of slots that are held from then on. */
  readonly slot?: SlotKind;
  /** Rate limits in place of the one, where none is written. */
  readonly rates?: RateList;
  readonly failureShare?: number;
  readonly processing?: LatencyDistribution;
  /** @returns what the settled limits lack, as a sentence without a subject: "needs …" */
  readonly lacks?: (limits: LimitsConfig) => string | undefined;
}

/** A way in which a service can be wrong. */
export interface Defect {
  /** The limit that is broken; absent: none, but the answers or the memory of messages. */
  readonly limit?: LimitName;
  /** What is broken, and how it shows. Sentences. */
  readonly says: string;
  readonly requires?: Requirement;
  breaks(circumstances: Circumstances): Partial<Breakage>;
}
