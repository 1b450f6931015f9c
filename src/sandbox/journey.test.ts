import { describe, expect, it } from 'vitest';
import { Conversation, Feedback, History, SendMessageAccepted, TokenResponse, Turn } from '../api/index.ts';
import { applications, basic, CoreClient, conversationId } from './core-client.exam.ts';

const roomy = { limits: { rate: { max: 1_000 }, concurrency: { max: 1_000 }, daily: { max: 1_000 } } };

describe('a journey through the core', () => {
  it('issues tokens of the declared life', () => {
    const client = new CoreClient();
    const json = { external_user_id: 'u1', locale: 'fr-CH', timezone: 'Europe/Zurich' };
    const answer = client.call('issueToken', { authorization: basic('one', 'secret-one'), json });
    expect(answer.status).toBe(201);
    expect(TokenResponse.parse(answer.body)).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    expect(answer.body.access_token).not.toBe(client.token);
    expect(answer.body.access_token).toMatch(/^[\w-]{43}$/);
  });

  it('creates, and resumes with the first title', () => {
    const client = new CoreClient();
    const created = client.converse({ conversation_id: conversationId, title: 'First' });
    expect(created.status).toBe(201);
    expect(Conversation.parse(created.body)).toEqual({
      conversation_id: conversationId,
      title: 'First',
      created_at: '2026-11-21T12:00:00.000Z',
    });
    client.at(5_000);
    expect(client.converse({ conversation_id: conversationId, title: 'Second' })).toMatchObject({
      status: 201,
      body: created.body,
    });
    expect(client.converse({ conversation_id: conversationId.toUpperCase() }).body).toEqual(created.body);
    const other = client.converse({});
    expect(other.body.title).toBe('New conversation');
    expect(other.body.conversation_id).not.toBe(conversationId);
    expect(client.converse({ title: 'x'.repeat(255) }).status).toBe(201);
    expect(client.converse({ title: '😀'.repeat(255) }).body.title).toBe('😀'.repeat(255));
  });

  it('takes a turn from queued through processing to completed at its exact instants', () => {
    const client = new CoreClient(roomy);
    client.converse();
    const sent = client.send('m1', 'hello', { location: { city: 'Lausanne', commune: 'Vaud' } });
    expect(sent.status).toBe(202);
    expect(SendMessageAccepted.parse(sent.body)).toEqual({
      turn_id: sent.body.turn_id,
      conversation_id: conversationId,
      client_message_id: 'm1',
      status: 'queued',
      created_at: '2026-11-21T12:00:00.000Z',
    });
    const seenAt = (ms: number) => client.at(ms).turn(sent.body.turn_id).body;
    expect(
      [0, 999.999, 1_000, 4_999.999, 5_000].map((ms) => [seenAt(ms).status, seenAt(ms).updated_at.slice(17)]),
    ).toEqual([
      ['queued', '00.000Z'],
      ['queued', '00.000Z'],
      ['processing', '01.000Z'],
      ['processing', '01.000Z'],
      ['completed', '05.000Z'],
    ]);
    expect([seenAt(4_999).message, seenAt(0).error, seenAt(4_999).error]).toEqual([undefined, undefined, undefined]);
    const turn = Turn.parse(seenAt(60_000));
    expect(turn.error).toBeUndefined();
    expect(turn.message?.metadata.latency_ms).toBe(4_000);
    expect(turn.message?.conversation_id).toBe(conversationId);
    expect(turn.message?.answer.length).toBeGreaterThan(20);
  });

  it('queues every new turn, and processes it for a microsecond at least', () => {
    const nothing = { distribution: 'constant', value: 0 } as const;
    const client = new CoreClient({ ...roomy, latency: { queued: nothing, processing: nothing } });
    client.converse();
    const { turn_id, status } = client.send('m1').body;
    const after = [0.001, 0.002].map((ms) => client.at(ms).turn(turn_id).body.status);
    expect([status, ...after]).toEqual(['queued', 'processing', 'completed']);
  });

  it('fails turns in the declared share, with the four error members and the request_id of the message', () => {
    const client = new CoreClient({ ...roomy, failureShare: 1 });
    client.converse();
    const { turn_id } = client.send('m1').body;
    const turn = Turn.parse(client.at(5_000).turn(turn_id).body);
    expect(turn.status).toBe('failed');
    expect(turn.message).toBeUndefined();
    expect(turn.error).toMatchObject({ code: 'internal', retryable: true });
    expect(client.history().body.messages.map((m: { role: string; status: string }) => [m.role, m.status])).toEqual([
      ['user', 'failed'],
    ]);
  });

  it('keeps to a failure share of 0.3 within 4 standard deviations', () => {
    const client = new CoreClient({ ...roomy, failureShare: 0.3 });
    client.converse();
    for (let i = 0; i < 900; i++) client.send(`m${i}`);
    const failed = client.core.truth(client.now).turns.filter(({ outcome }) => outcome === 'failed').length;
    expect(Math.abs(failed - 270)).toBeLessThan(4 * Math.sqrt(900 * 0.3 * 0.7));
  });

  it('restores the history in chronological order, answers where they were completed, page by page', () => {
    const client = new CoreClient(roomy);
    client.converse();
    client.send('m1');
    client.at(3_000).send('m2');
    client.at(6_000).send('m3');
    const roles = (query?: Record<string, unknown>) =>
      client
        .history(query)
        .body.messages.map((m: { role: string; created_at: string }) => `${m.role[0]}${m.created_at.slice(17, 19)}`);
    expect(roles()).toEqual(['u00', 'u03', 'a05', 'u06']);
    client.at(20_000);
    expect(roles()).toEqual(['u00', 'u03', 'a05', 'u06', 'a08', 'a11']);
    expect(roles({ limit: '2', offset: '1' })).toEqual(['u03', 'a05']);
    expect(roles({ limit: '100', offset: '5' })).toEqual(['a11']);
    expect(roles({ offset: '6' })).toEqual([]);
    const history = History.parse(client.history().body);
    expect(history.messages[0]).toMatchObject({ content: 'text of m1', status: 'completed', cards: [] });
  });

  it('pages by 20 unless told otherwise, and at most by 100', () => {
    const client = new CoreClient(roomy);
    client.converse();
    for (let i = 0; i < 60; i++) client.send(`m${i}`);
    client.at(10_000);
    expect(client.history().body.messages).toHaveLength(20);
    const all = [0, 100].flatMap((offset) => client.history({ limit: '100', offset: String(offset) }).body.messages);
    expect(all).toHaveLength(120);
    expect(new Set(all.map((message) => message.message_id)).size).toBe(120);
    expect(all.slice(0, 60).map((message) => message.content)).toEqual(
      Array.from({ length: 60 }, (_, i) => `text of m${i}`),
    );
  });

  it('rates an answer, and again with another rating', () => {
    const client = new CoreClient(roomy);
    client.converse();
    const { turn_id } = client.send('m1').body;
    const { message } = client.at(5_000).turn(turn_id).body;
    expect(Feedback.parse(client.rate(message.assistant_message_id, 'down').body)).toEqual({
      success: true,
      feedback: { rating: 'down' },
    });
    expect(client.rate(message.assistant_message_id, 'up')).toMatchObject({
      status: 200,
      body: { feedback: { rating: 'up' } },
    });
    expect(client.core.truth(client.now).turns[0]?.rating).toBe('up');
    expect(client.rate(message.user_message_id).status).toBe(404);
  });

  it('refuses to rate an answer that is still to come', () => {
    const client = new CoreClient(roomy);
    const answerIds = [0, 1].map(() => {
      const fresh = new CoreClient(roomy);
      fresh.converse();
      const { turn_id } = fresh.send('m1').body;
      return [turn_id, fresh.at(5_000).turn(turn_id).body.message.assistant_message_id];
    });
    // The same seed and requests give the same identifiers, so the second client's past tells the first one's future.
    expect(answerIds[0]).toEqual(answerIds[1]);
    client.converse();
    client.send('m1');
    expect(client.at(4_999.999).rate(answerIds[0]?.[1]).status).toBe(404);
    // The same client a microsecond later, one identifier (the request's) further.
    expect(client.at(5_000).rate(answerIds[0]?.[1]).status).toBe(200);
  });

  it('keeps the data of users apart', () => {
    const client = new CoreClient(roomy);
    client.converse({ conversation_id: conversationId, title: 'Mine' });
    const { turn_id } = client.send('m1').body;
    const answerId = client.at(5_000).turn(turn_id).body.message.assistant_message_id;
    for (const token of [client.login('u2'), client.login('u1', applications[1])]) {
      client.token = token;
      expect(
        [client.turn(turn_id), client.stream(turn_id), client.history(), client.send('m2'), client.rate(answerId)].map(
          (a) => [a.status, a.code],
        ),
      ).toEqual(Array.from({ length: 5 }, () => [404, 'not_found']));
      expect(client.converse({ conversation_id: conversationId }).body.title).toBe('New conversation');
    }
    client.token = client.login('u1');
    expect(client.turn(turn_id).status).toBe(200);
    expect(client.converse({ conversation_id: conversationId }).body.title).toBe('Mine');
  });
});
