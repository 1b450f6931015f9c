import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/**
 * Within one page only: between two pages, new messages may move others to the next page. Only an observation, as nobody promises
 * that a message is there once.
 */
export const historyMessageTwice = kindOf<{ conversation: string; request: string | number; message: string }>(
  'A page of the history showed one message more than once.',
  function* ({ conversations }) {
    for (const { id, items, base, pages } of conversations.values()) {
      // By number of the first item with an id, the last page that showed it, from 1.
      const lastPage = new Uint32Array(items.length);
      for (const [index, page] of pages.entries()) {
        const twice = page.items.find((number) => {
          const before = lastPage[base[number] as number];
          lastPage[base[number] as number] = index + 1;
          return before === index + 1;
        });
        if (twice === undefined) continue;
        yield {
          basis: 'observation',
          at: page.sentAt,
          exchanges: [refOf(page)],
          data: { conversation: plainWord(id), request: refOf(page), message: plainWord(items[twice]?.id ?? '') },
        };
      }
    }
  },
  ({ conversation, request, message }) =>
    `message ${message} occurs more than once in the answer to request ${request}, a page of the history of conversation ${conversation}`,
);
