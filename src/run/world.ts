import type { Clock } from '../base/index.ts';
import { followByPolling, TokenKeeper } from '../client/index.ts';
import type { JournalRecord } from '../history/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { participantsOf, type Sender, type World } from '../schedule/index.ts';
import { tokenSettings } from './header.ts';
import type { Target } from './target.ts';

/** Everything that a `World` over sockets is made from. */
export interface WorldParts {
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
  /** See the token keeper's options. */
  readonly labelOf?: (n: number) => string;
}

/** The `World` of a run over sockets. */
export function worldOf({ loaded, target, clock, labelOf, ...others }: WorldParts): World {
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
