import type { StreamEvent, TargetProfile } from '../api/index.ts';
import type { Micros } from '../base/index.ts';

export type StreamProfile = NonNullable<TargetProfile['stream']>;

/** Largest frame that is read; an event of a turn is a few kilobytes. */
export const MAX_FRAME_BYTES = 1024 * 1024;

/** An event without a known meaning: binary, not JSON, too large, or of a kind that the profile does not name. */
export const unknownEvent = (at: Micros, data?: unknown): StreamEvent => ({ event: 'unknown', at, data });

/**
 * Reads one frame. The event's name is the member `event`, or `type` if that is absent; `sequence` counts only as a whole number
 * ≥ 0 and `status` only as a text. Anything unreadable is an unknown event, never an error.
 */
export function readFrame(frame: Buffer, binary: boolean, at: Micros, profile: StreamProfile): StreamEvent {
  const data = binary ? undefined : jsonObject(frame);
  if (data === undefined) return unknownEvent(at);
  const { sequence, status } = data;
  return {
    event: kindOf(data.event ?? data.type, profile),
    at,
    ...(Number.isSafeInteger(sequence) && Number(sequence) >= 0 ? { sequence: Number(sequence) } : {}),
    ...(typeof status === 'string' ? { status } : {}),
    data,
  };
}

function kindOf(name: unknown, { events }: StreamProfile): StreamEvent['event'] {
  if (typeof name !== 'string') return 'unknown';
  return (['completed', 'failed', 'status', 'delta'] as const).find((kind) => events[kind].includes(name)) ?? 'unknown';
}

function jsonObject(frame: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(frame.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
