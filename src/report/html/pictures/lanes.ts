import type { LimitScope } from '../../../api/index.ts';
import type { ExchangeRef } from '../../../check/index.ts';
import type { Acceptance, Turn } from '../../../history/index.ts';
import { plural } from '../../formatters.ts';
import { inertText } from '../../inert-text.ts';
import { differences, refOf } from '../gather/marks.ts';
import type { Lanes } from '../page-data.ts';
import { bucketOf } from '../scopes.ts';

/** More cannot be told apart; and of an application's lanes, more than so many are a block of colour. */
const MOST_TURNS = 10_000;
const MOST_LANES = 24;
const MOST_GROUPS = 6;

const states = ['completed', 'failed', 'unfinished'] as const satisfies readonly Turn['state'][];

type AcceptedTurn = Turn & { readonly acceptance: Acceptance };

interface Placed {
  readonly turn: AcceptedTurn;
  readonly group: number;
  readonly lane: number;
}

export interface LanesMade {
  readonly lanes: Lanes;
  /** What was left out of the picture; empty when nothing was. */
  readonly leftOut: readonly string[];
}

/**
 * Turns in lanes, as many as the limit has slots; one above them is there only where more turns than that were certainly in
 * process at once.
 * @param turns in order of acceptance
 * @returns `undefined` when none was accepted
 */
export function lanesOf(
  turns: readonly Turn[],
  max: number,
  scope: LimitScope,
  named: ReadonlySet<ExchangeRef>,
): LanesMade | undefined {
  const accepted = turns.filter((turn): turn is AcceptedTurn => turn.acceptance !== undefined);
  if (accepted.length === 0) return undefined;
  const groups = groupsOf(accepted, scope);
  const shownGroups = [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_GROUPS);
  const placed = shownGroups.flatMap(([, members], group) =>
    placedOf(members, group, max, ({ acceptance }) => named.has(refOf(acceptance))),
  );
  const fitting = placed.filter(({ lane }) => lane < Math.max(MOST_LANES, 2 * max));
  const shown = fitting.slice(0, MOST_TURNS).sort((a, b) => startOf(a.turn) - startOf(b.turn));
  const unaccepted = turns.length - accepted.length;
  return {
    lanes: columnsOf(
      shown,
      shownGroups.map(([name]) => name),
      max,
      named,
    ),
    leftOut: [
      ...(shown.length < accepted.length
        ? [
            `${plural(accepted.length - shown.length, 'turn')} of ${accepted.length} left out: there are too many to tell apart`,
          ]
        : []),
      ...(groups.size > MOST_GROUPS ? [`the ${MOST_GROUPS} busiest of ${groups.size} ${scope}s are drawn`] : []),
      ...(unaccepted > 0 ? [`${plural(unaccepted, 'turn')} without a recorded acceptance cannot be drawn`] : []),
    ],
  };
}

const startOf = ({ acceptance }: AcceptedTurn): number => acceptance.sentAt;

function groupsOf(turns: readonly AcceptedTurn[], scope: LimitScope): Map<string, AcceptedTurn[]> {
  const groups = new Map<string, AcceptedTurn[]>();
  for (const turn of turns) {
    // Turns carry no token: those of one user are the nearest that is known.
    const name = bucketOf(scope === 'token' ? 'user' : scope, turn.acceptance);
    const members = groups.get(name);
    if (members) members.push(turn);
    else groups.set(name, [turn]);
  }
  return groups;
}

/** A lane, and until when it is certainly, and possibly, taken. */
interface Lane {
  certainTo: number;
  possibleTo: number;
}

/**
 * Below the limit's line a lane is preferred that is free whatever happened; else the one that is free soonest, and bars
 * overlap. Above the line stands only what was certainly too many, or what a proof names.
 */
function placedOf(
  turns: readonly AcceptedTurn[],
  group: number,
  max: number,
  isNamed: (turn: AcceptedTurn) => boolean,
): Placed[] {
  const lanes: Lane[] = Array.from({ length: max }, () => ({ certainTo: 0, possibleTo: 0 }));
  return [...turns]
    .sort((a, b) => a.acceptance.headersAt - b.acceptance.headersAt)
    .map((turn) => {
      const lane = laneFor(turn, lanes, max, isNamed(turn));
      const taken = lanes[lane] ?? { certainTo: 0, possibleTo: 0 };
      lanes[lane] = {
        certainTo: Math.max(taken.certainTo, turn.certain?.to ?? 0),
        possibleTo: Math.max(taken.possibleTo, turn.possible.to ?? Number.POSITIVE_INFINITY),
      };
      return { turn, group, lane };
    });
}

function laneFor({ acceptance, certain }: AcceptedTurn, lanes: readonly Lane[], max: number, named: boolean): number {
  const free = lanes.findIndex(({ possibleTo }, i) => i < max && possibleTo <= acceptance.sentAt);
  if (free >= 0) return free;
  const certainlyFree = (i: number) => (lanes[i]?.certainTo ?? 0) <= acceptance.headersAt;
  const below = [...Array(max).keys()].filter((i) => certainlyFree(i) || (certain === undefined && !named));
  const soonest = below.reduce(
    (best, i) => ((lanes[i]?.possibleTo ?? 0) < (lanes[best]?.possibleTo ?? 0) ? i : best),
    below[0] ?? -1,
  );
  if (soonest >= 0) return soonest;
  const above = lanes.findIndex((_, i) => i >= max && certainlyFree(i));
  return above < 0 ? lanes.length : above;
}

/** When a turn was certainly in process; of one that nothing saw open, the instant of its acceptance. */
const certainOf = ({ acceptance, certain }: AcceptedTurn): { readonly from: number; readonly to: number } =>
  certain ?? { from: acceptance.headersAt, to: acceptance.headersAt };

function columnsOf(
  placed: readonly Placed[],
  names: readonly string[],
  max: number,
  named: ReadonlySet<ExchangeRef>,
): Lanes {
  const relative = (at: number | undefined, turn: AcceptedTurn) =>
    at === undefined ? -1 : Math.max(0, at - startOf(turn));
  return {
    max,
    groups: names.map((name, group) => ({
      name: inertText(name, 40),
      lanes: Math.max(max, ...placed.filter((one) => one.group === group).map(({ lane }) => lane + 1)),
    })),
    from: differences(placed.map(({ turn }) => startOf(turn))),
    certainFrom: placed.map(({ turn }) => relative(certainOf(turn).from, turn)),
    certainTo: placed.map(({ turn }) => relative(certainOf(turn).to, turn)),
    to: placed.map(({ turn }) => relative(turn.possible.to, turn)),
    group: placed.map(({ group }) => group),
    lane: placed.map(({ lane }) => lane),
    state: placed.map(({ turn }) => states.indexOf(turn.state)),
    seq: placed.map(({ turn }) => turn.acceptance.seq),
    named: placed.flatMap(({ turn }, i) => (named.has(refOf(turn.acceptance)) ? [i] : [])),
  };
}
