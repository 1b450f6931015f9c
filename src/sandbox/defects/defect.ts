import type { Day, LatencyDistribution, LimitName, RateAlgorithm, SlotKind } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { LimitsConfig, LimitsSettings } from '../config/limits.ts';
import type { SandboxConfig } from '../config/members.ts';
import type { Rule } from '../gate/index.ts';
import type { Answer } from '../replies.ts';
import type { SandboxRequest } from '../request.ts';
import type { Handlers, Service } from '../service.ts';
import type { Store } from '../store.ts';

/** Decides one request. */
export type Decide = (service: Service, request: SandboxRequest, now: Micros) => Answer;

/** Replacements of the correct parts. Each is called once with the correct part, when the core is created. */
export interface Breakage {
  rules(honest: readonly Rule[]): readonly Rule[];
  store(honest: Store): Store;
  handlers(honest: Handlers): Handlers;
  decide(honest: Decide): Decide;
}

/** The configuration under which a defect works. */
export interface Circumstances {
  readonly config: SandboxConfig;
  /** Delay until a write becomes visible to reads, for defects that are races. Service time. */
  readonly lagUs: Micros;
}

/** Several rate limits, as written in settings. */
export type RateList = Extract<NonNullable<LimitsSettings['rate']>, readonly unknown[]>;

/** Settings that a defect needs to show at all. Of a list, the first item is the default. */
export interface Requirement {
  readonly algorithm?: readonly [RateAlgorithm, ...RateAlgorithm[]];
  readonly day?: readonly [Day, ...Day[]];
  /** When a turn must take and release its slot. */
  readonly slot?: SlotKind;
  /** Rate limits to use if none are given. */
  readonly rates?: RateList;
  readonly failureShare?: number;
  readonly processing?: LatencyDistribution;
  /** @returns what the limits lack, as a sentence without a subject: "needs …"; undefined if nothing */
  readonly lacks?: (limits: LimitsConfig) => string | undefined;
}

/** A defect that the service can have. */
export interface Defect {
  /** The limit that is broken; absent if the answers or the memory of messages are broken. */
  readonly limit?: LimitName;
  /** What is broken and how it shows, in sentences. */
  readonly says: string;
  readonly requires?: Requirement;
  breaks(circumstances: Circumstances): Partial<Breakage>;
}
