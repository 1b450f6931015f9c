import { isRecord, type Millis, parseDuration } from '../../base/index.ts';
import { type Gate, type GateFault, type GateOptions, type KnownTags, parseGate } from '../../metrics/index.ts';
import { knownTags } from '../schema/gates.ts';
import { type Fault, labelsOf, membersOf, namesOf, type Path, valueAt } from './faults.ts';

/** The gates of a scenario, each with the path of its name, and the faults of those that are none. */
export interface ReadGates {
  readonly gates: readonly (readonly [Gate, Path])[];
  readonly faults: readonly Fault[];
}

/**
 * Reads a scenario's gates. Faults are those beyond their shape: unknown metrics and tags, aggregations that do not fit, thresholds that
 * decide nothing. Reads the document as written and ignores parts of a wrong shape.
 */
export function readGates(scenario: unknown): ReadGates {
  const known = tagsOf(scenario);
  const gates: [Gate, Path][] = [];
  const faults: Fault[] = [];
  for (const [name, entries] of membersOf(valueAt(scenario, ['gates']))) {
    const namePath = ['gates', name];
    const ofName: Fault[] = [];
    for (const gate of placed(entries, namePath)) {
      const parsed = parseGate(name, gate.threshold, gate.options, known);
      if ('value' in parsed) gates.push([parsed.value, namePath]);
      else ofName.push(...parsed.faults.map((fault) => placedFault(fault, gate, namePath)));
    }
    faults.push(...ofName.filter(isFirstOfItsKey));
  }
  return { gates, faults };
}

function placedFault({ part, message, hint }: GateFault, { path, parts }: PlacedGate, namePath: Path): Fault {
  const what = { message, ...(hint !== undefined && { hint }) };
  if (part === 'name') return { path: namePath, atKey: true, ...what };
  return { path: parts ? [...path, part] : path, ...what };
}

/** A name may have several expressions; its own faults are reported once. */
const isFirstOfItsKey = ({ atKey, message }: Fault, index: number, all: readonly Fault[]): boolean =>
  !atKey || all.findIndex((one) => one.atKey && one.message === message) === index;

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
  const duration = (value: unknown): Millis | undefined =>
    typeof value === 'string' || value === 0 ? parseDuration(String(value)) : undefined;
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
