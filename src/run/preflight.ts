import { ConfigurationError, together } from '../base/index.ts';
import { compilePlan } from '../plan/index.ts';
import { type LoadedScenario, resolveCredentials, resolveHeaders } from '../scenario/index.ts';
import { checkStages } from './check-stages.ts';
import type { RunOptions } from './run-scenario.ts';
import { settleLoad } from './settle-load.ts';
import { loadedFor } from './target.ts';
import { checkWorkers } from './workers/check.ts';

export interface PreflightOptions extends Pick<RunOptions, 'loaded' | 'target' | 'env' | 'workers'> {
  /** Whether a service that is not our own will be asked, so that credentials are needed; default: where there is a target. */
  readonly isRemote?: boolean;
}

/**
 * What would stop a run before anything is sent, to be told before a person is asked to agree to its price.
 * @throws ConfigurationError with all of it
 */
export async function preflight({
  loaded,
  target,
  env,
  workers = 1,
  isRemote = target !== undefined,
}: PreflightOptions): Promise<void> {
  await together(
    () => isRemote && resolveCredentials(loaded, env),
    () => isRemote || checkTransport(loaded),
    () => isRemote && resolveHeaders(loaded.profileFile, loaded.profile.client.headers, env),
    () => checkStages(loaded),
    async () => {
      // Compiling the plan of millions takes a while: only where something depends on it.
      if (workers === 1) return;
      const settled = await settleLoad(loadedFor(loaded, target), target === undefined);
      checkWorkers(workers, settled, compilePlan(settled.scenario));
    },
  );
}

/** A run whose every request fails would say so too, but later. */
function checkTransport({ profile }: LoadedScenario): void {
  if (profile.client.transport !== 'http2') return;
  throw new ConfigurationError([
    {
      path: '--transport',
      message: 'http2 does not work with the embedded sandbox, which speaks only HTTP/1.1',
      hint: 'name a --target, or another transport here or in the profile (client.transport)',
    },
  ]);
}
