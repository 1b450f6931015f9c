import type { Inference } from './inference.ts';

/** Numbers are shown for this many of the possible readings; the data has them all. */
const MOST_SHOWN = 3;

/** What a limit behaves as, as lines of plain text. @param brief whether to leave out everything else */
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
