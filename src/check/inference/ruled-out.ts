import type { Certificate, ExchangeRef } from '../certificates/certificate.ts';
import { type ReadingJudgement, refutation } from '../judging/judge-reading.ts';
import type { RuledOut } from './inference.ts';

/** What rules the reading out: the first proof against it, preferably under the declared variant. */
export function ruledOutBy(reading: string, told: readonly ReadingJudgement[]): RuledOut[] {
  const certificate = told.flatMap((one) => refutation(one) ?? [])[0];
  if (!certificate) return [];
  const refs = exchangesOf(certificate);
  const [from, to] = [refs[0], refs[refs.length - 1]];
  return from === undefined || to === undefined ? [] : [{ reading, because: certificate.because, from, to }];
}

/** Sorted by number. */
function exchangesOf(certificate: Certificate): readonly ExchangeRef[] {
  const refs = 'refusal' in certificate ? [...certificate.exchanges, certificate.refusal] : [...certificate.exchanges];
  const number = (ref: ExchangeRef) => (typeof ref === 'number' ? ref : Number(ref.split(':')[1]));
  return refs.sort((a, b) => number(a) - number(b));
}
