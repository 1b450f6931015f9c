import type { Micros } from '../base/index.ts';
import { answer } from './answer-request.ts';
import { type Directory, pairDigest } from './authenticate.ts';
import type { ApplicationCredentials, SandboxConfig } from './config.ts';
import { type Breakage, breakageOf } from './defects/index.ts';
import { createInjector } from './faults/index.ts';
import { createGate, type Gate } from './gate/index.ts';
import { handlers } from './handlers/index.ts';
import type { Ids } from './ids.ts';
import type { Outcome } from './replies.ts';
import type { SandboxRequest } from './request.ts';
import type { Service } from './service.ts';
import type { RevokeSelector, Store } from './store.ts';
import { MemoryStore } from './stores/index.ts';
import { Truth, type TruthReport } from './truth.ts';

/**
 * The service without HTTP, timers or a clock. Its answers depend only on earlier requests, `now` and the seed. `now` is service
 * time, whole microseconds since 1970, and must not decrease.
 */
export interface Core {
  /** The answer, with its delivery if a fault applies. Silence occurs only under a fault. */
  answer(request: SandboxRequest, now: Micros): Outcome;
  /** @returns how many valid tokens were revoked */
  revoke(selector: RevokeSelector, now: Micros): number;
  truth(now: Micros): TruthReport;
}

/** An application whose credentials an earlier process with the same store generated and printed. */
export interface RestoredApplication {
  readonly label: string;
  /** `pairDigest` of its credentials. */
  readonly pair: string;
}

type Parts = {
  readonly config: SandboxConfig;
  readonly applications: readonly (ApplicationCredentials | RestoredApplication)[];
  readonly ids: Ids;
  readonly store?: Store;
};

/** @param parts `store`: default an empty one in memory */
export function createCore({ config, applications, ids, store = new MemoryStore(config.retention) }: Parts): Core {
  const broken = breakageOf(config);
  const service: Service = {
    config,
    store: broken.store(store),
    gate: gateOf(config, store, broken.rules),
    handlers: broken.handlers(handlers),
    ids,
    truth: new Truth(),
  };
  const directory: Directory = new Map(
    applications.map((each) => ['pair' in each ? each.pair : pairDigest(each.clientId, each.clientSecret), each]),
  );
  const decide = broken.decide((found, request, now) => answer(found, directory, request, now));
  const faults = config.faults.length > 0 ? createInjector(config.faults, config.seed) : undefined;
  return {
    answer: (request, now) => {
      service.store.expire(now);
      if (!faults) return decide(service, request, now);
      return faults.around(request.route?.operation, ids.uuid, (change) =>
        decide(change ? change(service) : service, request, now),
      );
    },
    revoke: (selector, now) => store.revoke(selector, now),
    truth: (now) => ({
      ...service.truth.report(
        store,
        service.gate,
        applications.map(({ label }) => label),
        now,
      ),
      ...(faults && { faults: faults.struck() }),
    }),
  };
}

/** The limits, with the state that the store has of them. */
function gateOf({ limits, defects }: SandboxConfig, { limits: keeper }: Store, alter: Breakage['rules']): Gate {
  if (!keeper) return createGate(limits, { alter });
  const gate = createGate(limits, { alter, onChange: (change) => keeper.changed(change) });
  const all = [...limits.rate, ...limits.concurrency, ...limits.daily];
  const settings = (limit: (typeof all)[number]) => JSON.stringify(defects.length === 0 ? limit : { limit, defects });
  gate.load(keeper.saved(Object.fromEntries(all.map((limit) => [limit.name, settings(limit)]))));
  keeper.compactWith((now) => gate.save(now));
  return gate;
}
