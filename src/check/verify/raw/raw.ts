import { bearerOperationIds as bearer, type LimitName, type OperationId, operationIds } from '../../../api/index.ts';
import { MADE_UP_TOKEN } from '../../../base/index.ts';
import { type Exchange, type Header, type ProfileWords, profileWords } from '../../../history/index.ts';
import type { Certificate, ExchangeRef } from '../../certificates/certificate.ts';
import { doubtAbout } from '../../evidence/doubt.ts';
import type { ScopeLabels } from '../../evidence/slice.ts';
import type { Timeline } from '../../evidence/timeline.ts';

/**
 * What the verifier takes from a raw exchange. Written separately from the evidence that the readings judge, so that a mistake
 * there does not verify itself.
 */

/** When the service decided, service µs since run time 0. */
export interface Decided {
  readonly from: number;
  readonly to: number;
}

/** Run times: when an exchange was sent, and by when it may have been decided. */
export interface Stamps {
  readonly sentAt: number;
  readonly until: number;
}

export function stampsOfExchange(exchange: Exchange, { clock }: Header): Stamps {
  const { sentAt, headersAt, receivedAt } = exchange;
  const seen = headersAt === undefined ? receivedAt : headersAt + 1;
  return { sentAt, until: endsTheMatter(exchange) ? seen : Math.max(seen, sentAt + clock.maxServerDelayUs) };
}

export const refOfExchange = ({ seq, worker }: Pick<Exchange, 'seq' | 'worker'>): ExchangeRef =>
  worker === undefined || worker === 0 ? seq : `${worker}:${seq}`;

/** @param doubted whether its sequence number occurs twice */
export function decidedWithin(exchange: Exchange, header: Header, timeline: Timeline, doubted: boolean): Decided {
  if (doubted || doubtAbout(exchange, profileWords(header.profile)) !== undefined)
    return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  const from = timeline.at(exchange.sentAt);
  const seen = exchange.headersAt === undefined ? exchange.receivedAt : exchange.headersAt + 1;
  if (endsTheMatter(exchange)) return { from, to: timeline.at(seen) };
  const delay = header.clock.maxServerDelayUs;
  return { from, to: Math.max(timeline.at(seen), timeline.at(exchange.sentAt + delay), from + delay) };
}

/** Until when requests sent before the run may still be decided; −∞ if the limit had counted nothing. */
export function ownSince(limit: LimitName, header: Header, { at }: Timeline): number {
  const delay = header.clock.maxServerDelayUs;
  return header.flushed[limit] === true ? Number.NEGATIVE_INFINITY : Math.max(at(delay), at(0) + delay);
}

/**
 * Whether the service no longer acts after this answer; errors of 500 and above that the profile does not say to be refusals, and
 * unusable bodies, may be an intermediary's.
 */
export const endsTheMatter = ({ headersAt, status, bodyProblem, outcome }: Exchange): boolean =>
  headersAt !== undefined &&
  bodyProblem === undefined &&
  status !== undefined &&
  status > 0 &&
  (status < 500 || outcome === 'refused');

export const inScope = (exchange: Exchange, scope: ScopeLabels): boolean =>
  (Object.entries(scope) as [keyof ScopeLabels, string][]).every(([label, value]) => exchange[label] === value);

/**
 * Operations whose exchanges need not count in a scope although they have its labels: a token request names its user and has no
 * token, and one that creates a conversation names it before it exists.
 */
export const needNotShare = ({ user, conversation }: ScopeLabels): readonly OperationId[] => [
  ...(user === undefined ? [] : (['issueToken'] as const)),
  ...(conversation === undefined ? [] : (['createConversation'] as const)),
];

export type Labels = Partial<Record<keyof ScopeLabels, string | undefined>>;

const userKey = ({ application, user }: Labels) => JSON.stringify([application, user]);

/** The user of a scope, and all who name a conversation of the same identifier: for the service it may be one conversation. */
export function usersIn(scope: ScopeLabels, all: Iterable<Labels>): ReadonlySet<string> {
  const users = new Set([userKey(scope)]);
  if (scope.conversation === undefined) return users;
  for (const labels of all) if (labels.conversation === scope.conversation) users.add(userKey(labels));
  return users;
}

/**
 * Whether an exchange without the labels of a scope may count there: a label that it lacks may be any, and several conversations
 * may be one for the service.
 * @param users result of `usersIn`
 */
export function mayShare(labels: Labels, scope: ScopeLabels, users: ReadonlySet<string>): boolean {
  if (scope.operation !== undefined) return false;
  if (scope.conversation !== undefined && labels.conversation === scope.conversation) return true;
  const unnamed = scope.conversation === undefined ? labels.token : labels.conversation;
  if (unnamed !== undefined || (scope.token === undefined && scope.conversation === undefined)) return false;
  // A token that several users have names none.
  return scope.user === undefined || users.has(userKey(labels));
}

/**
 * A service that counts by user knows users by their tokens: of a token that several have, it may know another one than the
 * journal names. Then too many of the only token of a user are still too many, and nothing else is proven.
 */
export function isOfKnownUser({ scope, because, rule }: Certificate, labels: () => readonly Labels[]): boolean {
  const isByUser = scope.user !== undefined && scope.token === undefined && scope.conversation === undefined;
  if (!isByUser) return true;
  const all = labels();
  const isOwn = ({ application, user }: Labels) => user === scope.user && application === scope.application;
  const tokens = new Set(all.flatMap((one) => (isOwn(one) && one.token !== undefined ? [one.token] : [])));
  tokens.delete(MADE_UP_TOKEN);
  const isShared = all.some((one) => !isOwn(one) && one.token !== undefined && tokens.has(one.token));
  const needsAll =
    rule === 'fixed-window-anchored-chain' || rule === 'fixed-window-anchored-fit' || rule === 'first-use-day-chain';
  return !isShared || (because === 'over-admission' && !needsAll && tokens.size === 1);
}

/** What the name of a way to count says: the operations, and whether unsuccessful or repeated attempts count. */
export interface RawCounting {
  readonly operations: readonly OperationId[];
  readonly replays: boolean;
  /** Absent: unknown. */
  readonly invalid?: boolean;
  readonly refusedLater?: boolean;
}

export function countedOperations(counts: string): RawCounting {
  const [name = '', ...says] = counts.split(', ');
  const answer = (what: string): boolean | undefined =>
    says.includes(`${what} counted`) ? true : says.includes(`${what} free`) ? false : undefined;
  const [invalid, refusedLater] = [answer('invalid'), answer('refused later')];
  return {
    operations: operationsNamed(name),
    replays: !says.includes('replays free'),
    ...(invalid !== undefined && { invalid }),
    ...(refusedLater !== undefined && { refusedLater }),
  };
}

function operationsNamed(name: string): readonly OperationId[] {
  if (name === 'all') return operationIds;
  if (name === 'bearer') return bearer;
  if (!name.startsWith('bearer without ')) return operationIds.filter((id) => name.split(' ').includes(id));
  const lacking = name.slice('bearer without '.length).split(' and ');
  return bearer.filter((id) => !lacking.includes(id));
}

/** A request that the service found invalid, or whose subject does not exist, and that is no resend. */
export const wasInvalid = ({ outcome, status, bodyProblem, resend }: Exchange): boolean =>
  outcome === 'answered' && (status === 404 || status === 422) && bodyProblem === undefined && resend === undefined;

export const wasAdmitted = (exchange: Exchange, words: ProfileWords): boolean =>
  saysAdmitted(exchange, words) && doubtAbout(exchange, words) === undefined;

/** Like `wasAdmitted`, for a believable exchange. */
export function saysAdmitted({ outcome, status, bodyProblem, operation }: Exchange, words: ProfileWords): boolean {
  if (outcome !== 'answered' || status === undefined || bodyProblem !== undefined) return false;
  return words.success[operation].includes(status);
}

/** Refused by the service itself, by whichever limit. */
export const wasRefused = ({ outcome, bodyProblem }: Exchange): boolean =>
  outcome === 'refused' && bodyProblem === undefined;

/** Statuses with which a request certainly had no effect, if they are the service's own. */
export const REJECTED = new Set([401, 404, 413, 422]);
