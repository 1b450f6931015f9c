import type { Summary } from '../../collect/index.ts';

/**
 * Makes labelled lines of the summary; empty if there is nothing to report.
 * @param most maximum entries of long lists, default 3; the files have the rest
 */
export type Section = (summary: Summary, most?: number) => readonly (readonly [label: string, text: string])[];
