import type { LimitScope } from '../../../api/index.ts';
import { formatCount, formatDuration, groupedBy, inertText, listed } from '../../../base/index.ts';
import type { ExchangeRef } from '../../../check/index.ts';
import { slotScopeOf, slotsOf } from '../../../collect/index.ts';
import type { Acceptance, Turn } from '../../../history/index.ts';
import { plural } from '../../formatters.ts';
import { differences } from '../gather/mark-columns.ts';
import { refOf } from '../gather/marks.ts';
import type { Lanes } from '../page-data.ts';

/** Limits of what is legible. */
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

/** What the lanes are arranged by. */
interface Slots {
  /** Number of slots of the limit. */
  readonly max: number;
  /** Which turns share slots. */
  readonly scope: LimitScope;
  /** Exchanges in certificates. */
  readonly named: ReadonlySet<ExchangeRef>;
}

interface LanesMade {
  readonly lanes: Lanes;
  /** Sentences about what was left out; empty if nothing was. */
  readonly leftOut: readonly string[];
}

/**
 * Arranges turns in lanes, as many as the limit has slots. Lanes above the limit are used only if more turns than that were certainly
 * in process at once, or for turns of a proof.
 * @param turns in order of acceptance
 * @returns `undefined` if no turn was accepted
 */
export function lanesOf(turns: readonly Turn[], slots: Slots): LanesMade | undefined {
  const { max, scope, named } = slots;
  const accepted = turns.filter((turn): turn is AcceptedTurn => turn.acceptance !== undefined);
  if (accepted.length === 0) return undefined;
  const isNamed = ({ acceptance }: AcceptedTurn) => named.has(refOf(acceptance));
  const groups = groupedBy(accepted, (turn) => slotsOf(turn, scope));
  const shownGroups = mostTelling([...groups], isNamed);
  const drawable = shownGroups.flatMap(([, members]) => members);
  const lastAt = lastDrawnAt(drawable);
  const isLater = (turn: AcceptedTurn) => turn.acceptance.headersAt > lastAt && !isNamed(turn);
  const shown: Placed[] = [];
  for (const [group, [, members]] of shownGroups.entries()) {
    const drawn = members.filter((turn) => !isLater(turn));
    placeInto(shown, drawn, { group, max, isNamed });
  }
  shown.sort((a, b) => startOf(a.turn) - startOf(b.turn));
  const later = drawable.filter(isLater).length;
  const others = accepted.length - shown.length - later;
  const unaccepted = turns.length - accepted.length;
  return {
    lanes: columnsOf(
      shown,
      shownGroups.map(([name]) => name),
      slots,
    ),
    leftOut: listed(
      later > 0 &&
        `the turns accepted after ${formatDuration(lastAt)} are left out, ${formatCount(later)} of ${formatCount(accepted.length)}, except those of proofs: there are too many to draw`,
      others > 0 &&
        `${plural(others, 'turn')} of ${formatCount(accepted.length)} left out: there are too many to tell apart`,
      groups.size > MOST_GROUPS &&
        `the ${MOST_GROUPS} busiest of ${formatCount(groups.size)} ${slotScopeOf(scope)}s are drawn${named.size > 0 ? ', those of proofs first' : ''}`,
      unaccepted > 0 && `${plural(unaccepted, 'turn')} without a recorded acceptance cannot be drawn`,
    ),
  };
}

type Group = readonly [name: string, members: readonly AcceptedTurn[]];

/** The groups with turns of proofs, then those with the most turns. */
function mostTelling(groups: readonly Group[], isNamed: (turn: AcceptedTurn) => boolean): readonly Group[] {
  const ranked = groups.map((group) => ({ group, proves: Number(group[1].some(isNamed)), size: group[1].length }));
  ranked.sort((a, b) => b.proves - a.proves || b.size - a.size);
  return ranked.slice(0, MOST_GROUPS).map(({ group }) => group);
}

/** When the last of the first `MOST_TURNS` turns was accepted: beyond it all groups end, so that none looks idle beside another. */
const lastDrawnAt = (turns: readonly AcceptedTurn[]): number =>
  turns.map(({ acceptance }) => acceptance.headersAt).sort((a, b) => a - b)[MOST_TURNS - 1] ?? Number.POSITIVE_INFINITY;

const startOf = ({ acceptance, acceptedAfter }: AcceptedTurn): number => acceptedAfter ?? acceptance.sentAt;

/** Until when a lane is certainly and possibly occupied. */
interface Lane {
  certainTo: number;
  possibleTo: number;
}

interface Placing {
  readonly group: number;
  readonly max: number;
  readonly isNamed: (turn: AcceptedTurn) => boolean;
}

/**
 * Places turns in lanes. Below the limit line it prefers a lane that is certainly free, then a new one, then the one that is free
 * first, where bars may overlap. Above the line are only turns that were certainly too many or that belong to a proof.
 */
function placeInto(shown: Placed[], turns: readonly AcceptedTurn[], { group, max, isNamed }: Placing): void {
  const lanes: Lane[] = [];
  for (const turn of turns.toSorted((a, b) => a.acceptance.headersAt - b.acceptance.headersAt)) {
    const lane = laneFor(turn, lanes, max, isNamed(turn));
    if (lane >= Math.max(MOST_LANES, 2 * max)) continue;
    const taken = lanes[lane] ?? { certainTo: 0, possibleTo: 0 };
    lanes[lane] = {
      certainTo: Math.max(taken.certainTo, turn.certain?.to ?? 0),
      possibleTo: Math.max(taken.possibleTo, turn.possible.to ?? Number.POSITIVE_INFINITY),
    };
    shown.push({ turn, group, lane });
  }
}

/** Index of an existing lane or of the next new one. Lanes are created on demand, because a limit may be very high. */
function laneFor(turn: AcceptedTurn, lanes: readonly Lane[], max: number, named: boolean): number {
  const { acceptance, certain } = turn;
  const free = lanes.findIndex(({ possibleTo }, i) => i < max && possibleTo <= startOf(turn));
  if (free >= 0) return free;
  if (lanes.length < max) return lanes.length;
  const certainlyFree = ({ certainTo }: Lane) => certainTo <= acceptance.headersAt;
  let soonest = -1;
  for (const [i, lane] of lanes.slice(0, max).entries()) {
    if (!certainlyFree(lane) && (certain !== undefined || named)) continue;
    if (soonest < 0 || lane.possibleTo < (lanes[soonest]?.possibleTo ?? 0)) soonest = i;
  }
  if (soonest >= 0) return soonest;
  const above = lanes.findIndex((lane, i) => i >= max && certainlyFree(lane));
  return above < 0 ? lanes.length : above;
}

/** Number of lanes to draw: at least up to the limit, unless the limit is too high to draw. */
function heightOf(placed: readonly Placed[], group: number, max: number): number {
  const used = placed.reduce((most, one) => (one.group === group ? Math.max(most, one.lane + 1) : most), 0);
  return max > MOST_LANES ? used : Math.max(max, used);
}

/** When a turn was certainly in process; if never, an empty interval at its acceptance. */
const certainOf = ({ acceptance, certain }: AcceptedTurn): { readonly from: number; readonly to: number } =>
  certain ?? { from: acceptance.headersAt, to: acceptance.headersAt };

function columnsOf(placed: readonly Placed[], names: readonly string[], { max, named }: Slots): Lanes {
  const relative = (at: number | undefined, turn: AcceptedTurn) =>
    at === undefined ? -1 : Math.max(0, at - startOf(turn));
  return {
    max,
    groups: names.map((name, group) => ({
      name: inertText(name, 40),
      lanes: heightOf(placed, group, max),
    })),
    from: differences(placed.map(({ turn }) => startOf(turn))),
    certainFrom: placed.map(({ turn }) => relative(certainOf(turn).from, turn)),
    certainTo: placed.map(({ turn }) => relative(certainOf(turn).to, turn)),
    to: placed.map(({ turn }) => relative(turn.possible.to, turn)),
    group: placed.map(({ group }) => group),
    lane: placed.map(({ lane }) => lane),
    state: placed.map(({ turn }) => states.indexOf(turn.state)),
    exchange: placed.map(({ turn }) => refOf(turn.acceptance)),
    named: placed.flatMap(({ turn }, i) => (named.has(refOf(turn.acceptance)) ? [i] : [])),
  };
}
