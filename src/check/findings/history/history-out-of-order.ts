import { tolerancesOf } from '../advice/obeying.ts';
import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/**
 * Within one page only, because the meaning of the offset is the service's; compared in whole milliseconds. A question and its answer
 * may be stamped by two nodes whose clocks are apart, and a clock that was set back stamps later messages earlier.
 */
export const historyOutOfOrder = kindOf<{ conversation: string; request: string | number; position: number }>(
  'The messages of a page were not in chronological order, as the specification says.',
  function* (look) {
    const { slackUs } = tolerancesOf(look);
    for (const { id, pages } of look.conversations.values()) {
      for (const page of pages) {
        if (page.older === undefined || page.older.byUs <= slackUs) continue;
        yield {
          basis: 'specification',
          at: page.sentAt,
          exchanges: [refOf(page)],
          data: { conversation: plainWord(id), request: refOf(page), position: page.older.position + 1 },
        };
      }
    }
  },
  ({ conversation, request, position }) =>
    `message ${position} in the answer to request ${request} is older than one before it; the history of conversation ${conversation} is not in chronological order`,
);
