import type { OperationId } from '../../api/index.ts';
import type { LoadedScenario, ScenarioInput } from '../../scenario/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';

type Written = Omit<ScenarioInput, 'name' | 'profile'>;
interface Limits {
  readonly rate?: { max: number; window?: string; counts?: OperationId[] };
  readonly concurrency?: { max: number };
  readonly daily?: { max: number };
}

const AT_NINE = '2026-01-15T09:00:00Z';
const constant = (value: string) => ({ distribution: 'constant', value }) as const;
const latency = { queued: constant('1s'), processing: constant('4s') };
export const once = { model: 'burst', count: 1 } as const;
export const start = { createConversation: {} };
export const read = { readHistory: { limit: 10 } };
export const goOn = { onRefused: 'continue', onError: 'continue' } as const;

export const story = (name: string, limits: Limits, written: Written): LoadedScenario =>
  loadedFrom({
    name,
    ...written,
    profile: { limits, idempotency: { sameTurn: true, otherContent: 'refused' } },
    sandbox: { startTime: AT_NINE, latency, ...written.sandbox },
  });
