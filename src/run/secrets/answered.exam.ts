import type { ApiReply } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';

/** An answer as tests of what is taken out of answers write it. */
export const answered = (status: number, body: unknown, headers: Readonly<Record<string, string>>): ApiReply => ({
  kind: 'answer',
  sentAt: 0 as Micros,
  headersAt: 1 as Micros,
  receivedAt: 1 as Micros,
  bytes: { sent: 1, received: 1 },
  status,
  headers,
  body,
});
