import { operationIds } from '../../api/index.ts';
import { isRecord } from '../../base/index.ts';
import { boolean, type Check, count, has, number, optional, string, strings, time, timesByName } from './checks.ts';

/*
 * Nearly every line is an `exchange` or `sent` record. Hand-written checks for these take a third of the time of the table of
 * `decode.ts`.
 */

export const expectations = has({ checked: count, unmet: strings, namedStatus: optional(boolean) });
export const worker = optional(count);

const operations: ReadonlySet<unknown> = new Set(operationIds);
const isOutcome: Check = (value) =>
  value === 'answered' || value === 'refused' || value === 'failed' || value === 'censored';
const isError = optional(has({ code: string, lacks: optional(strings) }));
const isOtherwise = optional(
  has({ conversation: optional(string), rating: optional(has({ sent: string, told: string, success: boolean })) }),
);
const isHistory = optional(has({ limit: count, offset: count, items: Array.isArray }));
const isExpect = optional(expectations);
const isWait = optional(timesByName);
const isText = optional(string);
const isTime = optional(time);
const isStatus = optional(count);

export const isSent = (value: unknown): boolean =>
  isRecord(value) && count(value.seq) && operations.has(value.operation) && time(value.at) && worker(value.worker);
const isBytes = (value: unknown): boolean => isRecord(value) && count(value.sent) && count(value.received);
/** Only one operation sends messages: a record of another that has one is not what the run wrote. */
const isMessage = (value: unknown, operation: unknown): boolean =>
  value === undefined ||
  (operation === 'sendMessage' &&
    isRecord(value) &&
    string(value.id) &&
    string(value.digest) &&
    isText(value.textDigest) &&
    isText(value.text));
const isTurn = (value: unknown): boolean =>
  value === undefined ||
  (isRecord(value) &&
    string(value.id) &&
    isText(value.status) &&
    isText(value.conversation) &&
    isText(value.error) &&
    isText(value.userMessageId) &&
    isText(value.assistantMessageId) &&
    isText(value.createdAt) &&
    isText(value.updatedAt) &&
    (value.latencyMs === undefined || number(value.latencyMs)));

export function isExchange(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    count(value.seq) &&
    worker(value.worker) &&
    operations.has(value.operation) &&
    string(value.application) &&
    string(value.user) &&
    isText(value.token) &&
    isText(value.conversation) &&
    count(value.arrival) &&
    string(value.journey) &&
    count(value.step) &&
    count(value.attempt) &&
    time(value.intendedAt) &&
    isWait(value.capWaitUs) &&
    time(value.sentAt) &&
    isTime(value.headersAt) &&
    time(value.receivedAt) &&
    isTime(value.readLateUs) &&
    isOutcome(value.outcome) &&
    isStatus(value.status) &&
    isText(value.failure) &&
    isText(value.bodyProblem) &&
    isBytes(value.bytes) &&
    isText(value.date) &&
    isText(value.retryAfter) &&
    isError(value.error) &&
    isTurn(value.turn) &&
    isMessage(value.message, value.operation) &&
    isHistory(value.history) &&
    isOtherwise(value.otherwise) &&
    isExpect(value.expect)
  );
}
