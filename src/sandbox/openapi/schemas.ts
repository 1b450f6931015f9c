import { z } from 'zod';
import {
  Conversation,
  ConversationRequest,
  ErrorEnvelope,
  ErrorMembers,
  Feedback,
  FeedbackRequest,
  History,
  SendMessageAccepted,
  SendMessageRequest,
  TokenRequest,
  TokenResponse,
  Turn,
  TurnEvent,
  TurnMessage,
} from '../../api/index.ts';

/** The named shapes of the document. */
const named = {
  TokenRequest,
  TokenResponse,
  ConversationRequest,
  Conversation,
  SendMessageRequest,
  SendMessageAccepted,
  Turn,
  TurnMessage,
  TurnEvent,
  History,
  FeedbackRequest,
  Feedback,
  ErrorEnvelope,
  ErrorMembers,
} as const satisfies Record<string, z.ZodType>;
type SchemaName = keyof typeof named;

/** Keywords and descriptions for what zod's JSON Schema cannot express, such as refinements. */
const said: Partial<Record<SchemaName, Readonly<Record<string, object>>>> = {
  TokenRequest: {
    external_user_id: { description: "The partner's own identifier of the end user." },
    locale: { description: 'A BCP 47 language tag, such as fr-CH.' },
    timezone: { description: 'An IANA time zone name, such as Europe/Paris; UTC when absent.' },
  },
  TokenResponse: { expires_in: { description: 'Seconds.' } },
  ConversationRequest: {
    conversation_id: { description: 'Chosen by the client; makes the call idempotent.' },
  },
  SendMessageRequest: {
    client_message_id: {
      description: 'Chosen by the client. Sent again with the same content, it returns the same turn.',
    },
    location: { description: 'At least one member.', minProperties: 1 },
  },
  Turn: {
    status: { description: 'queued, processing, completed or failed.' },
    message: { description: 'Only when completed.' },
    error: { description: 'Only when failed.' },
  },
  TurnEvent: {
    type: { description: 'turn.status, answer.delta, turn.completed or turn.failed.' },
    at: { description: "The event's instant on the service's clock." },
  },
  History: { messages: { description: 'Oldest first.' } },
  ErrorMembers: { retryable: { description: 'Whether retrying is appropriate.' } },
};

export const reference = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

/** The reference to a shape of the table of operations. @throws Error if it has no name, which is a bug */
export function referenceTo(shape: z.ZodType): { readonly $ref: string } {
  const name = Object.entries(named).find(([, each]) => each === shape)?.[0];
  if (name === undefined) throw new Error('a shape of the table of operations has no name in the document');
  return reference(name as SchemaName);
}

interface ObjectSchema {
  [key: string]: unknown;
  properties?: Record<string, object>;
}

/** `components.schemas`. Omits patterns that only repeat a format. */
export function componentSchemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(named)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'uuid' || jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema, $id, ...rest } = schema as ObjectSchema;
      return [name, described(rest, said[name as SchemaName] ?? {})];
    }),
  );
}

function described(schema: ObjectSchema, more: Readonly<Record<string, object>>): object {
  const properties = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, { ...value, ...more[key] }]);
  return { ...schema, ...(properties.length > 0 && { properties: Object.fromEntries(properties) }) };
}
