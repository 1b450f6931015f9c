import type { RateList } from './defect.ts';

/** Two rate limits of different classes of operations; the second is the lower one. */
export const readsAndMessages: RateList = [
  { name: 'reads', operations: ['readTurn', 'readHistory', 'openStream'] },
  { name: 'messages', max: 5, operations: ['sendMessage'] },
];

/** Two rate limits of equal settings for different operations. */
export const equalRoutes: RateList = [
  { name: 'turns', operations: ['readTurn', 'openStream'] },
  { name: 'histories', operations: ['readHistory'] },
];

/** One of each user beneath one of all. */
export const userAndApplication: RateList = [
  { name: 'user', scope: 'user' },
  { name: 'application', scope: 'application' },
];
