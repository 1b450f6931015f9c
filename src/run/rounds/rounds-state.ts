import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statIfThere } from '../../base/index.ts';
import type { GatesDocument } from '../../gates/index.ts';
import type { RoundOf } from '../../history/index.ts';
import { plural, ROUNDS_FILE, type Rounds, readRounds } from '../../report/index.ts';

/** Only a file counts: reading a pipe or a device, to which a folder from elsewhere may link, would never end. */
export const isOfRounds = (folder: string): boolean => statIfThere(join(folder, ROUNDS_FILE))?.isFile() === true;

/** The list of a folder of rounds. @returns `undefined` if there is none, or if this version cannot read it */
export const listOf = (folder: string): Rounds | undefined =>
  isOfRounds(folder) ? readRounds(readFileSync(join(folder, ROUNDS_FILE), 'utf8')) : undefined;

/**
 * How far unfinished rounds came: completes "rounds that …"; `undefined` if they finished or were broken off. The files do not
 * show whether the command was killed or is still running.
 */
export function unfinished({ gates, brokenOff, running, runs, rounds, targets }: Rounds): string | undefined {
  if (gates !== undefined || brokenOff !== undefined) return undefined;
  const last = running ?? runs.at(-1);
  if (!last) return 'were killed before the first began, or are still running';
  const of = rounds === undefined ? '' : ` of ${rounds}`;
  const side = targets.candidate === undefined ? '' : ` (${last.side})`;
  return `were killed ${running ? 'in' : 'after'} round ${last.round}${of}${side}, or are still running`;
}

/** The runs in a folder of rounds that have a journal, in the order of their names, listed or not. */
export const runsBelow = (folder: string, journal: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => /^round-\d+$/.test(name))
    .sort()
    .flatMap((round) => ['base', 'candidate'].map((side) => join(folder, round, side)))
    .filter((run) => (statIfThere(join(run, journal))?.size ?? 0) > 0);

/**
 * Where the gates of a round are judged, or why they are not; without a full stop.
 * @param folder the folder of the round's run
 * @returns `undefined` if the run is not a round, or if all its gates were judged
 */
export function judgedTogether(folder: string, { round, runs: [runId = ''] }: GatesDocument): string | undefined {
  if (!round) return undefined;
  const list = listOf(join(folder, '..', '..'));
  return list
    ? judgedIn(list, round, runId)
    : `judged over all ${plural(round.of, 'round')} together, in ${ROUNDS_FILE}`;
}

function judgedIn(list: Rounds, { of, side }: RoundOf, runId: string): string {
  const { brokenOff, gates } = list;
  const why = brokenOff === undefined ? unfinished(list) : `were broken off: ${brokenOff}`;
  if (why !== undefined) return `not judged, because the rounds ${why}`;
  const together = gates?.[side]?.runs;
  if (!together) return 'not judged, because no round is valid';
  const judged = together.length === of ? `all ${plural(of, 'round')}` : `${together.length} of ${plural(of, 'round')}`;
  const left = together.includes(runId) ? '' : '; this one is left out, because one of its runs is invalid';
  return `judged over ${judged} together, in ${ROUNDS_FILE}${left}`;
}
