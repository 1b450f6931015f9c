import type { Lanes } from '../../html/page-data.ts';
import type { Tip } from '../tip.ts';
import { durationText, instantText } from '../words.ts';

export const states = ['completed', 'failed', 'not seen to finish'] as const;
/** Indices in `states`. */
export const [FAILED, UNFINISHED] = [1, 2] as const;

/** A turn of the chart; instants in µs of run time. */
export interface Turn {
  readonly from: number;
  readonly certainFrom: number;
  readonly certainTo: number;
  /** Infinity if its end was not observed. */
  readonly to: number;
  readonly group: number;
  readonly lane: number;
  readonly state: number;
  readonly exchange: number | string;
  readonly named: boolean;
}

/** Converts the columns of differences. */
export function turnsOf(lanes: Lanes): Turn[] {
  const named = new Set(lanes.named);
  let from = 0;
  return lanes.from.map((difference, i) => {
    from += difference;
    const to = lanes.to[i] ?? -1;
    return {
      from,
      certainFrom: from + (lanes.certainFrom[i] ?? 0),
      certainTo: from + (lanes.certainTo[i] ?? 0),
      to: to < 0 ? Number.POSITIVE_INFINITY : from + to,
      group: lanes.group[i] ?? 0,
      lane: lanes.lane[i] ?? 0,
      state: lanes.state[i] ?? 0,
      exchange: lanes.exchange[i] ?? 0,
      named: named.has(i),
    };
  });
}

/** Tooltip of a turn. */
export function turnTip({ from, certainFrom, certainTo, to, state, exchange, named }: Turn): Tip {
  const certain =
    certainTo > certainFrom
      ? `certainly in process from ${instantText(certainFrom)} to ${instantText(certainTo)}`
      : 'never certainly in process';
  return {
    title: `Turn opened by exchange ${exchange}, ${states[state] ?? ''}`,
    lines: [
      certain,
      Number.isFinite(to)
        ? `possibly from ${instantText(from)} to ${instantText(to)} (${durationText(to - from)})`
        : `possibly from ${instantText(from)} on`,
      ...(named ? ['part of a proof'] : []),
    ],
  };
}
