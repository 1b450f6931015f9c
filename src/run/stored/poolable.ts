import type { LoadedScenario } from '../../scenario/index.ts';
import { settleLoad } from '../forecast/settle-load.ts';
import { journalHeader } from '../header.ts';
import { loadedFor } from '../target/target.ts';
import { type Poolable, poolableOf } from './pool.ts';

const FUTURE_RUN = { runId: '', startedAt: '', embedded: false };

/** What earlier runs must have in common with a future run to be judged with it. @param target see `loadedFor` */
export async function poolable(loaded: LoadedScenario, target: string | undefined): Promise<Poolable> {
  const settled = await settleLoad(loadedFor(loaded, target), target === undefined);
  return poolableOf(journalHeader(settled, FUTURE_RUN));
}
