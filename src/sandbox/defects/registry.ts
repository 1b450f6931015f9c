import type { DefectId, UnobservableDefectId } from '../../api/index.ts';
import { remaining } from './advice/remaining.ts';
import { retryAfter } from './advice/retry-after.ts';
import { days } from './day/days.ts';
import type { Defect } from './defect.ts';
import { handling } from './idempotency/handling.ts';
import { memory } from './idempotency/memory.ts';
import { boundaries } from './over-admission/boundaries.ts';
import { counting } from './over-admission/counting.ts';
import { races, workers } from './over-admission/races.ts';
import { scopes } from './scope/scopes.ts';
import { slots } from './slots/slots.ts';
import { buckets } from './wrongful-refusal/buckets.ts';
import { counters } from './wrongful-refusal/counters.ts';
import { shared } from './wrongful-refusal/shared.ts';

/** Every defect that can be chosen, by its id. */
export const defects: Readonly<Record<DefectId, Defect>> = {
  ...races,
  ...workers,
  ...boundaries,
  ...counting,
  ...counters,
  ...buckets,
  ...shared,
  ...scopes,
  ...retryAfter,
  ...remaining,
  ...slots,
  ...memory,
  ...handling,
  ...days,
};

/** The other defects of the catalogue, and why no client of this API can observe them. */
export const unobservable: Readonly<Record<UnobservableDefectId, string>> = {
  O20: 'A moving window does not block requests of varying cost. Every request of this API costs one unit.',
  O23: 'Consuming a negative amount adds tokens, and batches over-consume. No request of this API names an amount, and none is a batch.',
  W23: 'After the rate was raised, the old state still blocks. The limits of a sandbox never change while it runs, and a limit that was changed over a restart is reset.',
  I10: 'A client that makes a new key for each retry pays twice. It is a defect of clients; a service cannot have it.',
};
