import type { Exchange } from '../../../history/index.ts';
import { exchange, refused, us } from '../../../testing/history/sample-records.ts';
import type { Examples } from '../finding.exam.ts';

const resumed = (seq: number, told: string | undefined, members: Partial<Exchange> = {}) =>
  exchange({
    seq,
    operation: 'createConversation',
    sentAt: us(seq * 1_000),
    status: 201,
    conversation: 'c1',
    ...(told !== undefined && { otherwise: { conversation: told } }),
    ...members,
  });

export const conversationOfAnotherId: Examples = {
  shown: [
    {
      because: 'another id is answered',
      records: [resumed(0, 'c2')],
      basis: 'specification',
      claim: 'request 0 asked for conversation c1, and the answer names conversation c2',
      exchanges: [0],
    },
    {
      because: 'another user chose the same id: it may not be this one’s',
      records: [resumed(0, undefined, { user: 'u2', token: 't2' }), resumed(1, 'c2')],
      basis: 'observation',
      claim: 'request 1 asked for conversation c1, and the answer names conversation c2',
      exchanges: [1],
    },
  ],
  notShown: [
    { because: 'the id is the one asked for', records: [resumed(0, undefined)] },
    { because: 'it is no success', records: [resumed(0, 'c2', { status: 409 })] },
    { because: 'a gateway may have said it', records: [resumed(0, 'c2', { bodyProblem: 'wrong-shape' })] },
    { because: 'it is another operation', records: [resumed(0, 'c2', { operation: 'rateAnswer', status: 200 })] },
  ],
};

const rated = (told: string, success: boolean, members: Partial<Exchange> = {}) =>
  exchange({ seq: 0, operation: 'rateAnswer', otherwise: { rating: { sent: 'down', told, success } }, ...members });

export const ratingNotTaken: Examples = {
  shown: [
    {
      because: 'another rating is answered',
      records: [rated('up', true)],
      basis: 'observation',
      claim: 'the rating down of request 0 was answered with up',
      exchanges: [0],
    },
    {
      because: 'the answer says that it was not taken',
      records: [rated('down', false)],
      basis: 'observation',
      claim: 'the rating down of request 0 was answered with down, and success: false',
      exchanges: [0],
    },
  ],
  notShown: [
    { because: 'the answer says the same', records: [exchange({ seq: 0, operation: 'rateAnswer' })] },
    { because: 'it is no success', records: [rated('up', true, { status: 500 })] },
  ],
};

const lacking = (lacks: readonly string[]) => ({
  bodyProblem: 'wrong-shape',
  error: { code: 'rate_limited', lacks },
});

export const errorEnvelopeIncomplete: Examples = {
  shown: [
    {
      because: 'a 429 has no request_id, or one that is no UUID',
      records: [refused(0, 0, undefined, lacking(['request_id']))],
      basis: 'observation',
      claim:
        '1 answer with status 429 and the code rate_limited had no request_id of the form that the specification requires (first: request 0)',
      exchanges: [0],
    },
    {
      because: 'the same twice is told once',
      records: [
        exchange({ seq: 1, sentAt: us(5_000), status: 401, ...lacking(['message', 'retryable']) }),
        exchange({ seq: 0, status: 401, ...lacking(['message', 'retryable']) }),
      ],
      basis: 'observation',
      claim:
        '2 answers with status 401 and the code rate_limited had no message and no retryable of the form that the specification requires (first: request 0)',
      exchanges: [0],
    },
  ],
  notShown: [
    { because: 'nothing is lacking', records: [refused(0, 0, 'rate_limited')] },
    {
      because: 'older journals do not say what is lacking',
      records: [refused(0, 0, undefined, { bodyProblem: 'wrong-shape', error: { code: 'rate_limited' } })],
    },
  ],
};
