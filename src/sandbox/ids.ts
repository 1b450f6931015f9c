import { uuidFrom } from '../base/index.ts';
import { digestOf } from './digest.ts';

/** Source of identifiers and tokens: random in the shell, seeded in simulations. */
export interface Ids {
  /** A new UUID at every call. */
  uuid(): string;
  /** An opaque token. Unguessable if random; predictable if seeded. */
  token(): string;
}

/** Identifiers that depend only on the seed and on how many were drawn before. */
export function seededIds(seed: number): Ids {
  let drawn = 0;
  return {
    uuid: () => uuidFrom('sandbox', seed, drawn++),
    token: () => digestOf(`sandbox token ${seed} ${drawn++}`),
  };
}
