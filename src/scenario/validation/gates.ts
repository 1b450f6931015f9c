import { parseDuration } from '../../base/index.ts';
import { type GateOptions, type KnownTags, parseGate } from '../../metrics/index.ts';
import { knownTags } from '../gates.ts';
import { type Fault, isRecord, labelsOf, membersOf, namesOf, type Path, valueAt } from './faults.ts';

/**
 * Faults of a scenario's gates beyond their shape: unknown metrics and tags, aggregations that do not fit, thresholds that decide
 * nothing. Reads the document as written and ignores parts of a wrong shape.
 */
export function gateFaults(scenario: unknown): readonly Fault[] {
  const known = tagsOf(scenario);
  return membersOf(valueAt(scenario, ['gates'])).flatMap(([name, entries]) => {
    const nameFaults = new Set<string>();
    return placed(entries, ['gates', name]).flatMap(({ threshold, options, path, parts }) => {
      const parsed = parseGate(name, threshold, options, known);
      if ('value' in parsed) return [];
      return parsed.faults.flatMap(({ part, message, hint }): Fault[] => {
        const fault = { message, ...(hint !== undefined && { hint }) };
        if (part !== 'name') return [{ path: parts ? [...path, part] : path, ...fault }];
        // A name may have several expressions; its faults are reported once.
        if (nameFaults.has(message)) return [];
        nameFaults.add(message);
        return [{ path: ['gates', name], atKey: true, ...fault }];
      });
    });
  });
}

/** The possible values of a gate's tags, from a scenario as written. */
export function tagsOf(scenario: unknown): KnownTags {
  return knownTags(namesOf(valueAt(scenario, ['journeys'])), labelsOf(scenario));
}

interface PlacedGate {
  readonly threshold: string;
  readonly options: GateOptions;
  readonly path: Path;
  /** Whether it is written as an object with keys. */
  readonly parts: boolean;
}

/** The gates below one name that have the shape of gates. */
function placed(entries: unknown, path: Path): readonly PlacedGate[] {
  if (typeof entries === 'string') return [{ threshold: entries, options: optionsIn({}), path, parts: false }];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index): PlacedGate[] => {
    const at = [...path, index];
    if (typeof entry === 'string') return [{ threshold: entry, options: optionsIn({}), path: at, parts: false }];
    if (!isRecord(entry) || typeof entry.threshold !== 'string') return [];
    return [{ threshold: entry.threshold, options: optionsIn(entry), path: at, parts: true }];
  });
}

function optionsIn(entry: Record<string, unknown>): GateOptions {
  const duration = (value: unknown) => (typeof value === 'string' ? parseDuration(value) : undefined);
  const delayAbortEval = duration(entry.delayAbortEval);
  const window = duration(entry.window);
  return {
    abortOnFail: entry.abortOnFail === true,
    allowNoData: entry.allowNoData === true,
    ...(delayAbortEval !== undefined && { delayAbortEval }),
    // The schema reports a window of 0.
    ...(window !== undefined && window > 0 && { window }),
  };
}
