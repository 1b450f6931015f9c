import type { StreamRecord } from '../../history/index.ts';
import type { StreamAnswer } from '../../sandbox/index.ts';
import type { Decisions } from '../world/nodes.ts';
import type { World } from '../world/world.ts';
import { type Notebook, whole } from './notebook.ts';

/** The stage on which a stream is followed. */
interface Stage {
  readonly world: World;
  readonly notebook: Notebook;
  readonly decisions: Decisions;
  readonly now: number;
  at(t: number, act: () => void): void;
}

/** One connection of a turn's stream. */
interface Connection {
  readonly turn: string;
  /** Network delay of each event in run µs; that of the handshake. */
  readonly backUs: number;
  /** The stream is cut after this many events. */
  readonly most: number;
}

/** Records the events of a stream when they arrive. */
export function followStream(stage: Stage, { events }: StreamAnswer, { turn, backUs, most }: Connection): void {
  const record = (event: StreamRecord['event'], more: object = {}) =>
    stage.notebook.records.push({ kind: 'stream', turn, event, at: whole(stage.now), ...more });
  record('opened');
  events.forEach(({ at, event: { type, sequence, status } }, before) => {
    const shownAt = stage.world.clock.shownAt(at);
    stage.at(shownAt, () => stage.decisions.reach(at));
    stage.at(shownAt + backUs, () => {
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
