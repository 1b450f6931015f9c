import { followByPolling, TokenKeeper } from '../client/index.ts';
import { participantsOf, type World } from '../schedule/index.ts';
import type { Target } from './target.ts';

/** Everything that a `World` is made from. */
interface WorldParts
  extends Pick<
    World,
    'clock' | 'loaded' | 'sender' | 'echoes' | 'record' | 'announces' | 'runId' | 'digestKey' | 'budget'
  > {
  readonly target: Pick<Target, 'credentials' | 'serviceRate'>;
  /** See the token keeper's options. */
  readonly labelOf?: (n: number) => string;
}

/** The `World` of a run. */
export function worldOf({ target, labelOf, ...given }: WorldParts): World {
  const { clock, loaded } = given;
  const { profile, scenario } = loaded;
  const { serviceRate } = target;
  const { renewBefore } = profile.client;
  const { defaultLifetime } = profile.tokens;
  return {
    ...given,
    tokens: new TokenKeeper({ clock, renewBefore, defaultLifetime, serviceRate, ...(labelOf && { labelOf }) }),
    followByPolling,
    profile,
    participants: participantsOf(scenario, target.credentials),
    serviceRate,
  };
}
