import { clockSkew } from './clock-skew.ts';
import type { Fault } from './fault.ts';
import { halfAnswer } from './half-answer.ts';
import { latency } from './latency.ts';
import { oversized } from './oversized.ts';
import { resetAfter } from './reset-after.ts';
import { resetBefore } from './reset-before.ts';
import { slowDrip } from './slow-drip.ts';
import { stall } from './stall.ts';
import { status } from './status.ts';
import { storeOutage } from './store-outage.ts';
import { streamDrop } from './stream-drop.ts';
import { streamDuplicate } from './stream-duplicate.ts';
import { streamReorder } from './stream-reorder.ts';
import { wrongType } from './wrong-type.ts';

/** Every fault by the name that rules use. */
export const faults = {
  latency,
  'status-500': status('internal', 'an internal error, as asked for', 'before'),
  'status-502': status('bad_gateway', 'the gateway lost the answer, as asked for', 'after'),
  'status-503': status('unavailable', 'not available at present, as asked for', 'before'),
  'reset-before': resetBefore,
  'reset-after': resetAfter,
  stall,
  'half-answer': halfAnswer,
  'slow-drip': slowDrip,
  'wrong-type': wrongType,
  oversized,
  'stream-drop': streamDrop,
  'stream-duplicate': streamDuplicate,
  'stream-reorder': streamReorder,
  'clock-skew': clockSkew,
  'store-outage': storeOutage,
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof faults;
