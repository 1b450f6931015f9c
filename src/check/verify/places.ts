import { type OperationId, operationIds } from '../../api/index.ts';
import { MADE_UP_TOKEN } from '../../base/index.ts';
import type { Header } from '../../history/index.ts';
import type { Certificate } from '../certificates/certificate.ts';
import type { ScopeLabels } from '../evidence/slice.ts';
import { readingNames } from '../readings/index.ts';
import type { LimitVerdict, ReadingVerdict, Verdicts } from '../verdict.ts';
import { countingsLeft, declaredLimit, hasSame, scopesLeft } from './declared.ts';
import { isOfWindows } from './rate/chain.ts';
import { countedOperations, type RawCounting } from './raw/raw.ts';

/**
 * A proof may hold and not support the statement in which it stands: requests of two users do not exceed a limit per user, and
 * what rules out a log does not rule out a token bucket. So each certificate is compared with its place in the verdicts, and with
 * what the profile declares.
 */

/** The first certificate that does not belong where it stands, or does not match what the profile declares. */
export function misplaced({ limits, refusals, findings }: Verdicts, header: Header): Certificate | undefined {
  const wrong = limits.flatMap((limit) => [
    ...limit.readings.flatMap((one) => (one.state === 'refuted' && !isOfReading(one, limit, header) ? [one] : [])),
    ...(limit.verdict === 'violated' && !isOfLimit(limit, header) ? [limit] : []),
  ]);
  const others = refusals.wrongful.flatMap(({ exchange, certificates }) =>
    certificates.filter((one) => one.refusal !== exchange || !isOfRefusal(one, limits, header)),
  );
  const found = findings.flatMap(({ certificates = [] }) =>
    certificates.filter((one) => !isOfRefusal(one, limits, header)),
  );
  return [...wrong.map(({ certificate }) => certificate), ...others, ...found][0];
}

type Refuted = Extract<ReadingVerdict, { state: 'refuted' }>;
type Violated = Extract<LimitVerdict, { verdict: 'violated' }>;

const labelsOf: Readonly<Record<string, readonly (keyof ScopeLabels)[]>> = {
  narrowest: ['application', 'user', 'token', 'conversation', 'operation'],
  conversation: ['application', 'user', 'conversation'],
  token: ['application', 'user', 'token'],
  user: ['application', 'user'],
  endpoint: ['application', 'operation'],
  application: ['application'],
  address: [],
};

function isOfScope({ scope }: Certificate, name: string): boolean {
  const isOfSeveral = name === 'token' && scope.user === undefined && scope.token !== MADE_UP_TOKEN;
  const labels = isOfSeveral ? (['token'] as const) : labelsOf[name];
  return labels?.length === Object.keys(scope).length && labels.every((label) => scope[label] !== undefined);
}

function isOfReading({ reading, because, scope, counts, certificate }: Refuted, limit: LimitVerdict, header: Header) {
  const isSame =
    certificate.limit === limit.limit &&
    certificate.reading === reading &&
    certificate.because === because &&
    certificate.counts === counts;
  return isSame && isOfScope(certificate, scope) && isDeclared(certificate, limit, header);
}

/**
 * Whether a violation rests on one proof against the declared reading or against every reading; or on separate proofs that rule
 * out all readings, of which this is one.
 */
function isOfLimit(limit: Violated, header: Header): boolean {
  const { because, certificate, declared } = limit;
  if (certificate.limit !== limit.limit || !isDeclared(certificate, limit, header)) return false;
  const isAlone = certificate.reading === (declared === 'unknown' ? 'every' : declared);
  if (isAlone && because === certificate.because && isExtreme(certificate, limit, header)) return true;
  const isOneOfAll = declared === 'unknown' ? certificate.reading !== 'every' : certificate.reading === declared;
  const saysWhy = because === certificate.because || because === 'inconsistent';
  return isOneOfAll && saysWhy && areRuledOut(limit, header);
}

/** For a refusal that no reading of the limit explains: the certificate must be about the widest bucket if the scope is unknown. */
function isOfRefusal(certificate: Certificate, limits: Verdicts['limits'], header: Header): boolean {
  const limit = limits.find((one) => one.limit === certificate.limit);
  if (!limit || !isDeclared(certificate, limit, header)) return false;
  return (
    (limit.declared === 'unknown' || certificate.reading === limit.declared) && isExtreme(certificate, limit, header)
  );
}

/** Whether it is about buckets and requests as the profile declares them; whatever the profile leaves open is possible. */
function isDeclared(certificate: Certificate, { limit, declared }: LimitVerdict, header: Header): boolean {
  const { scope, counting, known } = declaredLimit(header, limit, declared);
  if (known.scope && !isOfScope(certificate, scope)) return false;
  if (limit !== 'rate') return true;
  const says = countedOperations(certificate.counts);
  return (
    (!known.operations || hasSame(says.operations, counting.operations)) &&
    (!known.replays || says.replays === counting.replays) &&
    (!known.reading || (says.invalid === counting.invalid && says.refusedLater === counting.refusedLater))
  );
}

/**
 * Of what is unknown, the certificate must hold in any case: too many in the narrowest bucket, of what certainly counts; or
 * too few in the widest, of everything that may count. No certificate of another kind holds in any case.
 */
function isExtreme(certificate: Certificate, { limit, declared }: LimitVerdict, header: Header): boolean {
  const { counting, known } = declaredLimit(header, limit, declared);
  const isRate = limit === 'rate';
  if (certificate.because === 'inconsistent') return known.scope && (!isRate || (known.operations && known.replays));
  const isOver = certificate.because === 'over-admission';
  const narrowest = limit === 'daily' ? 'token' : 'narrowest';
  if (!known.scope && !isOfScope(certificate, isOver ? narrowest : 'address')) return false;
  if (!isRate) return true;
  // What else counts may have begun an earlier window, so that fewer lie in this one.
  if (isOver && isOfWindows(certificate) && !(known.scope && known.operations)) return false;
  const { operations, replays } = countedOperations(certificate.counts);
  if (!known.replays && replays === isOver) return false;
  if (known.operations) return true;
  if (!isOver) return [...operationIds, ...counting.operations].every((id) => operations.includes(id));
  return operations.every((id) => counting.operations.includes(id) && !UNSURE.includes(id));
}

/** Operations that may count or not if the profile does not say. */
const UNSURE: readonly OperationId[] = ['openStream', 'issueToken'];

/** Whether each reading that may be the true one is ruled out: by one proof that holds in any case, or in each case by its own. */
function areRuledOut(verdict: Violated, header: Header): boolean {
  const names = verdict.declared === 'unknown' ? readingNames(verdict.limit) : [verdict.declared];
  return names.every((name) => {
    const told = verdict.readings.filter(({ reading }) => reading === name);
    const refuted = told.flatMap((one) => (one.state === 'refuted' ? [one] : []));
    if (refuted.length < told.length) return false;
    return (
      refuted.some(({ certificate }) => isExtreme(certificate, verdict, header)) ||
      isRuledOutInEachCase(refuted, verdict, header)
    );
  });
}

/** Whether there is a refutation for every scope and every way to count that the profile leaves open. */
function isRuledOutInEachCase(refuted: readonly Refuted[], { limit, declared }: Violated, header: Header): boolean {
  const profile = declaredLimit(header, limit, declared);
  const says = refuted.map(({ counts }) => countedOperations(counts));
  const isRefuted = (scope: string, counting?: Pick<RawCounting, 'operations' | 'replays'>) =>
    refuted.some(
      (one, i) =>
        one.scope === scope &&
        (counting === undefined ||
          (says[i]?.replays === counting.replays && hasSame(says[i].operations, counting.operations))),
    );
  return scopesLeft(limit, profile).every((scope) =>
    limit === 'rate' ? countingsLeft(profile).every((one) => isRefuted(scope, one)) : isRefuted(scope),
  );
}
