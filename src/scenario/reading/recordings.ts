import { existsSync } from 'node:fs';
import { LONGEST_DURATION } from '../../api/index.ts';
import { type ConfigProblem, isRecord, type SourceDocument } from '../../base/index.ts';
import type { Recording } from '../load-models/index.ts';
import { withLoadModels } from '../placed-models.ts';
import type { Scenario } from '../schema/schema.ts';
import { type Fault, pathText } from '../validation/faults.ts';
import { loadModelsIn } from '../validation/load-places.ts';
import { besideScenario, noSuchFile } from './named-file.ts';
import { readRecording } from './recording.ts';

/** The recordings of a scenario's replays. */
interface ReadRecordings {
  /** By path of the load model: `load`, `load[1]`, `phases[0].load[2]`. */
  readonly recordings: ReadonlyMap<string, Recording>;
  readonly faults: readonly Fault[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads every file that a replay names. Ignores load models of a wrong shape. */
export function readRecordings(source: SourceDocument, scenario: unknown): ReadRecordings {
  const recordings = new Map<string, Recording>();
  const faults: Fault[] = [];
  const problems: ConfigProblem[] = [];
  for (const { path, value } of isRecord(scenario) ? loadModelsIn(scenario) : []) {
    if (!isRecord(value) || value.model !== 'replay' || typeof value.file !== 'string' || value.file === '') continue;
    const file = besideScenario(source.file, value.file);
    if (!existsSync(file)) {
      faults.push(noSuchFile([...path, 'file'], file));
      continue;
    }
    const { column, unit, speed } = value;
    const read = readRecording({
      file,
      column: typeof column === 'string' ? column : 'at',
      unit: unit === 's' || unit === 'ms' || unit === 'us' ? unit : undefined,
    });
    if (!read.ok) {
      problems.push(...read.problems);
      continue;
    }
    recordings.set(pathText(path), read.recording);
    const lastMs = (read.recording.offsetsUs.at(-1) ?? 0) / 1_000;
    if (typeof speed === 'number' && lastMs / speed > LONGEST_DURATION)
      faults.push({ path: [...path, 'speed'], message: 'makes the replay last more than ten years', hint: 'raise it' });
    else if (speed === undefined && lastMs > LONGEST_DURATION)
      faults.push({
        path: [...path, 'file'],
        message: 'lasts more than ten years',
        hint: 'add unit: ms or unit: us if its times are no seconds, or a speed',
      });
  }
  return { recordings, faults, problems };
}

/** Adds the recordings to the replays of a scenario. */
export const withRecordings = (scenario: Scenario, { recordings }: ReadRecordings): Scenario =>
  withLoadModels(scenario, (model, place) => {
    const recording = recordings.get(place);
    return recording === undefined ? model : { ...model, recording };
  });
