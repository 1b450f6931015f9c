import { inertText } from '../../base/index.ts';

const SHOWN = 40;

/** A word of the service (a code, an identifier, a policy's name) for a sentence: on one line, without effect on a terminal, bounded. */
export const plainWord = (word: string): string => inertText(word, SHOWN);
