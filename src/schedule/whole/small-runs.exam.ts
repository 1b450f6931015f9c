import type { Micros } from '../../base/index.ts';
import type { runVirtualScenario } from '../../testing/virtual.ts';

/** What the runs of these tests are made of. */

export const once = { model: 'burst', count: 1 } as const;
export const conversation = { createConversation: {} };
export const message = { sendMessage: { message: 'Hello' } };
export const ask = [conversation, message, { followTurn: { interval: '1s' } }];

export const seconds = (us: number) => us / 1_000_000;

/** Tells a run at an instant to stop. */
export const stopAt = (at: number, gently: boolean): Parameters<typeof runVirtualScenario>[1] => ({
  interrupt: (stopping, clock) => void clock.sleepUntil(at as Micros).then(() => stopping.stop('interrupted', gently)),
});
