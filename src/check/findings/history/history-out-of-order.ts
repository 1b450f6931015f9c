import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/** Within one page only, because the meaning of the offset is the service's; compared in whole milliseconds. */
export const historyOutOfOrder = kindOf<{ conversation: string; request: string | number; position: number }>(
  'The messages of a page were not in chronological order, as the specification says.',
  function* ({ conversations }) {
    for (const { id, pages } of conversations.values()) {
      for (const page of pages) {
        if (page.older === undefined) continue;
        yield {
          basis: 'specification',
          at: page.sentAt,
          exchanges: [refOf(page)],
          data: { conversation: plainWord(id), request: refOf(page), position: page.older + 1 },
        };
      }
    }
  },
  ({ conversation, request, position }) =>
    `message ${position} in the answer to request ${request} is older than the one before it; the history of conversation ${conversation} is not in chronological order`,
);
