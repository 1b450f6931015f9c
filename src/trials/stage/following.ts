import type { StreamRecord } from '../../history/index.ts';
import type { StreamAnswer } from '../../sandbox/index.ts';
import { type Stage, whole } from './stage.ts';

/** One connection of a turn's stream. */
interface Connection {
  readonly turn: string;
  /** How long each event is under way, run µs: as long as the handshake was. */
  readonly backUs: number;
  /** After so many events it breaks off. */
  readonly most: number;
}

/** Notes the events of a stream as they come. */
export function followStream(stage: Stage, { events }: StreamAnswer, { turn, backUs, most }: Connection): void {
  const record = (event: StreamRecord['event'], more: object = {}) =>
    stage.notebook.records.push({ kind: 'stream', turn, event, at: whole(stage.now), ...more });
  record('opened');
  events.forEach(({ at, event: { type, sequence, status } }, before) => {
    stage.at(stage.world.clock.shownAt(at) + backUs, () => {
      if (before === most) record('closed', { reason: 'dropped' });
      const kind = streamEvents[type];
      if (before >= most || !kind) return;
      record(kind, { sequence, ...(status !== undefined && { status }) });
      if (kind === 'completed' || kind === 'failed') record('closed', { reason: kind });
    });
  });
}

const streamEvents: Readonly<Record<string, 'status' | 'delta' | 'completed' | 'failed'>> = {
  'turn.status': 'status',
  'answer.delta': 'delta',
  'turn.completed': 'completed',
  'turn.failed': 'failed',
};
