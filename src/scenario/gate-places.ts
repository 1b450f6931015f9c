import type { ConfigProblem, SourceDocument } from '../base/index.ts';
import type { Gate } from '../metrics/index.ts';
import { pathOfWord } from './schema/gates.ts';
import { problemIn } from './validation/faults.ts';
import type { ReadGates } from './validation/gates.ts';

/** Where a gate was written, for problems that another room finds, such as unknown stages. */
export type GatePlace = Pick<ConfigProblem, 'file' | 'line' | 'column' | 'path'>;

/**
 * The gates of a scenario with the positions of their names in the file, then those of the command line.
 * @param words of the command line, one per gate in `named`
 */
export function placedGates(
  source: SourceDocument,
  written: ReadGates['gates'],
  { named, words }: { readonly named: readonly Gate[]; readonly words: readonly string[] },
): ReadonlyMap<Gate, GatePlace> {
  return new Map<Gate, GatePlace>([
    ...written.map(([gate, path]): [Gate, GatePlace] => {
      const { message: _, ...place } = problemIn(source, { path, message: '', atKey: true });
      return [gate, place];
    }),
    ...named.map((gate, index): [Gate, GatePlace] => [gate, { path: pathOfWord(words[index] ?? '', words) }]),
  ]);
}
