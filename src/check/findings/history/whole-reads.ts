import type { ConversationPages, Page } from '../gather/pages.ts';

/** Pages that together showed the whole of a conversation's history. */
export interface WholeRead {
  readonly pages: readonly Page[];
  /** What was there before this was surely shown. */
  readonly sentAt: number;
}

/** Of a conversation that is read over and over, so many are looked at: the last ones, which show the most. No more than 16: a bit of a word each. */
const MOST_READS = 10;

/**
 * Readings from the beginning (offset 0) that went on, page after page of one size by one step, until a page was not full.
 * Whichever end the offset counts from: messages that come meanwhile are added at one end, so that they push others onto a
 * later page and never past it.
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
    // More than was asked for is no page at all, and says nothing of where the next one begins.
    return read.every(({ items, limit }) => items.length <= limit) ? [{ pages: read, sentAt: start.sentAt }] : [];
  });
}

function lastStarts(pages: readonly Page[]): readonly Page[] {
  const starts: Page[] = [];
  for (let i = pages.length - 1; i >= 0 && starts.length < MOST_READS; i--)
    if (pages[i]?.offset === 0) starts.push(pages[i] as Page);
  return starts.reverse();
}

/** Tells which page went on where another ended. */
function following(pages: readonly Page[]): (page: Page) => Page | undefined {
  const keyOf = ({ worker, arrival, step, limit }: Page, offset: number) =>
    `${worker} ${arrival} ${step} ${limit} ${offset}`;
  const byPlace = new Map<string, Page[]>();
  for (const page of pages) {
    const key = keyOf(page, page.offset);
    const known = byPlace.get(key);
    if (known) known.push(page);
    else byPlace.set(key, [page]);
  }
  return (page) => byPlace.get(keyOf(page, page.offset + page.limit))?.find(({ sentAt }) => sentAt >= page.receivedAt);
}
