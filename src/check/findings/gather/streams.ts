import type { StreamRecord } from '../../../history/index.ts';
import type { Evidence } from '../../evidence/evidence.ts';

/** A fault within one connection of a turn's stream; the first of its kind in each turn. */
export interface StreamFault {
  readonly sort: 'sequence' | 'after-end';
  readonly turn: string;
  /** Run µs. */
  readonly at: number;
  /** Of `sequence`: the event's number and the one before it. */
  readonly sequence?: number;
  readonly before?: number;
}

interface Following {
  open: boolean;
  lastAt: number;
  sequence?: number;
  endedAt?: number;
  faults: StreamFault[];
  /** Two connections at once, or records out of order: it is unknown which event followed which. */
  unclear: boolean;
}

/** Follows each turn's stream event by event: memory per turn, none per event. */
export class StreamGatherer {
  readonly #streams = new Map<string, Following>();
  #opened = 0;

  add(record: StreamRecord): void {
    const key = `${record.worker ?? 0} ${record.turn}`;
    let stream = this.#streams.get(key);
    if (!stream) {
      stream = { open: false, lastAt: record.at, faults: [], unclear: false };
      this.#streams.set(key, stream);
    }
    if (record.at < stream.lastAt) stream.unclear = true;
    stream.lastAt = Math.max(stream.lastAt, record.at);
    if (record.event === 'opened') {
      this.#opened += 1;
      if (stream.open) stream.unclear = true;
      stream.open = true;
      delete stream.sequence;
      delete stream.endedAt;
    } else if (record.event === 'closed') stream.open = false;
    else follow(stream, record);
  }

  finish({ end, skipped }: Pick<Evidence, 'end' | 'skipped'>): StreamFault[] {
    // Where an opening is missing, the events of two connections look like those of one.
    const areAllOpened = end ? end.streams === this.#opened : skipped['unreadable lines'] === undefined;
    if (!areAllOpened) return [];
    return [...this.#streams.values()].flatMap(({ unclear, faults }) => (unclear ? [] : faults));
  }
}

function follow(stream: Following, { turn, at, event, sequence }: StreamRecord): void {
  const tell = (fault: StreamFault) => {
    if (!stream.faults.some(({ sort }) => sort === fault.sort)) stream.faults.push(fault);
  };
  const before = stream.sequence;
  if (sequence !== undefined && before !== undefined && sequence <= before)
    tell({ sort: 'sequence', turn, at, sequence, before });
  if (stream.endedAt !== undefined && at > stream.endedAt && event !== 'unknown') tell({ sort: 'after-end', turn, at });
  if (sequence !== undefined) stream.sequence = Math.max(before ?? sequence, sequence);
  if (event === 'completed' || event === 'failed') stream.endedAt ??= at;
}
