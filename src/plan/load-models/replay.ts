import { basename } from 'node:path';
import { formatCount, formatDuration, type Micros } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';

type Replay = Extract<LoadModel, { model: 'replay' }>;

function offsetsOf({ file, recording }: Replay): Float64Array {
  if (recording === undefined) throw new Error(`the times of ${file} are not loaded: load the scenario from its file`);
  return recording.offsetsUs;
}

const at = (offsetUs: number, speed: number): Micros => Math.round(offsetUs / speed) as Micros;

/** The times of a recording, shifted so that the first one is at the start, and scaled by `speed`. */
export const replay: LoadModelKind<Replay> = {
  *arrivals(model) {
    for (const offsetUs of offsetsOf(model)) yield at(offsetUs, model.speed);
  },
  count: (model) => offsetsOf(model).length,
  users: () => [],
  durationUs: (model) => at(offsetsOf(model).at(-1) ?? 0, model.speed),
  endsWithArrival: true,
  describe(model) {
    const speed = model.speed === 1 ? '' : ` at ${model.speed} times its speed`;
    return `${formatCount(offsetsOf(model).length)} as recorded in ${basename(model.file)}${speed}, within ${formatDuration(replay.durationUs(model))}`;
  },
};
