import type { Header } from '../../history/index.ts';
import type { FindingFold } from '../finding.ts';

/** Every family of findings. Adding one is a file and a line. */
export const findingFolds: readonly ((header: Header) => FindingFold)[] = [];
