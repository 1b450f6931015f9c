import { followByPolling, redactor, TokenKeeper, TokenNumbers, tokenMemory } from '../../client/index.ts';
import { participantsOf, type World } from '../../schedule/index.ts';
import type { Target } from '../target/target.ts';

/** Everything that a `World` is made from. */
interface WorldParts
  extends Pick<
    World,
    'clock' | 'loaded' | 'sender' | 'echoes' | 'record' | 'announces' | 'runId' | 'digestKey' | 'budget'
  > {
  readonly target: Pick<Target, 'credentials' | 'serviceRate'>;
  /** Absent: the run has one generator. */
  readonly tokenMemory?: SharedArrayBuffer | undefined;
}

/** The `World` of a run. */
export function worldOf({ target, tokenMemory: memory = tokenMemory(), ...given }: WorldParts): World {
  const { clock, loaded, digestKey } = given;
  const numbers = new TokenNumbers(memory, digestKey);
  const { profile, scenario } = loaded;
  const { serviceRate } = target;
  const { renewBefore } = profile.client;
  const { defaultLifetime } = profile.tokens;
  return {
    ...given,
    tokens: new TokenKeeper({ clock, renewBefore, defaultLifetime, serviceRate, numbers }),
    followByPolling,
    profile,
    participants: participantsOf(scenario, target.credentials),
    serviceRate,
    keptText: scenario.record.messages ? redactor(Object.values(loaded.secrets)) : undefined,
  };
}
