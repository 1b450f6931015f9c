import type { JournalRecord } from '../../history/index.ts';
import { journalOf, type Played, perform } from '../stage/play.ts';
import { happeningsIn } from '../world/happenings.ts';
import { VIEWS, type World, worldOf } from '../world/world.ts';
import { judgeHonest } from './accusations.ts';
import { count, emptyTally, type Tally, type Tried } from './tally.ts';
import { fileOf, withFile } from './torn.ts';

let last: { readonly scene: number; readonly played: Played } | undefined;

/** Plays a scene once, because consecutive seeds share it. */
function playedOf(world: World): Played {
  if (last?.scene !== world.scene) last = { scene: world.scene, played: perform(world) };
  return last.played;
}

/** The history of a world. */
export const historyOf = (world: World): readonly JournalRecord[] => journalOf(world, playedOf(world));

/** One history of a correct service. */
export interface Trial extends Tried {
  /** The file that was judged, or one of the records that were. */
  readonly file: () => Buffer;
}

/** Plays the world of a seed and judges its history. */
export function tryHonest(seed: number): Trial {
  const world = worldOf(seed);
  const { focus, algorithm } = world.service;
  const records = historyOf(world);
  const judged = (from: readonly JournalRecord[] | string) =>
    judgeHonest(from, world.service, seed % (2 * VIEWS) === 0);
  const file = () => fileOf(world, records);
  const { verdicts, accusations } = world.journal.isTorn ? withFile(file(), judged) : judged(records);
  const exchanges = records.filter((record) => record.kind === 'exchange');
  return {
    seed,
    focus,
    algorithm,
    exchanges: exchanges.length,
    refused: exchanges.filter(({ outcome }) => outcome === 'refused').length,
    verdicts: Object.fromEntries((verdicts?.limits ?? []).map(({ limit, verdict }) => [limit, verdict])),
    told: (verdicts?.findings ?? []).filter(({ basis }) => basis === 'observation').map(({ kind }) => kind),
    happened: happeningsIn(world),
    accusations,
    file,
  };
}

export function tryMany(from: number, howMany: number): Tally {
  const tally = emptyTally();
  const before = process.cpuUsage();
  for (let done = 0; done < howMany; done++) count(tally, tryHonest(from + done));
  const { user, system } = process.cpuUsage(before);
  tally.cpuUs = user + system;
  return tally;
}
