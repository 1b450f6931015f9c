/** Like `built.ts`, with the journal only, which loads fast. */
export { realClock } from '../base/index.ts';
export { openJournal } from '../history/index.ts';
export { exchange, header } from './history/sample-records.ts';
