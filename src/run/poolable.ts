import type { LoadedScenario } from '../scenario/index.ts';
import { journalHeader } from './header.ts';
import { type Poolable, poolableOf } from './pool.ts';
import { settleLoad } from './settle-load.ts';
import { loadedFor } from './target.ts';

const TO_COME = { runId: '', startedAt: '', embedded: false };

/** A run to come, as far as others must be the same to be judged with it. @param target as in `loadedFor` */
export async function poolable(loaded: LoadedScenario, target: string | undefined): Promise<Poolable> {
  const settled = await settleLoad(loadedFor(loaded, target), target === undefined);
  return poolableOf(journalHeader(settled, TO_COME));
}
