import { type Micros, microsFromMillis } from '../base/index.ts';
import type { LoadModel, Scenario } from '../scenario/index.ts';
import { type Change, type LoadPart, loadModelOf } from './load-models/index.ts';
import { type PhaseInput, type PlannedPhase, phaseInputs, phasesOf } from './sources.ts';

/** A stretch of the plan that is told apart from the others: a stair, a ramp, a phase. */
export interface Stage {
  /** Distinct within the plan: `stair-3`, `climb.stair-3`. */
  readonly name: string;
  readonly fromUs: Micros;
  /** The next one's beginning; of the last one, the planned end. */
  readonly toUs: Micros;
  /** What the open load models within it ask for together; absent where one of them names no rate, or there is none. */
  readonly arrivalsPerMinute?: Change;
  /** Users that the closed load models within it have together; as above. */
  readonly users?: Change;
}

/** Each takes three histograms of 120 KiB: more are not told apart. */
export const MOST_STAGES = 100;

/**
 * The plan in stages, which lie end to end from 0 on; none where there is only one. Load models side by side are cut at the
 * boundaries of all of them, so that each instant has one stage and counts of stages add up to those of the run.
 */
export function stagesOf(scenario: Scenario): readonly Stage[] {
  const stages = allStagesOf(scenario);
  return stages.length > 1 && stages.length <= MOST_STAGES ? stages : [];
}

/** As `stagesOf`, however many there are. */
export function allStagesOf(scenario: Scenario): readonly Stage[] {
  const inputs = phaseInputs(scenario);
  const phases = phasesOf(scenario);
  return distinct(
    phases.flatMap((phase, p) => {
      // Journeys without a planned length are not told apart from what is planned to begin with them.
      if (phase.durationUs === 0 && p < phases.length - 1) return [];
      return stagesIn(phase, inputs[p] as PhaseInput, scenario.phases === undefined ? undefined : phase.name);
    }),
  );
}

/** A part of a load model at its place in the run. */
interface Placed extends LoadPart {
  readonly from: number;
  readonly to: number;
}

interface Layer {
  /** Absent where the model says nothing of how its load is spread over time. */
  readonly parts: readonly Placed[] | undefined;
  readonly isClosed: boolean;
  readonly isStaged: boolean;
}

function layerOf(model: LoadModel, startUs: number): Layer {
  const parts = loadModelOf(model).parts?.(model);
  let from = startUs + microsFromMillis(model.start);
  const placed = parts?.map((part) => {
    const at = { ...part, from, to: from + part.durationUs };
    from = at.to;
    return at;
  });
  // Of a model without planned length nobody can say when it is there.
  const long = placed?.filter(({ durationUs }) => durationUs > 0) ?? [];
  return { parts: long.length > 0 ? long : undefined, isClosed: 'think' in model, isStaged: long.length > 1 };
}

function stagesIn({ startUs, durationUs }: PlannedPhase, { load }: PhaseInput, phase: string | undefined): Stage[] {
  const end = startUs + durationUs;
  const layers = load.map((model) => layerOf(model, startUs));
  const staged = layers.filter(({ isStaged }) => isStaged);
  const inside = staged.flatMap(({ parts = [] }) => parts.flatMap(({ from, to }) => [from, to]));
  const cuts = [...new Set([startUs, ...inside.filter((at) => at > startUs && at < end)])].sort((a, b) => a - b);
  return cuts.map((from, index): Stage => {
    const to = cuts[index + 1] ?? end;
    return {
      name: nameOf(phase, cuts.length === 1 ? undefined : partName(staged, from, index)),
      fromUs: from as Micros,
      toUs: to as Micros,
      ...told('arrivalsPerMinute', together(layers, false, from, to)),
      ...told('users', together(layers, true, from, to)),
    };
  });
}

/** Of one model with stages, the name that it gives; of several, or where it is not there, its number. */
function partName(staged: readonly Layer[], from: number, index: number): string {
  const [only, ...others] = staged;
  const part = others.length === 0 ? only?.parts?.find((one) => one.from <= from && from < one.to) : undefined;
  return part?.name ?? `part-${index + 1}`;
}

const nameOf = (phase: string | undefined, part: string | undefined): string =>
  [phase, part].filter((name) => name !== undefined).join('.') || 'load';

const told = <Name extends string>(name: Name, change: Change | undefined) =>
  (change === undefined ? {} : { [name]: change }) as Partial<Record<Name, Change>>;

/** Sum over the models of one kind; `undefined` where one of them does not say, or comes or goes on the way. */
function together(layers: readonly Layer[], closed: boolean, from: number, to: number): Change | undefined {
  const sum = { from: 0, to: 0 };
  let count = 0;
  for (const { parts, isClosed } of layers) {
    if (isClosed !== closed) continue;
    if (parts === undefined) return undefined;
    const within = parts.filter((part) => part.from < to && part.to > from);
    const [part] = within;
    if (part === undefined) continue;
    if (part.level === undefined || within.length > 1 || part.from > from || part.to < to) return undefined;
    count++;
    sum.from += at(part, part.level, from);
    sum.to += at(part, part.level, to);
  }
  return count === 0 ? undefined : { from: shortened(sum.from), to: shortened(sum.to) };
}

const at = (part: Placed, { from, to }: Change, instant: number): number =>
  from + ((to - from) * (instant - part.from)) / (part.to - part.from);

/** 70/min is 1.1666666666666667 a second, and that 70.00000000000001 a minute. */
const shortened = (value: number): number => Number(value.toPrecision(12));

/** Names of phases are free, and may be what another phase and its part are together. */
function distinct(stages: readonly Stage[]): Stage[] {
  const seen = new Set<string>();
  return stages.map((stage) => {
    let { name } = stage;
    for (let n = 2; seen.has(name); n++) name = `${stage.name}-${n}`;
    seen.add(name);
    return { ...stage, name };
  });
}
