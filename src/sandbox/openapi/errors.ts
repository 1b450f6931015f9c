import { type OperationId, operations } from '../../api/index.ts';
import { type ErrorCode, errorCodes, refusal } from '../replies.ts';
import { reference } from './schemas.ts';

/** The meaning of each code, and an example of a message. */
const meanings: Readonly<Record<ErrorCode, { readonly means: string; readonly message: string }>> = {
  unauthorized: {
    means: 'The credentials are absent, invalid, expired or revoked.',
    message: 'the user token has expired',
  },
  not_found: { means: 'The resource does not exist, or it is not yours.', message: 'no such turn' },
  payload_too_large: {
    means: 'The body is larger than allowed.',
    message: 'the body must not exceed 65536 bytes',
  },
  invalid_request: { means: 'A parameter or the payload is not valid.', message: 'body.message: is required' },
  message_id_reused: {
    means: 'The client_message_id was used before with other content; no slot and no message of the day was consumed.',
    message: 'client_message_id was used before with other content',
  },
  rate_limited: { means: 'Too many requests.', message: 'too many requests in this window' },
  concurrency_limited: { means: 'Too many turns in process.', message: 'too many messages are being processed' },
  daily_quota_exceeded: {
    means: 'No new messages are left for today.',
    message: 'the daily quota of new messages is used up',
  },
  internal: { means: 'The service failed.', message: 'the store cannot be reached' },
  bad_gateway: {
    means: 'The answer was lost on its way; the request may have been decided.',
    message: 'the answer was lost',
  },
  unavailable: { means: 'Not available at present.', message: 'not available at present' },
};

const exampleRequestId = '3f0c1f6e-8f0b-4b52-9a5e-6d8f0c2a7b11';

/** `components.examples`: one envelope per code. */
export function errorExamples(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(meanings).map(([code, { means, message }]) => [
      code,
      { summary: means, value: refusal(code as ErrorCode, message, exampleRequestId).body },
    ]),
  );
}

function codesOf(operation: OperationId): readonly ErrorCode[] {
  const row = operations[operation];
  const messages = operation === 'sendMessage';
  return [
    'unauthorized',
    ...(row.path.includes('{') ? (['not_found'] as const) : []),
    ...('request' in row ? (['payload_too_large'] as const) : []),
    'invalid_request',
    ...(messages ? (['message_id_reused'] as const) : []),
    'rate_limited',
    ...(messages ? (['concurrency_limited', 'daily_quota_exceeded'] as const) : []),
    'internal',
    'bad_gateway',
    'unavailable',
  ];
}

/** The error responses of an operation by status, each with an example per code. */
export function errorResponses(operation: OperationId): Record<string, object> {
  const codes = codesOf(operation);
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))];
  const byStatus = statuses.map((status) => {
    const those = codes.filter((code) => errorCodes[code].status === status);
    return [String(status), errorResponse(status, those, those.map((code) => meanings[code].means).join(' '))] as const;
  });
  return Object.fromEntries([
    [
      '400',
      errorResponse(400, ['invalid_request'], 'The request is malformed, for example because a header occurs twice.'),
    ],
    ...byStatus,
    ['default', errorResponse(0, ['invalid_request'], 'Any other refusal of the server: 408, 417, 431.')],
  ]);
}

/** Headers besides Date. Limits are checked after credentials and size and before validity; 5xx answers may lack their headers. */
const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  404: ['RateLimit', 'RateLimit-Policy'],
  422: ['RateLimit', 'RateLimit-Policy'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
};

/** @param status 0: the default response */
function errorResponse(status: number, codes: readonly ErrorCode[], description: string): object {
  return {
    description,
    headers: headerReferences(['Date', ...(headersByStatus[status] ?? [])]),
    content: {
      'application/json': {
        schema: reference('ErrorEnvelope'),
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

export const headerReferences = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
