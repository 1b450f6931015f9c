import type { Exchange } from '../../../history/index.ts';
import { accepted, exchange, poll, us } from '../../../testing/history/sample-records.ts';

export type Item = readonly [id: string, role: string, digest: string | undefined, second?: number];

/** A page of the history of conversation c1. */
export const page = (
  seq: number,
  at: number,
  items: readonly Item[],
  members: Partial<Exchange> & { limit?: number; offset?: number } = {},
) => {
  const { limit = 50, offset = 0, ...rest } = members;
  return exchange({
    seq,
    conversation: 'c1',
    sentAt: us(at),
    history: {
      limit,
      offset,
      items: items.map(([id, role, digest, second = 0], i) => ({
        id,
        role,
        ...(digest !== undefined && { digest }),
        createdAt: `2026-11-21T12:0${i}:0${second}.000Z`,
      })),
    },
    ...rest,
  });
};
/** The same page, its messages created on that day of the month, a second before noon. */
export const aged = (read: ReturnType<typeof page>, day: number) => ({
  ...read,
  history: {
    ...(read.history as NonNullable<typeof read.history>),
    items: (read.history?.items ?? []).map((item) => ({ ...item, createdAt: `2026-11-${day}T11:59:59.000Z` })),
  },
});
export const userMessage: Item = ['i1', 'user', 'd-t1'];
export const answer: Item = ['a1', 'assistant', 'x'];
/** A turn that is known to be completed, with both of its messages. */
export const done = [
  accepted(0, 't1', 0, 900),
  poll(1, 't1', 'completed', 5_000, 5_900, {
    turn: { id: 't1', status: 'completed', userMessageId: 'i1', assistantMessageId: 'a1' },
  }),
];
