import { describe, expect, it } from 'vitest';
import { pathText } from './faults.ts';
import { slotFaults } from './slots.ts';

const send = { sendMessage: { message: 'Hello' } };
const follow = { followTurn: {} };
const faultsOf = (steps: readonly unknown[], caps: unknown = { openTurns: 2 }) =>
  slotFaults({ caps, journeys: { a: { steps } } }).map(({ path }) => pathText(path));

describe('slotFaults', () => {
  it.each([
    { case: 'send, follow, send, follow', steps: [send, follow, send, follow], faults: [] },
    { case: 'one message that nobody follows', steps: [send], faults: [] },
    {
      case: 'a second message before the first is followed',
      steps: [send, send],
      faults: ['journeys.a.steps[1].sendMessage'],
    },
    {
      case: 'a repeat whose next iteration meets its own turn',
      steps: [{ repeat: { times: 2, steps: [send] } }],
      faults: ['journeys.a.steps[0].repeat.steps[0].sendMessage'],
    },
    { case: 'a repeat of one iteration', steps: [{ repeat: { times: 1, steps: [send] } }], faults: [] },
    { case: 'a repeat that follows', steps: [{ repeat: { times: 9, steps: [send, follow] } }], faults: [] },
    { case: 'a burst that follows each', steps: [{ burst: { count: 9, follow: {} } }], faults: [] },
    {
      case: 'a burst that follows none',
      steps: [{ burst: { count: 2 } }, follow],
      faults: ['journeys.a.steps[0].burst'],
    },
    { case: 'a burst of one', steps: [{ burst: { count: 1 } }, follow], faults: [] },
    { case: 'a burst of reads', steps: [send, { burst: { count: 9, of: 'readHistory' } }], faults: [] },
    {
      case: 'a followed burst while a turn is held',
      steps: [send, { burst: { count: 2, follow: {} } }],
      faults: ['journeys.a.steps[1].burst'],
    },
  ])('$case', ({ steps, faults }) => {
    expect(faultsOf(steps)).toEqual(faults);
  });

  it('reports nothing without the cap', () => {
    expect(faultsOf([send, send], { inFlight: 1 })).toEqual([]);
    expect(slotFaults({ journeys: { a: { steps: [send, send] } } })).toEqual([]);
  });
});
