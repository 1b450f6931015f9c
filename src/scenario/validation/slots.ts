import { isRecord } from '../../base/index.ts';
import { type Fault, itemsOf, membersOf, type Path, valueAt } from './faults.ts';

/**
 * Reports possible deadlocks under the openTurns cap: a journey that waits for a slot while it holds one could wait forever, for
 * example if two such journeys wait for each other. Under this cap, every turn must be followed before the next message. Reads the
 * document as written.
 */
export function slotFaults(document: Readonly<Record<string, unknown>>): readonly Fault[] {
  if (!isRecord(document.caps) || document.caps.openTurns === undefined) return [];
  return membersOf(document.journeys).flatMap(([journey, value]) =>
    walk(valueAt(value, ['steps']), ['journeys', journey, 'steps'], { holding: false }),
  );
}

interface Slots {
  /** Whether the journey may hold the slot of a turn that no step has followed. */
  holding: boolean;
}

const HINT = 'put a followTurn before it, or remove caps.openTurns';

function walk(steps: unknown, path: Path, slots: Slots): readonly Fault[] {
  return itemsOf(steps).flatMap((step, index): readonly Fault[] => {
    if (!isRecord(step)) return [];
    const at = [...path, index];
    if (isRecord(step.repeat)) return repeated(step.repeat, [...at, 'repeat', 'steps'], slots);
    if ('followTurn' in step) slots.holding = false;
    if ('sendMessage' in step) return hold([...at, 'sendMessage'], slots);
    return isRecord(step.burst) ? burst(step.burst, [...at, 'burst'], slots) : [];
  });
}

/** Walks the steps twice, because turns left open by one iteration affect the next. */
function repeated(repeat: Record<string, unknown>, path: Path, slots: Slots): readonly Fault[] {
  const first = walk(repeat.steps, path, slots);
  return first.length > 0 || repeat.times === 1 ? first : walk(repeat.steps, path, slots);
}

function hold(path: Path, slots: Slots): readonly Fault[] {
  const message =
    'may wait forever for a slot of caps.openTurns that this journey holds itself: the turn before it is not followed';
  const faults = slots.holding ? [{ path, atKey: true, message, hint: HINT }] : [];
  slots.holding = true;
  return faults;
}

function burst(settings: Record<string, unknown>, path: Path, slots: Slots): readonly Fault[] {
  if (settings.of !== undefined && settings.of !== 'sendMessage') return [];
  if (settings.follow !== undefined) return slots.holding ? hold(path, slots) : [];
  if (settings.count === 1) return hold(path, slots);
  const message = 'its messages may wait forever for slots of caps.openTurns that its own turns hold';
  return [{ path, atKey: true, message, hint: 'add follow: { by: stream }, or remove caps.openTurns' }];
}
