import { isRefusal } from '../../api/index.ts';
import type { Exchange, ProfileWords } from '../../history/index.ts';

/** Reasons why records were not believed, with their numbers: `{"answered without headers": 2}`. */
export type Skipped = Readonly<Record<string, number>>;

/** In place of the answer's outcome: it may have been meant for an earlier request. */
export const MISLED = 'misled';

/** No run has higher sequence or worker numbers. */
const MAX_SEQ = 2 ** 40;
const MAX_WORKER = 4_096;

/**
 * What is impossible about an exchange; `undefined` if it is believable. A doubtful exchange supports no accusation, and is
 * treated as a request that may have been decided at any time.
 */
export function doubtAbout(exchange: Exchange, words: Pick<ProfileWords, 'errorCodes'>): string | undefined {
  const { sentAt, headersAt, receivedAt, outcome, status } = exchange;
  if (exchange.failure === MISLED) return 'answered on a connection with data that no request had asked for';
  if (exchange.seq >= MAX_SEQ || (exchange.worker ?? 0) >= MAX_WORKER) return 'impossible sequence number';
  if (sentAt < 0) return 'sent before the run';
  if (receivedAt < sentAt || (headersAt !== undefined && headersAt < sentAt)) return 'received before it was sent';
  if (headersAt !== undefined && headersAt > receivedAt) return 'headers after the last byte';
  const answered = outcome === 'answered' || outcome === 'refused';
  if (answered && (headersAt === undefined || status === undefined)) return 'answered without a status line';
  if (!answered && status !== undefined) return 'unanswered with a status';
  if (status !== undefined && !isHttpStatus(status)) return 'impossible status';
  if (answered && (outcome === 'refused') !== isRefusal(words, exchange)) return 'outcome contradicts the status';
  if (exchange.resend !== undefined && !sendsMessage(exchange)) return 'resend without a message';
  return undefined;
}

/** Three digits, as HTTP has them. */
const isHttpStatus = (status: number): boolean => status >= 100 && status <= 999;

const sendsMessage = ({ operation, message }: Exchange): boolean =>
  operation === 'sendMessage' && message !== undefined;
