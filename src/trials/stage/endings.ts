import type { ApiReply } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';

/** An end of a request, still without the times that all have. */
export type Ending = Unstamped<ApiReply>;
type Unstamped<Reply> = Reply extends ApiReply ? Omit<Reply, 'sentAt' | 'receivedAt' | 'bytes'> : never;

export const RESET: Ending = { kind: 'failed', failure: 'ECONNRESET' };

export const gatewayAnswer = (status: number, headersAt: Micros): Ending => ({
  kind: 'answer',
  status,
  headers: {},
  bodyProblem: 'not-json',
  headersAt,
});
