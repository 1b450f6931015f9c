import { type Micros, microsFromMillis } from '../base/index.ts';
import type { LoadModel, Scenario } from '../scenario/index.ts';
import { type Change, type LoadPart, loadModelOf } from './load-models/index.ts';
import { type PhaseInput, type PhaseTimes, phaseInputs, phaseTimesOf } from './sources.ts';

/** A stage of the plan, such as a stair, a ramp or a phase. */
export interface Stage {
  /** Distinct within the plan: `stair-3`, `climb.stair-3`. */
  readonly name: string;
  readonly fromUs: Micros;
  /** The next stage's beginning; for the last one, the planned end. */
  readonly toUs: Micros;
  /** Total rate of the open load models within it; absent if one of them has no rate, or if there are none. */
  readonly arrivalsPerMinute?: Change;
  /** Total users of the closed load models within it; likewise. */
  readonly users?: Change;
}

/** Each stage takes three histograms of 120 KiB, so their number is limited. */
export const MOST_STAGES = 100;

/**
 * The stages of the plan, without gaps from 0 on; empty if there is only one, or more than `MOST_STAGES`. A boundary of any
 * parallel load model starts a new stage, so that each instant belongs to one stage and the counts of stages add up to those of
 * the run.
 */
export function stagesOf(scenario: Scenario): readonly Stage[] {
  const stages = allStagesOf(scenario);
  return stages.length > 1 && stages.length <= MOST_STAGES ? stages : [];
}

/** Like `stagesOf`, without a limit of their number. */
export function allStagesOf(scenario: Scenario): readonly Stage[] {
  const inputs = phaseInputs(scenario);
  const phases = phaseTimesOf(scenario);
  return distinct(
    phases.flatMap((phase, p) => {
      // A phase without a planned length belongs to the stage of the next phase, which begins at the same time.
      if (phase.durationUs === 0 && p < phases.length - 1) return [];
      return stagesIn(phase, inputs[p] as PhaseInput, scenario.phases === undefined ? undefined : phase.name);
    }),
  );
}

/** A part of a load model with its start and end in the run, µs. */
interface Placed extends LoadPart {
  readonly from: number;
  readonly to: number;
}

interface Layer {
  /** In order, without gaps; empty if the model does not say how its load is distributed over time. */
  readonly parts: readonly Placed[];
  readonly isClosed: boolean;
}

function layerOf(model: LoadModel, startUs: number): Layer {
  const parts = loadModelOf(model).parts?.(model) ?? [];
  let from = startUs + microsFromMillis(model.start);
  const placed = parts.map((part) => {
    const at = { ...part, from, to: from + part.durationUs };
    from = at.to;
    return at;
  });
  // When a model without a planned length is active is unknown.
  return { parts: placed.filter(({ durationUs }) => durationUs > 0), isClosed: 'think' in model };
}

function stagesIn({ startUs, durationUs }: PhaseTimes, { load }: PhaseInput, phase: string | undefined): Stage[] {
  const end = startUs + durationUs;
  const layers = load.map((model) => layerOf(model, startUs));
  const staged = layers.filter(({ parts }) => parts.length > 1);
  const inside = staged.flatMap(({ parts }) => parts.flatMap(({ from, to }) => [from, to]));
  const cuts = [...new Set([startUs, ...inside.filter((at) => at < end)])].sort((a, b) => a - b);
  return cuts.map((from, index): Stage => {
    const to = cuts[index + 1] ?? end;
    return {
      name: nameOf(phase, cuts.length === 1 ? undefined : partName(staged, from, index)),
      fromUs: from as Micros,
      toUs: to as Micros,
      ...memberOf('arrivalsPerMinute', totalLevel(layers, false, from, to)),
      ...memberOf('users', totalLevel(layers, true, from, to)),
    };
  });
}

/** The part's name if exactly one model has several parts and is active then; otherwise a number. */
function partName(staged: readonly Layer[], from: number, index: number): string {
  const [only, ...others] = staged;
  const part = others.length === 0 ? only?.parts.find((one) => one.from <= from && from < one.to) : undefined;
  return part?.name ?? `part-${index + 1}`;
}

const nameOf = (phase: string | undefined, part: string | undefined): string =>
  [phase, part].filter((name) => name !== undefined).join('.') || 'load';

const memberOf = <Name extends string>(name: Name, change: Change | undefined) =>
  (change === undefined ? {} : { [name]: change }) as Partial<Record<Name, Change>>;

/** Sum of the levels of all open or all closed models; `undefined` if one is unknown, or starts or ends within the interval. */
function totalLevel(layers: readonly Layer[], closed: boolean, from: number, to: number): Change | undefined {
  const sum = { from: 0, to: 0 };
  let count = 0;
  for (const { parts, isClosed } of layers) {
    if (isClosed !== closed) continue;
    if (parts.length === 0) return undefined;
    const part = parts.find((one) => one.from < to && one.to > from);
    if (part === undefined) continue;
    if (part.from > from || part.to < to) return undefined;
    count++;
    sum.from += at(part, part.level, from);
    sum.to += at(part, part.level, to);
  }
  return count === 0 ? undefined : { from: shortened(sum.from), to: shortened(sum.to) };
}

const at = (part: Placed, { from, to }: Change, instant: number): number =>
  from + ((to - from) * (instant - part.from)) / (part.to - part.from);

/** 70/min is 1.1666666666666667 per second, which gives 70.00000000000001 per minute. */
const shortened = (value: number): number => Number(value.toPrecision(12));

/** Makes names unique: a phase may have the same name as another phase's stage. */
function distinct(stages: readonly Stage[]): Stage[] {
  const seen = new Set<string>();
  return stages.map((stage) => {
    let { name } = stage;
    for (let n = 2; seen.has(name); n++) name = `${stage.name}-${n}`;
    seen.add(name);
    return { ...stage, name };
  });
}
