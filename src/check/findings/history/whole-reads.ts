import { groupedBy } from '../../../base/index.ts';
import type { ConversationPages, Page } from '../gather/pages.ts';

/** Pages that together showed the whole of a conversation's history. */
export interface WholeRead {
  readonly pages: readonly Page[];
  /** Whatever existed before this was certainly shown. */
  readonly sentAt: number;
}

/** Of a conversation that is read repeatedly, only the last readings are used, which show the most. At most 16: one bit of a word each. */
const MOST_READS = 10;

/**
 * Readings from the beginning (offset 0) that continued page after page, with one size and one step, until a page was not full.
 * This works from either end: new messages are added at one end, so they may push others onto a later page but never past it.
 */
export function wholeReads({ pages }: ConversationPages): WholeRead[] {
  // Most histories fit one page.
  const goOn = pages.some(({ items, limit }) => items.length === limit);
  const nextOf = goOn ? following(pages) : () => undefined;
  return lastStarts(pages).flatMap((start) => {
    const read = [start];
    for (let last: Page | undefined = start; last && last.items.length === last.limit; ) {
      last = nextOf(last);
      if (!last) return [];
      read.push(last);
    }
    // A page with more than was requested is faulty, and does not show where the next one begins.
    return read.every(({ items, limit }) => items.length <= limit) ? [{ pages: read, sentAt: start.sentAt }] : [];
  });
}

function lastStarts(pages: readonly Page[]): readonly Page[] {
  const starts: Page[] = [];
  for (let i = pages.length - 1; i >= 0 && starts.length < MOST_READS; i--)
    if (pages[i]?.offset === 0) starts.push(pages[i] as Page);
  return starts.reverse();
}

/** Finds the page that continued where another ended. */
function following(pages: readonly Page[]): (page: Page) => Page | undefined {
  const keyOf = ({ worker, arrival, step, limit }: Page, offset: number) =>
    `${worker} ${arrival} ${step} ${limit} ${offset}`;
  const byPlace = groupedBy(pages, (page) => keyOf(page, page.offset));
  return (page) => byPlace.get(keyOf(page, page.offset + page.limit))?.find(({ sentAt }) => sentAt >= page.receivedAt);
}
