import { TargetProfileSchema } from '../../../api/index.ts';
import { type Exchange, profileWords } from '../../../history/index.ts';
import { exchange } from '../../../testing/history/sample-records.ts';

export const words = profileWords(
  TargetProfileSchema.parse({ errorCodes: { known: true }, limitOrder: ['rate', 'daily', 'concurrency'] }),
);
const { status: _, headersAt: __, ...unanswered } = exchange({ seq: 1 });
export const failed = (members: Partial<Exchange> = {}): Exchange => ({ ...unanswered, outcome: 'failed', ...members });
export const refused = (code?: string, members: Partial<Exchange> = {}): Exchange =>
  exchange({
    seq: 1,
    outcome: 'refused',
    status: 429,
    ...(code !== undefined && { error: { code, retryable: true, requestId: '' } }),
    ...members,
  });
