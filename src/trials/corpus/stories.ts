import type { LoadedScenario } from '../../scenario/index.ts';
import { loadShipped } from '../matrix/matrix.ts';
import { day, dayWith, sameId, slotsThenDay } from './message-stories.ts';
import { apart, atOnce, drip, flood, idle, overload, sideBySide } from './rate-stories.ts';

/*
 * Small versions of the shipped scenarios, with limits of three instead of twenty or fifty, so that a history has a few kilobytes and
 * is readable. Shipped scenarios that are small enough are used as they are.
 */

const own: readonly LoadedScenario[] = [
  atOnce,
  overload,
  flood,
  drip,
  idle,
  apart,
  sideBySide,
  day,
  slotsThenDay,
  sameId,
];

/** Shipped scenarios that are small, or that have no small equivalent. */
const SHIPPED = [
  'two-simultaneous-processings',
  'idempotent-resend',
  'invalid-requests',
  'smallest-limits',
  'remembered-messages',
];

export const stories = async (): Promise<readonly LoadedScenario[]> => [
  ...own,
  ...(await Promise.all(SHIPPED.map((name) => loadShipped(`${name}.yaml`)))),
];

/** The scenario per limit for correct services of every kind and for services that are off by one. */
export const atEachLimit = {
  rate: atOnce,
  daily: dayWith(false),
  concurrency: () => loadShipped(`${SHIPPED[0]}.yaml`),
} as const;
