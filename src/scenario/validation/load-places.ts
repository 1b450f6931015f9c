import { isRecord } from '../../base/index.ts';
import { itemsOf, type Path } from './faults.ts';

/** A value of a document with its path. */
interface Placed {
  readonly path: Path;
  readonly value: unknown;
}

/** Every load model of the document as written, with its path. */
export function loadModelsIn(scenario: Readonly<Record<string, unknown>>): readonly Placed[] {
  const listed = (value: unknown, path: Path): readonly Placed[] =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => ({ path: [...path, index], value: item }))
      : [{ path, value }];
  const ofPhases = itemsOf(scenario.phases).flatMap((phase, index) =>
    isRecord(phase) ? listed(phase.load, ['phases', index, 'load']) : [],
  );
  return [...listed(scenario.load, ['load']), ...ofPhases];
}
