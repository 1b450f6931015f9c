import type { Clock } from '../base/index.ts';
import { followByPolling, TokenKeeper } from '../client/index.ts';
import type { JournalRecord } from '../history/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { participantsOf, type Sender, type World } from '../schedule/index.ts';
import { tokenSettings } from './header.ts';
import type { Target } from './target.ts';

/** What a run has around its plan. */
export interface Surroundings {
  readonly loaded: LoadedScenario;
  readonly target: Pick<Target, 'credentials' | 'serviceRate'>;
  readonly clock: Clock;
  readonly sender: Sender;
  readonly echoes: World['echoes'];
  readonly record: (record: JournalRecord) => void;
  readonly announces: () => boolean;
  readonly runId: string;
  readonly digestKey: Uint8Array;
  readonly budget?: World['budget'];
  /** As the token keeper takes it. */
  readonly labelOf?: (n: number) => string;
}

/** Everything that running a plan needs, over sockets. */
export function worldOf({ loaded, target, clock, labelOf, ...others }: Surroundings): World {
  const { profile, scenario } = loaded;
  const { serviceRate } = target;
  return {
    ...others,
    clock,
    tokens: new TokenKeeper({ clock, ...tokenSettings(profile), serviceRate, ...(labelOf && { labelOf }) }),
    followByPolling,
    loaded,
    profile,
    participants: participantsOf(scenario, target.credentials),
    serviceRate,
  };
}
