import type { Certificate, OverAdmission, WrongfulRefusal } from '../../certificates/certificate.ts';
import type { Recounted } from '../counted.ts';
import type { RawHistory } from '../raw/raw-history.ts';
import { countedAccepted, holdsAccepted } from './daily-accepted.ts';
import { bucketOf } from './daily-bucket.ts';
import { countedBefore, holdsBefore } from './daily-refused.ts';

/** Whether a certificate of the day quota holds: messages are counted one by one, day by day. */
export function verifiesDaily(certificate: Certificate, history: RawHistory): boolean {
  if ('arcs' in certificate || certificate.max !== history.header.limits.daily.max) return false;
  const bucket = bucketOf(certificate, history);
  return certificate.because === 'wrongful-refusal'
    ? holdsBefore(certificate, bucket)
    : holdsAccepted(certificate, bucket);
}

/** What a certificate of the day quota has to print, given its reading, its bucket and the exchanges that it names. */
export function countedMessages(
  certificate: OverAdmission | WrongfulRefusal,
  history: RawHistory,
): Recounted | undefined {
  const bucket = bucketOf(certificate, history);
  return certificate.because === 'wrongful-refusal'
    ? countedBefore(certificate, bucket)
    : countedAccepted(certificate, bucket);
}
