import type { Parameters, Range } from '../reading.ts';
import type { Inference } from './inference.ts';

/** Of so many of the readings that may be, the numbers are shown; the data has them all. */
const MOST_SHOWN = 3;

/** What a limit behaves as, for people: lines of plain text. @param brief no more than that */
export function renderInference(inference: Inference | undefined, brief: boolean): string[] {
  if (!inference) return [];
  const { behaves, sentence, possible, experiment } = inference;
  if (brief) return [`  ${behaves}`];
  const allowed = possible
    .slice(0, MOST_SHOWN)
    .map(({ reading, parameters }) => [reading, parameters ? numbersOf(parameters) : []] as const);
  return [
    `  ${sentence}`,
    ...allowed.flatMap(([reading, numbers]) =>
      numbers.length > 0 ? [`  ${reading} fits with ${numbers.join('; ')}`] : [],
    ),
    ...(experiment ? [`  to tell them apart: ${experiment.sentence}`] : []),
  ];
}

/** `20 to 22`, `a window of 59.9 s to 60.1 s`, … */
function numbersOf({ max, windowUs, capacity, perWindow, releaseGraceUs, phaseUs }: Parameters): string[] {
  return [
    ...(max ? [rangeOf(max, plain)] : []),
    ...(windowUs ? [`a window of ${rangeOf(windowUs, seconds)}`] : []),
    ...(capacity ? [`a capacity of ${rangeOf(capacity, plain)}`] : []),
    ...(perWindow ? [`${rangeOf(perWindow, plain)} regained per window`] : []),
    ...(releaseGraceUs ? [`slots released within ${rangeOf(releaseGraceUs, seconds)}`] : []),
    ...(phaseUs ? [`windows that begin ${arcsOf(phaseUs)} of the service's clock, modulo the window`] : []),
  ];
}

function rangeOf({ from, to }: Range, say: (value: number) => string): string {
  if (from === undefined) return `${say(to ?? 0)} or less`;
  if (to === undefined) return `${say(from)} or more`;
  return say(from) === say(to) ? say(from) : `${say(from)} to ${say(to)}`;
}

const plain = (value: number) => `${Number(value.toPrecision(4))}`;
const seconds = (us: number) => `${Number((us / 1e6).toPrecision(4))} s`;
const arcsOf = (arcs: readonly (readonly [number, number])[]) =>
  arcs.map(([from, to]) => `from ${seconds(from)} to ${seconds(to)}`).join(' or ');
