import type { LivePictures } from '../html/page-data.ts';
import type { MarkTable } from './mark-table.ts';

/** The data of all charts; the live page replaces `pictures` and appends to `marks`. */
export interface PageState {
  pictures: LivePictures;
  marks: MarkTable;
}
