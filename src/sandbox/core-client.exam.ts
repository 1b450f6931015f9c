import type { OperationId } from '../api/index.ts';
import { type Micros, microsFromMillis } from '../base/index.ts';
import { type SandboxSettings, settle } from './config.ts';
import { type Core, createCore } from './core.ts';
import { seededIds } from './ids.ts';
import type { Outcome } from './replies.ts';
import type { RequestBody } from './request.ts';
import type { Store } from './store.ts';

/** An answer in the form that tests assert. */
export interface Seen {
  readonly status: number;
  readonly code?: string;
  readonly message?: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the members themselves
  readonly body: any;
  readonly events: readonly { at: Micros; event: Record<string, unknown> }[];
}

export interface CallOptions {
  readonly parameters?: Record<string, string>;
  readonly query?: Record<string, unknown>;
  readonly json?: unknown;
  readonly body?: RequestBody;
  readonly contentType?: string;
  /** Default: the client's token. null: no header. */
  readonly authorization?: string | null;
  readonly webSocket?: boolean;
}

export const applications = [
  { label: 'a1', clientId: 'one', clientSecret: 'secret-one' },
  { label: 'a2', clientId: 'two', clientSecret: 'secret-two' },
];
export const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
/** Noon, which is also the start of a minute. */
export const noon = (Date.UTC(2026, 10, 21, 12) * 1_000) as Micros;
export const conversationId = '0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a01';
export const otherConversationId = '1c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a02';
/** Of nothing that the service knows. */
export const unknownId = 'ffffffff-ffff-4fff-bfff-ffffffffffff';
/** Queued for 1 s, processing for 4 s. */
const fixedLatency = {
  queued: { distribution: 'constant', value: '1s' },
  processing: { distribution: 'constant', value: '4s' },
} as const;

/** A user of a core in virtual time. `at` sets the clock; every other method sends one request. */
export class CoreClient {
  readonly core: Core;
  now = noon;
  token = '';

  constructor(settings: SandboxSettings = {}, seed = 5, store?: Store) {
    const config = settle({ latency: fixedLatency, applications, ...settings });
    this.core = createCore({ config, applications, ids: seededIds(seed), ...(store && { store }) });
    this.token = this.login();
  }

  /** Sets the clock to this long after noon. */
  at(ms: number): this {
    this.now = (noon + microsFromMillis(ms)) as Micros;
    return this;
  }

  login(user = 'u1', application = applications[0]): string {
    const { clientId = '', clientSecret = '' } = application ?? {};
    const authorization = basic(clientId, clientSecret);
    return String(this.call('issueToken', { authorization, json: { external_user_id: user } }).body.access_token);
  }

  /** The core's outcome, with its delivery. */
  outcome(operation: OperationId | undefined, options: CallOptions = {}): Outcome {
    const { parameters = {}, query, json, contentType, webSocket } = options;
    const authorization = options.authorization === undefined ? `Bearer ${this.token}` : options.authorization;
    const body =
      options.body ?? (json === undefined ? { kind: 'absent' as const } : { kind: 'json' as const, value: json });
    return this.core.answer(
      {
        ...(operation && { route: { operation, parameters } }),
        ...(query && { query }),
        ...(authorization !== null && { authorization }),
        ...(contentType !== undefined && { contentType }),
        body,
        ...(webSocket !== undefined && { webSocket }),
      },
      this.now,
    );
  }

  call(operation: OperationId | undefined, options: CallOptions = {}): Seen {
    const answer = this.outcome(operation, options);
    if (answer.kind === 'silence') throw new Error(`there is no answer, but a ${answer.ending}`);
    const { status, headers } = answer;
    if (answer.kind === 'stream') return { status, headers, body: undefined, events: answer.events };
    // Through JSON, so that tests see what a client sees.
    const seen = JSON.parse(JSON.stringify(answer.body));
    return {
      status,
      headers,
      body: seen,
      events: [],
      ...(seen.error && status >= 400 && { code: seen.error.code, message: seen.error.message }),
    };
  }

  converse(json: object = { conversation_id: conversationId }): Seen {
    return this.call('createConversation', { json });
  }

  send(id: string, message = `text of ${id}`, more: object = {}): Seen {
    return this.call('sendMessage', {
      parameters: { conversation_id: conversationId },
      json: { client_message_id: id, message, ...more },
    });
  }

  turn(turnId: string): Seen {
    return this.call('readTurn', { parameters: { turn_id: turnId } });
  }

  stream(turnId: string): Seen {
    return this.call('openStream', { parameters: { turn_id: turnId }, webSocket: true });
  }

  history(query: Record<string, unknown> = {}): Seen {
    return this.call('readHistory', { parameters: { conversation_id: conversationId }, query });
  }

  rate(messageId: string, rating = 'up'): Seen {
    return this.call('rateAnswer', { parameters: { message_id: messageId }, json: { rating } });
  }
}
