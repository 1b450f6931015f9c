import { ConfigurationError, formatDuration, microsFromMillis } from '../base/index.ts';
import { LONGEST_SERVICE_US } from '../history/index.ts';
import { allStagesOf } from '../plan/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { serviceRateOf } from './target/target.ts';

/**
 * Rejects a plan in which the embedded service's clock gets further than a journal may tell: the later records would be unreadable.
 * @throws ConfigurationError
 */
export function checkServiceTime(loaded: Pick<LoadedScenario, 'scenario'>, embedded: boolean): void {
  const { scenario } = loaded;
  const rate = serviceRateOf(loaded, embedded);
  const plannedUs = allStagesOf(scenario).at(-1)?.toUs ?? 0;
  const deadlineUs = scenario.deadline === undefined ? plannedUs : microsFromMillis(scenario.deadline);
  const endsUs = Math.min(plannedUs, deadlineUs);
  if (endsUs * rate <= LONGEST_SERVICE_US) return;
  throw new ConfigurationError([
    {
      path: 'sandbox.clockRate',
      message: `${rate} takes the service's clock further than ten years in the ${formatDuration(endsUs)} of the load`,
      hint: 'lower it, or shorten the load',
    },
  ]);
}
