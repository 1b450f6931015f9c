import { expect } from 'vitest';
import type { SandboxSettings } from '../config.ts';
import { CoreClient, otherConversationId } from '../core-client.exam.ts';

export const hours = 3_600_000;
/** One microsecond, in milliseconds. */
export const us = 0.001;

export type Limits = NonNullable<SandboxSettings['limits']>;
/** Only the given limits. */
export const only = (limits: Limits): Limits => ({ rate: [], concurrency: [], daily: [], ...limits });
/** A client with two conversations, created early enough that they no longer count towards the limits. */
export function clientOf(limits: Limits, settings: Omit<SandboxSettings, 'limits'> = {}): CoreClient {
  const client = new CoreClient({ tokenLifetime: '30d', ...settings, limits: only(limits) });
  expect(client.at(-48 * hours).converse().status).toBe(201);
  expect(client.at(-24 * hours).converse({ conversation_id: otherConversationId }).status).toBe(201);
  return client.at(0);
}
export const sendTo = (client: CoreClient, conversation_id: string, id: string) =>
  client.call('sendMessage', { parameters: { conversation_id }, json: { client_message_id: id, message: 'text' } });
export const outcomes = (count: number, act: (index: number) => { status: number; code?: string }) =>
  Array.from({ length: count }, (_, index) => act(index)).map(({ status, code }) => code ?? status);
export const truthOf = (client: CoreClient) => client.core.truth(client.now).limits;
