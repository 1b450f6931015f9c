import { type Operation, type OperationId, operationIds, operations } from '../../api/index.ts';
import { historyPage } from '../handlers/read-history.ts';
import { errorResponses, headerReferences } from './errors.ts';
import { type Example, examples } from './examples.ts';
import { reference, referenceTo } from './schemas.ts';

/** Texts that the table of operations lacks. */
interface Words {
  readonly tag: 'Authentication' | 'Conversations' | 'Messages';
  readonly description: string;
  readonly success: string;
}

const words: Readonly<Record<OperationId, Words>> = {
  issueToken: {
    tag: 'Authentication',
    description: 'Exchanges the client id and secret for an opaque, short-lived user token.',
    success: 'The token. Older ones stay valid until they expire.',
  },
  createConversation: {
    tag: 'Conversations',
    description:
      'With a conversation_id of your own, the call creates or resumes that conversation and is idempotent. The first title is kept.',
    success: 'The conversation, created or resumed.',
  },
  sendMessage: {
    tag: 'Messages',
    description:
      'The answer is produced asynchronously, as a turn. The same client_message_id with the same content returns the same turn and costs none of the daily quota.',
    success: 'Accepted as a turn.',
  },
  readTurn: {
    tag: 'Messages',
    description: 'Read until status is completed or failed.',
    success: 'The current state of the turn.',
  },
  openStream: {
    tag: 'Messages',
    description:
      'A WebSocket handshake (RFC 6455, version 13) with the user token in the Authorization header. It counts as a request. After the last event the service closes with code 1000.',
    success: 'Switched to WebSocket. Each text message from then on is one event of this shape, as JSON.',
  },
  readHistory: {
    tag: 'Conversations',
    description:
      'The messages of a conversation in chronological order; an answer appears when its turn has completed.',
    success: 'A page of the history.',
  },
  rateAnswer: {
    tag: 'Messages',
    description: 'Rating again replaces the rating.',
    success: 'Rated.',
  },
};

/** `paths` of the document. */
export function pathItems(): Record<string, object> {
  const shown = examples();
  const paths: Record<string, Record<string, object>> = {};
  for (const id of operationIds) {
    const { path, method } = operations[id];
    paths[path] = { ...paths[path], [method.toLowerCase()]: pathOperation(id, shown[id]) };
  }
  return paths;
}

function pathOperation(id: OperationId, example: Example): object {
  const row: Operation = operations[id];
  const { tag, description, success } = words[id];
  const parameters = [...pathParameters(row.path, example), ...(id === 'readHistory' ? queryParameters() : [])];
  return {
    operationId: id,
    summary: row.summary,
    description,
    tags: [tag],
    security: [row.auth === 'basic' ? { applicationCredentials: [] } : { userToken: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(row.request && {
      requestBody: { required: true, content: json(referenceTo(row.request), example.request) },
    }),
    responses: {
      [row.success]: {
        description: success,
        headers: headerReferences(['Date', 'RateLimit', 'RateLimit-Policy']),
        content: json(row.response ? referenceTo(row.response) : reference('TurnEvent'), example.response),
      },
      ...errorResponses(id),
    },
  };
}

const json = (schema: object, example: unknown) => ({ 'application/json': { schema, example } });

function pathParameters(path: string, { response }: Example): object[] {
  const shown = (response ?? {}) as Record<string, unknown>;
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: shown[name] ?? '0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a01',
  }));
}

const queryParameters = (): object[] => [
  {
    name: 'limit',
    in: 'query',
    description: 'How many messages.',
    schema: { type: 'integer', ...historyPage.limit },
    example: 50,
  },
  {
    name: 'offset',
    in: 'query',
    description: 'How many messages are skipped, from the oldest.',
    schema: { type: 'integer', ...historyPage.offset },
    example: 0,
  },
];
