import { formatCount } from '../../../base/index.ts';
import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/** Specification section 8, rule 4. Of a longer page only one further message is recorded. */
const LONGEST_PAGE = 100;

type Data = { conversation: string; request: string | number; limit: number; messages: number };

/**
 * The specification does not tell the name of the parameter that requests the size of a page. If the profile does not either, or
 * if none was requested, the size that a page may have is a guess.
 */
export const historyPageTooLong = kindOf<Data>(
  'A page of the history had more messages than were requested, or than a page may have.',
  function* ({ conversations, promises }) {
    for (const { id, pages } of conversations.values()) {
      for (const page of pages) {
        const { limit, items, sentAt } = page;
        if (items.length <= Math.min(limit, LONGEST_PAGE)) continue;
        const isAsked = limit !== promises.history.defaultLimit && promises.history.limitParameter !== undefined;
        yield {
          basis: items.length > LONGEST_PAGE ? 'specification' : isAsked ? 'profile' : 'observation',
          at: sentAt,
          exchanges: [refOf(page)],
          data: { conversation: plainWord(id), request: refOf(page), limit, messages: items.length },
        };
      }
    }
  },
  ({ conversation, request, limit, messages }) => {
    const number = messages > LONGEST_PAGE ? `more than ${formatCount(LONGEST_PAGE)}` : formatCount(messages);
    return `the answer to request ${request}, a page of the history of conversation ${conversation}, has ${number} messages instead of at most ${formatCount(limit)}`;
  },
);
