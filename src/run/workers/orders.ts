import { freshKey } from '../../base/index.ts';
import { tokenMemory } from '../../client/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { budgetMemory, runShares } from '../../schedule/index.ts';
import type { Performance } from '../perform.ts';
import type { WorkerOrders } from './messages.ts';

/** Connections of one worker. All workers together have as many as the profile allows, but each has at least one. */
export function connectionsOf(all: number, { worker, workers }: Pick<WorkerOrders, 'worker' | 'workers'>): number {
  return Math.max(1, Math.floor(all / workers) + (worker <= all % workers ? 1 : 0));
}

/** The orders for each worker of a run. @param journal path of the journal */
export function ordersOf(
  { options: { loaded, spent = budgetMemory() }, plan, target }: Performance,
  { runId, journal, workers }: Pick<WorkerOrders, 'runId' | 'journal' | 'workers'>,
): readonly WorkerOrders[] {
  const cell = () => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const { kind, baseUrl, credentials, gateway, serviceRate } = target;
  const common = {
    workers,
    target: { kind, baseUrl, credentials, gateway, serviceRate },
    runId,
    digestKey: freshKey(),
    journal,
    shares: runShares(loaded.scenario.caps, plan),
    spent,
    hadToken: cell(),
    nextDate: cell(),
    tokenMemory: tokenMemory(),
  };
  return Array.from({ length: workers }, (_, index) => {
    const worker = index + 1;
    return { ...common, worker, loaded: withConnections(loaded, (all) => connectionsOf(all, { worker, workers })) };
  });
}

function withConnections(loaded: LoadedScenario, own: (all: number) => number): LoadedScenario {
  const { client } = loaded.profile;
  return {
    ...loaded,
    profile: { ...loaded.profile, client: { ...client, connections: own(client.connections) } },
  };
}
