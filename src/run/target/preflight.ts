import { ConfigurationError, together } from '../../base/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { type LoadedScenario, resolveCredentials, resolveHeaders } from '../../scenario/index.ts';
import { checkServiceTime } from '../check-service-time.ts';
import { checkStages } from '../check-stages.ts';
import { settleLoad } from '../forecast/settle-load.ts';
import type { RunOptions } from '../run-options.ts';
import { checkWorkers } from '../workers/check.ts';
import { loadedFor } from './target.ts';

export interface PreflightOptions extends Pick<RunOptions, 'loaded' | 'target' | 'env' | 'workers'> {
  /** The targets of all sides of a round, of a single run only its own; undefined: the embedded sandbox. */
  readonly sides: readonly (string | undefined)[];
}

/**
 * Checks everything that would stop a run before anything is sent, before the user is asked to confirm the price.
 * @throws ConfigurationError with all problems
 */
export async function preflight({ loaded, target, env, workers = 1, sides }: PreflightOptions): Promise<void> {
  const isRemote = sides.some((side) => side !== undefined);
  const isEmbedded = sides.includes(undefined);
  await together(
    () => isRemote && resolveCredentials(loaded, env),
    () => isEmbedded && checkTransport(loaded),
    () => isRemote && resolveHeaders(loaded.profileFile, loaded.profile.client.headers, env),
    () => checkStages(loaded),
    () => checkServiceTime(loaded, isEmbedded),
    async () => {
      // Compiling a plan with millions of arrivals takes a while, so it is done only if needed.
      if (workers === 1) return;
      const settled = await settleLoad(loadedFor(loaded, target), target === undefined);
      checkWorkers(workers, settled, compilePlan(settled.scenario));
    },
  );
}

/** Without this check, every request of the run would fail. */
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
