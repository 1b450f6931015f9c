import { MetricSeries } from '../../collect/index.ts';
import { type GateResult, gateQueries, gateShown, judgeGates } from '../../gates/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { formatCount, plural } from '../../report/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';

/** A gate for which the forecast has too few samples. */
export interface ShortGate {
  readonly gate: string;
  readonly samples: number;
  readonly needed: number;
  /** Whether a service that is faster than the forecast assumes would give more samples. */
  readonly fasterHasMore?: true;
}

/**
 * Collects from a rehearsal what the gates would be judged by. Those that judge windows, or pass without data, are left out, and those
 * of waits for caps: a rehearsal does not know how long a connection is waited for.
 */
export function gateSamples({ gates }: Pick<LoadedScenario, 'gates'>) {
  const asked = gates
    .filter((gate) => gate.kind === 'metric')
    .filter(({ options }) => options.window === undefined && !options.allowNoData)
    .filter(({ selector }) => selector.metric !== 'cap_wait');
  // A series folds every record, whether or not somebody asks.
  if (asked.length === 0) return { add: () => undefined, short: () => [] };
  const series = new MetricSeries(gateQueries(asked));
  return {
    add: (record: JournalRecord) => series.add(record),
    short: () => judgeGates({ gates: asked, unreadable: [] }, [{ series, limits: [] }]).gates.flatMap(shortGate),
  };
}

const shortGate = (result: GateResult): ShortGate[] =>
  result.samples === undefined || result.needed === undefined
    ? []
    : [{ gate: gateShown(result), samples: result.samples, needed: result.needed }];

/** The gates that are short in every rehearsal, each with the most samples. @param fasterHasMore see `ShortGate` */
export function shortInAll(
  [first = [], ...others]: readonly (readonly ShortGate[])[],
  fasterHasMore: boolean,
): ShortGate[] {
  return first.flatMap((short) => {
    const same = others.map((rehearsed) => rehearsed.find(({ gate }) => gate === short.gate));
    if (same.includes(undefined)) return [];
    const samples = Math.max(short.samples, ...same.map((other) => other?.samples ?? 0));
    return { ...short, samples, ...(fasterHasMore && { fasterHasMore }) };
  });
}

/** A note for each gate that the samples of all rounds together could not decide. */
export const shortGateNotes = (gates: readonly ShortGate[], rounds = 1): string[] =>
  gates
    .filter(({ samples, needed }) => samples * rounds < needed)
    .map(
      ({ gate, samples, needed, fasterHasMore }) =>
        `the gate ${gate} needs ${plural(needed, 'sample')}, and the forecast has ${formatCount(samples * rounds)} at most${fasterHasMore ? ' (more if the service is faster than assumed)' : ''}: undecided, it would fail the run; lengthen the load, pool earlier runs, or require less`,
    );
