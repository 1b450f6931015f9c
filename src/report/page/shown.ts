import type { LivePictures } from '../html/page-data.ts';
import type { MarkTable } from './mark-table.ts';

/** What all pictures look at; the live page replaces `pictures` and adds to `marks`. */
export interface Shown {
  pictures: LivePictures;
  marks: MarkTable;
}
