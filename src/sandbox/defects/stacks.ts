import type { RateList } from './defect.ts';

/** Two rate limits for different operations. The second is lower. */
export const readsAndMessages: RateList = [
  { name: 'reads', operations: ['readTurn', 'readHistory', 'openStream'] },
  { name: 'messages', max: 5, operations: ['sendMessage'] },
];

/** Two rate limits with equal settings for different operations. */
export const equalRoutes: RateList = [
  { name: 'turns', operations: ['readTurn', 'openStream'] },
  { name: 'histories', operations: ['readHistory'] },
];

/** One limit per user and one per application. */
export const userAndApplication: RateList = [
  { name: 'user', scope: 'user' },
  { name: 'application', scope: 'application' },
];
