import type { Inference } from './inference.ts';

/** Numbers are shown for this many of the possible readings; the data has them all. */
const MOST_SHOWN = 3;

/**
 * What a limit behaves as, as lines of plain text.
 * @param brief whether to leave out everything else
 * @param before what to say first if any reading explains the history: of a violated limit, it would be read as an acquittal
 */
export function renderInference(inference: Inference | undefined, brief: boolean, before = ''): string[] {
  if (!inference) return [];
  const { behaves, sentence, possible, experiment } = inference;
  const first = possible.length > 0 ? before : '';
  if (brief) return [`  ${first}${behaves}`];
  return [
    `  ${first}${sentence}`,
    ...possible.slice(0, MOST_SHOWN).flatMap(({ reading, fits }) => (fits ? [`  ${reading} fits with ${fits}`] : [])),
    ...(experiment ? [`  to tell them apart: ${experiment.sentence}`] : []),
  ];
}
