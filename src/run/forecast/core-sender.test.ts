import { describe, expect, it } from 'vitest';
import { type ApiCall, type ApiReply, type StreamEvent, sandboxProfile } from '../../api/index.ts';
import { type Micros, microsFromSeconds, VirtualClock } from '../../base/index.ts';
import { createCore, seededIds, settle } from '../../sandbox/index.ts';
import { coreSender } from './core-sender.ts';

const startUs = Date.UTC(2026, 10, 21, 12) * 1_000;
const conversation_id = '0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a01';
const constant = (value: string) => ({ distribution: 'constant', value }) as const;
const deadlineUs = microsFromSeconds(10);

/** A user who talks to a core under these faults, in virtual time; 1 ms there and 1 ms back. */
async function world<T>(faults: readonly string[], act: (user: User) => Promise<T>): Promise<T> {
  const clock = new VirtualClock();
  const applications = [{ label: 'a1', clientId: 'client', clientSecret: 'client-secret' }];
  const config = settle({ faults: [...faults], latency: { queued: constant('1s'), processing: constant('1s') } });
  const core = createCore({ config, applications, ids: seededIds(1) });
  const sender = coreSender({
    core,
    clock,
    profile: sandboxProfile(),
    serviceAt: (at) => (startUs + at) as Micros,
    runAt: (service) => (service - startUs) as Micros,
    delayUs: () => [1_000 as Micros, 1_000 as Micros],
  });
  return clock.run(async () =>
    act(await userOf(sender, () => core.truth((startUs + clock.now()) as Micros).conversations)),
  );
}

interface User {
  converse(): Promise<ApiReply>;
  /** Sends a message and listens to its turn. */
  listen(): Promise<{ reply: ApiReply; sequences: (number | undefined)[]; reason: string | undefined }>;
  conversations(): number;
}

async function userOf(sender: ReturnType<typeof coreSender>, conversations: () => number): Promise<User> {
  const never = new AbortController().signal;
  const lease = await sender.acquire(never);
  const streams = await sender.acquireStream(never);
  if (!lease || !streams) throw new Error('there is no lease');
  const send = (call: ApiCall) => new Promise<ApiReply>((done) => lease.send(call, never, done));
  const basic = { kind: 'basic', clientId: 'client', clientSecret: 'client-secret' } as const;
  const body = { external_user_id: 'u' };
  const issued = await send({ operation: 'issueToken', credentials: basic, parameters: {}, body, deadlineUs });
  const token = String((issued as { body?: { access_token?: string } }).body?.access_token);
  const call = { credentials: { kind: 'bearer', token }, deadlineUs } as const;
  const converse = () => send({ ...call, operation: 'createConversation', parameters: {}, body: { conversation_id } });
  return {
    conversations,
    converse,
    async listen() {
      await converse();
      const message = { client_message_id: 'm', message: 'x' };
      const sent = await send({
        ...call,
        operation: 'sendMessage',
        parameters: { conversation_id },
        body: message,
      });
      const { turn_id = '' } = (sent as { body?: { turn_id?: string } }).body ?? {};
      const events: StreamEvent[] = [];
      const stream = {
        onEvent: (event: StreamEvent) => events.push(event),
        deadlineAt: microsFromSeconds(60),
        signal: never,
      };
      const opened = await streams.open({ ...call, operation: 'openStream', parameters: { turn_id } }, stream);
      const end = await opened.ended;
      return { reply: opened.reply, sequences: events.map(({ sequence }) => sequence), reason: end?.reason };
    },
  };
}

/** What the journal will be told of a reply, with its times after `sentAt` in milliseconds. */
function told(reply: ApiReply) {
  const after = (at: number | undefined) => (at === undefined ? undefined : (at - reply.sentAt) / 1_000);
  const how = reply.kind === 'answer' ? reply.status : reply.failure;
  return [reply.kind, how, after(reply.headersAt), after(reply.receivedAt)];
}

describe('a fault in virtual time', () => {
  it.each([
    ['latency:constant:3s', ['answer', 201, 3_002, 3_002], 1],
    ['latency:constant:11s', ['censored', 'deadline', undefined, 10_000], 1],
    ['status-502', ['answer', 502, 2, 2], 1],
    ['status-503', ['answer', 503, 2, 2], 0],
    ['reset-before', ['failed', 'ECONNRESET', undefined, 2], 0],
    ['reset-after', ['failed', 'ECONNRESET', undefined, 2], 1],
    ['stall', ['censored', 'deadline', undefined, 10_000], 1],
    ['stall:before', ['censored', 'deadline', undefined, 10_000], 0],
    ['half-answer', ['failed', 'closed-mid-answer', 2, 2], 1],
    ['slow-drip:4s', ['answer', 201, 2, 4_002], 1],
    ['slow-drip:1h', ['censored', 'deadline', 2, 10_000], 1],
    ['wrong-type', ['answer', 201, 2, 2], 1],
    ['oversized:8000000', ['answer', 201, 2, 2], 1],
    ['oversized', ['failed', 'answer-too-large', 2, 2], 1],
  ])('%s is reported like over sockets', async (fault, expected, conversations) => {
    const [reply, known] = await world([`createConversation:${fault}`], async (user) => [
      await user.converse(),
      user.conversations(),
    ]);
    expect(told(reply)).toEqual(expected);
    expect(known).toBe(conversations);
    if (fault === 'wrong-type') expect(reply).toMatchObject({ bodyProblem: 'wrong-content-type' });
  });

  it.each([
    ['*:stall:#1000', 'answer', 'completed'],
    ['openStream:latency:constant:11s', 'censored', undefined],
    ['openStream:reset-after', 'failed', undefined],
    ['openStream:stream-drop:2', 'answer', 'dropped'],
  ])('%s: the handshake is reported as %s and the stream ends as %s', async (fault, kind, reason) => {
    const heard = await world([fault], (user) => user.listen());
    expect([heard.reply.kind, heard.reason]).toEqual([kind, reason]);
    if (reason === 'dropped') expect(heard.sequences).toEqual([1, 2]);
  });

  it('stream events come twice, and out of order', async () => {
    const twice = await world(['openStream:stream-duplicate'], (user) => user.listen());
    expect(twice.sequences.slice(0, 4)).toEqual([1, 1, 2, 2]);
    const swapped = await world(['openStream:stream-reorder'], (user) => user.listen());
    expect(swapped.sequences).not.toEqual([...swapped.sequences].sort((a, b) => Number(a) - Number(b)));
    expect(swapped.reason).toBe('completed');
  });
});
