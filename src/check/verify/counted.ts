import type { Arcs, OverAdmission, WrongfulRefusal } from '../certificates/certificate.ts';
import type { Stamps } from './raw/raw.ts';

/** The values that a certificate has to print, recomputed (`isAsCounted`). */
export interface Recounted {
  readonly members: CountedMembers;
  /** For every exchange that the certificate names. */
  readonly stamps: readonly Stamps[];
}

/** The computed members of each kind of certificate. */
type CountedMembers =
  | Pick<OverAdmission, 'because' | 'spanUs' | 'observed' | 'possible' | 'exchanges'>
  | Pick<WrongfulRefusal, 'because' | 'refusal' | 'lookBackUs' | 'observed' | 'needed' | 'exchanges'>
  | Pick<Arcs, 'because' | 'arcs' | 'exchanges'>;
