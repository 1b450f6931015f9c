import { inert } from '../inert.ts';
import { kindOf } from '../kind.ts';
import { refOf } from '../reference.ts';

/** Within one page: between two pages, messages that came meanwhile may move others from one to the next. */
export const historyMessageTwice = kindOf<{ conversation: string; request: string | number; message: string }>(
  'A page of the history showed one message more than once.',
  function* ({ conversations }) {
    for (const { id, items, pages } of conversations.values()) {
      for (const page of pages) {
        const twice = firstTwice(Array.from(page.items, (number) => items[number]?.id ?? ''));
        if (twice === undefined) continue;
        yield {
          basis: 'profile',
          at: page.sentAt,
          exchanges: [refOf(page)],
          data: { conversation: inert(id), request: refOf(page), message: inert(twice) },
        };
      }
    }
  },
  ({ conversation, request, message }) =>
    `message ${message} stands more than once in the answer to request ${request}, a page of the history of conversation ${conversation}`,
);

function firstTwice(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => {
    const before = seen.has(id);
    seen.add(id);
    return before;
  });
}
