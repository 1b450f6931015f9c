import { createHash } from 'node:crypto';
import { uuidFrom } from '../base/index.ts';

/** Where identifiers and tokens come from. The shell's are random; a simulation's come from its seed. */
export interface Ids {
  /** A UUID, different at every call. */
  uuid(): string;
  /** An opaque token that nobody can guess (or, from a seed, nobody outside the simulation). */
  token(): string;
}

/** Identifiers that are a pure function of the seed and of how many were drawn before. */
export function seededIds(seed: number): Ids {
  let drawn = 0;
  return {
    uuid: () => uuidFrom('sandbox', seed, drawn++),
    token: () => createHash('sha256').update(`sandbox token ${seed} ${drawn++}`).digest('base64url'),
  };
}
