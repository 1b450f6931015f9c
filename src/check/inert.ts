import { inertText } from '../base/index.ts';

const LONGEST_SENTENCE = 500;

/** A sentence or label with text of a service or a file, safe to print. */
export const inert = (text: string): string => inertText(text, LONGEST_SENTENCE);
