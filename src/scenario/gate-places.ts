import type { ConfigProblem, SourceDocument } from '../base/index.ts';
import type { Gate } from '../metrics/index.ts';
import { type Gates, gatesOf, pathOfWord } from './gates.ts';
import { problemIn } from './validation/faults.ts';

/** Where a gate was written, for problems that another room finds, such as unknown stages. */
export type GatePlace = Pick<ConfigProblem, 'file' | 'line' | 'column' | 'path'>;

/** The gates of a validated scenario, with the positions of their names in the file. */
export const placedGatesOf = (source: SourceDocument, gates: Gates): ReadonlyMap<Gate, GatePlace> =>
  new Map(
    Object.entries(gates).flatMap(([name, entries]) => {
      const { message: _, ...place } = problemIn(source, { path: ['gates', name], message: '', atKey: true });
      return gatesOf({ [name]: entries }).map((gate): [Gate, GatePlace] => [gate, place]);
    }),
  );

/** The gates of the command line. @param gates one per word */
export const placedGatesNamed = (gates: readonly Gate[], words: readonly string[]): ReadonlyMap<Gate, GatePlace> =>
  new Map(gates.map((gate, index) => [gate, { path: pathOfWord(words[index] ?? '', words) }]));
