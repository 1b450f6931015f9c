/** As `built.ts`, of the journal alone, which is loaded at once. */
export { realClock } from '../base/index.ts';
export { openJournal } from '../history/index.ts';
export { exchange, header } from './history/sample-records.ts';
