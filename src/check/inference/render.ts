import type { Inference } from './inference.ts';

/** Of so many of the readings that may be, the numbers are shown; the data has them all. */
const MOST_SHOWN = 3;

/** What a limit behaves as, for people: lines of plain text. @param brief no more than that */
export function renderInference(inference: Inference | undefined, brief: boolean): string[] {
  if (!inference) return [];
  const { behaves, sentence, possible, experiment } = inference;
  if (brief) return [`  ${behaves}`];
  return [
    `  ${sentence}`,
    ...possible.slice(0, MOST_SHOWN).flatMap(({ reading, fits }) => (fits ? [`  ${reading} fits with ${fits}`] : [])),
    ...(experiment ? [`  to tell them apart: ${experiment.sentence}`] : []),
  ];
}
