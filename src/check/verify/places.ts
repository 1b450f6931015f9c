import { type OperationId, operationIds } from '../../api/index.ts';
import type { Header } from '../../history/index.ts';
import type { Certificate } from '../certificate.ts';
import type { ScopeLabels } from '../slice.ts';
import type { LimitVerdict, ReadingVerdict, Verdicts } from '../verdict.ts';
import { countedOperations } from './raw.ts';

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
  const labels = labelsOf[name];
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
  const { certificate, declared, readings } = limit;
  if (certificate.limit !== limit.limit || !isDeclared(certificate, limit, header)) return false;
  if (declared !== 'unknown') return certificate.reading === declared;
  if (certificate.reading === 'every') return isExtreme(certificate, header);
  return readings.length > 0 && readings.every(({ state }) => state === 'refuted');
}

/** For a refusal that no reading of the limit explains: the certificate must be about the widest bucket if the scope is unknown. */
function isOfRefusal(certificate: Certificate, limits: Verdicts['limits'], header: Header): boolean {
  const limit = limits.find((one) => one.limit === certificate.limit);
  if (!limit || !isDeclared(certificate, limit, header)) return false;
  return limit.declared !== 'unknown' ? certificate.reading === limit.declared : isExtreme(certificate, header);
}

interface DeclaredLimit {
  readonly scope?: unknown;
  readonly scopeKnown?: unknown;
  readonly counts?: unknown;
  readonly countsReplays?: unknown;
  readonly countsInvalid?: unknown;
  readonly countsRefusedLater?: unknown;
}

function declaredOf({ profile }: Header, limit: Certificate['limit']): DeclaredLimit {
  return (profile as { limits?: Partial<Record<string, DeclaredLimit>> } | null)?.limits?.[limit] ?? {};
}

const scopesOf: Readonly<Record<Certificate['limit'], readonly string[]>> = {
  rate: ['application', 'user', 'token', 'conversation', 'address'],
  concurrency: ['application', 'user', 'token', 'conversation'],
  daily: ['application', 'user', 'token'],
};

const scopeOf = ({ scope }: DeclaredLimit, limit: Certificate['limit']): string =>
  scopesOf[limit].find((name) => name === scope) ?? 'application';

/**
 * Whether it is about buckets and requests as the profile declares; if no reading is declared, whatever the profile leaves open
 * is possible.
 */
function isDeclared(certificate: Certificate, { declared }: LimitVerdict, header: Header): boolean {
  const profile = declaredOf(header, certificate.limit);
  const isKnown = declared !== 'unknown' || profile.scopeKnown === true;
  if (isKnown && !isOfScope(certificate, scopeOf(profile, certificate.limit))) return false;
  if (certificate.limit !== 'rate' || declared === 'unknown') return true;
  const says = countedOperations(certificate.counts);
  return (
    hasSame(says.operations, operationsOf(profile)) &&
    says.replays === (profile.countsReplays !== false) &&
    says.invalid === answerOf(profile.countsInvalid) &&
    says.refusedLater === answerOf(profile.countsRefusedLater)
  );
}

const answerOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

function operationsOf({ counts }: DeclaredLimit): readonly OperationId[] {
  const isList = Array.isArray(counts) && counts.every((id) => operationIds.includes(id));
  return isList ? counts : operationIds.filter((id) => id !== 'issueToken');
}

const hasSame = (a: readonly OperationId[], b: readonly OperationId[]): boolean =>
  new Set(a).size === new Set(b).size && a.every((id) => b.includes(id));

/**
 * If something is unknown, the certificate must hold in any case: too many in the narrowest bucket, of what certainly counts; or
 * too few in the widest, of everything that may count.
 */
function isExtreme(certificate: Certificate, header: Header): boolean {
  const profile = declaredOf(header, certificate.limit);
  const isOver = certificate.because === 'over-admission';
  const narrowest = certificate.limit === 'daily' ? 'token' : 'narrowest';
  const isScope = profile.scopeKnown === true || isOfScope(certificate, isOver ? narrowest : 'address');
  if (certificate.limit !== 'rate' || !isScope) return isScope;
  const { operations, replays } = countedOperations(certificate.counts);
  const declared = operationsOf(profile);
  const unsure: readonly OperationId[] = ['openStream', 'issueToken'];
  if (!isOver) return replays && [...operationIds, ...declared].every((id) => operations.includes(id));
  return !replays && operations.every((id) => declared.includes(id) && !unsure.includes(id));
}
