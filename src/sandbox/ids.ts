import { uuidFrom } from '../base/index.ts';
import { digestOf } from './digest.ts';

/** Source of identifiers and tokens: random in the shell, seeded in simulations. */
export interface Ids {
  /** A new UUID at every call. */
  uuid(): string;
  /** An opaque token. Unguessable if random; predictable if seeded. */
  token(): string;
}

/** The last part of a UUID. */
const COUNTED_DIGITS = 12;

/** Identifiers that depend only on the seed and on how many were drawn before. */
export function seededIds(seed: number): Ids {
  let drawn = 0;
  // One hash for all: a rehearsal draws an identifier for each request.
  const head = uuidFrom('sandbox', seed).slice(0, -COUNTED_DIGITS);
  return {
    uuid: () => `${head}${(drawn++).toString(16).padStart(COUNTED_DIGITS, '0')}`,
    token: () => digestOf(`sandbox token ${seed} ${drawn++}`),
  };
}
