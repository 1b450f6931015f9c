import { expect, it } from 'vitest';
import { grouped } from '../../testing/results.ts';
import { endedUnderWay } from './late-run.exam.ts';
import { inOrder, of, run, statuses } from './shipped-run.exam.ts';

export function scenariosOfRequests(): void {
  it('smoke does every operation once or more, and every answer is as expected', async () => {
    const { exchanges, ...results } = await run('smoke.yaml');
    expect(statuses(of(exchanges, 'issueToken'))).toEqual([201]);
    expect(statuses(of(exchanges, 'createConversation'))).toEqual([201, 201]);
    expect(statuses(of(exchanges, 'sendMessage'))).toEqual([202]);
    expect(of(exchanges, 'readTurn').at(-1)?.turn?.status).toBe('completed');
    expect(statuses(of(exchanges, 'readHistory'))).toEqual([200]);
    expect(statuses(of(exchanges, 'rateAnswer'))).toEqual([200]);
    const [created, resumed] = of(exchanges, 'createConversation');
    expect(resumed?.conversation).toBe(created?.conversation);
    expect(results.summary().refusals.total).toBe(0);
    expect(results.summary().expectations.checked).toBeGreaterThanOrEqual(14);
  });

  it('idempotent-resend: every resend is the same turn, and the history has two messages', async () => {
    const { exchanges, ...results } = await run('idempotent-resend.yaml');
    const messages = of(exchanges, 'sendMessage');
    const same = messages.filter(({ resend }) => resend !== 'other');
    expect(same.map(({ status, message, turn }) => [status, message?.id, turn?.id])).toEqual(
      same.map(() => [202, messages[0]?.message?.id, messages[0]?.turn?.id]),
    );
    expect(same).toHaveLength(8);
    const other = messages.filter(({ resend }) => resend === 'other');
    expect(other.map(({ status, error }) => [status, error?.code])).toEqual([[422, 'message_id_reused']]);
    const [history] = of(exchanges, 'readHistory');
    expect(history?.history?.items.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(history?.history?.items[0]?.digest).toBe(messages[0]?.message?.digest);
    expect(results.summary().messages).toEqual({ attempts: 9, accepted: 8, newMessages: 1, replays: 7, unknown: 0 });
    expect(results.summary().dailyQuota.map(({ used }) => used)).toEqual([1]);
  });

  it('invalid-requests: they count as requests, and hold no slot', async () => {
    const { exchanges } = await run('invalid-requests.yaml');
    expect(statuses(of(exchanges, 'sendMessage'))).toEqual([404, 404, 202]);
    expect(statuses(of(exchanges, 'createConversation'))).toEqual([201, ...Array(16).fill(422), 429]);
  });

  it('remembered-messages: one identifier of two users is two turns, and 260 others are not too many to remember', async () => {
    const { exchanges, ...results } = await run('remembered-messages.yaml');
    const messages = of(exchanges, 'sendMessage');
    const shared = messages.filter(({ journey }) => journey === 'same-words');
    expect(new Set(shared.map(({ user }) => user)).size).toBe(2);
    expect(new Set(shared.map(({ message }) => message?.id)).size).toBe(1);
    expect(new Set(shared.map(({ turn }) => turn?.id)).size).toBe(2);
    const [first, again] = messages.filter(({ journey }) => journey === 'first');
    expect(again).toMatchObject({ resend: 'same', status: 202, turn: { id: first?.turn?.id } });
    expect(results.summary().messages).toMatchObject({ newMessages: 263, replays: 1 });
  });

  it('message-burst: caps wait instead of being refused', async () => {
    const { exchanges, ...results } = await run('message-burst.yaml');
    const summary = results.summary();
    expect(exchanges.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
    expect(summary.turns).toMatchObject({ accepted: 12, completed: 12 });
    expect(summary.turns.open.maxCertain).toBeLessThanOrEqual(2);
    expect(summary.capWaits.openTurns?.count).toBeGreaterThanOrEqual(8);
    expect(summary.capWaits.requestsPerMinute?.totalUs).toBeGreaterThan(0);
    expect(Math.max(...summary.serviceMinutes.map(({ admitted }) => admitted))).toBeLessThanOrEqual(20);
    // Six messages from two conversations, per journey.
    const perConversation = grouped(of(exchanges, 'sendMessage'), ({ conversation }) => conversation);
    expect(perConversation.map(({ length }) => length)).toEqual([3, 3, 3, 3]);
  });

  it('token-churn: no request meets a 401 that was not asked for, and tokens are renewed under way', async () => {
    const { exchanges, wasLate } = await run('token-churn.yaml', (results) => endedUnderWay(results).length > 0);
    const inTime = exchanges.filter((exchange) => !endedUnderWay({ exchanges }).includes(exchange));
    const unauthorized = inTime.filter(({ status }) => status === 401);
    // Of each journey: a slow machine is not done with the first when the second begins.
    const asked = [
      [1, 'readHistory'],
      [2, 'readHistory'],
      [3, 'issueToken'],
    ];
    const refused = grouped(inOrder(unauthorized), ({ arrival }) => arrival);
    expect(refused.map((ofOne) => ofOne.map(({ step, operation }) => [step, operation]))).toEqual([asked, asked]);
    expect(new Set(unauthorized.map(({ journey }) => journey))).toEqual(new Set(['refused']));
    expect(exchanges.filter(({ status }) => status === 422).map(({ operation }) => operation)).toEqual([
      'issueToken',
      'issueToken',
    ]);
    const reads = of(inTime, 'readHistory').filter(({ journey }) => journey === 'outliving');
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    const replaced = grouped(
      inOrder(inTime).filter(({ journey }) => journey === 'replaced'),
      ({ arrival }) => arrival,
    );
    expect(replaced).toHaveLength(3);
    for (const ofOne of replaced) {
      const [before, after] = [1, 3].map((step) => ofOne.find((exchange) => exchange.step === step)?.token);
      expect(before).not.toBe(after);
    }
    if (wasLate) return;
    const tokens = grouped(reads, ({ arrival }) => arrival);
    expect(tokens.map(({ length }) => length)).toEqual([6, 6]);
    // Three seconds of ninety-second tokens at sixty to one: each journey outlives two of them.
    for (const used of tokens) expect(new Set(used.map(({ token }) => token)).size).toBeGreaterThanOrEqual(3);
  });

  it('history-paging: pages are chronological, with nothing twice and nothing missing', async () => {
    const { exchanges } = await run('history-paging.yaml');
    const pages = of(exchanges, 'readHistory').flatMap(({ history }) => history ?? []);
    expect(pages.map(({ limit, offset, items }) => [limit, offset, items.length])).toEqual([
      [100, 0, 8],
      [3, 0, 3],
      [3, 3, 3],
      [3, 6, 2],
      [5, 6, 2],
      [1, 1000, 0],
    ]);
    const whole = pages[0]?.items ?? [];
    expect(whole.map(({ role }) => role)).toEqual([0, 1, 2, 3].flatMap(() => ['user', 'assistant']));
    expect(whole.map(({ createdAt }) => createdAt)).toEqual(whole.map(({ createdAt }) => createdAt).sort());
    expect(pages.slice(1, 4).flatMap(({ items }) => items)).toEqual(whole);
    expect(pages[4]?.items).toEqual(whole.slice(6));
    const sent = of(exchanges, 'sendMessage').map(({ message }) => message?.digest);
    expect(whole.filter(({ role }) => role === 'user').map(({ digest }) => digest)).toEqual(sent);
  });

  it('stream-versus-poll: every turn is seen to finish both ways, as a rule by the stream first', async () => {
    const results = await run('stream-versus-poll.yaml');
    const turns = results.rows('turns.csv');
    expect(turns.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
    for (const { seen_by_poll_us, seen_by_stream_us, finished_by } of turns) {
      // Where both are under way at once, a busy machine may read the poll's answer first.
      expect(finished_by).toBe(Number(seen_by_stream_us) < Number(seen_by_poll_us) ? 'stream' : 'poll');
    }
    // A busy machine may send the first poll of a turn only after the turn has ended.
    expect(turns.some(({ polls }) => Number(polls) >= 2)).toBe(true);
    expect(turns.some(({ finished_by }) => finished_by === 'stream')).toBe(true);
    const { turns: summary } = results.summary();
    expect(summary.pollAfterStream?.count).toBe(3);
    expect(results.streams.filter(({ event }) => event === 'closed').map(({ reason }) => reason)).toEqual(
      [0, 1, 2].map(() => 'completed'),
    );
  });

  it('conversation-create-resume: one id is one conversation, resumed one after the other and all at once', async () => {
    const { exchanges } = await run('conversation-create-resume.yaml');
    const creations = (journey: string) =>
      of(exchanges, 'createConversation').filter((exchange) => exchange.journey === journey);
    const atOnce = creations('at-once');
    expect(statuses(atOnce)).toEqual(atOnce.map(() => 201));
    expect(atOnce).toHaveLength(8);
    expect(new Set(atOnce.map(({ conversation }) => conversation)).size).toBe(1);
    const resumed = grouped(creations('resumed'), ({ arrival }) => arrival);
    expect(resumed.map((creation) => statuses(creation))).toEqual([
      [201, 201, 201],
      [201, 201, 201],
    ]);
    expect(resumed.map((creation) => new Set(creation.map(({ conversation }) => conversation)).size)).toEqual([1, 1]);
    const invalid = inOrder(exchanges).filter(
      ({ journey, operation }) => journey === 'invalid' && operation !== 'issueToken',
    );
    expect(invalid.map(({ status, error }) => [status, error?.code])).toEqual([
      [422, 'invalid_request'],
      [422, 'invalid_request'],
      [404, 'not_found'],
    ]);
  });

  it('mixed-journeys: both applications, all journeys, and both ways to take a refusal', async () => {
    const { exchanges, journeys } = await run('mixed-journeys.ts');
    expect([...new Set(exchanges.map(({ application }) => application))].sort()).toEqual(['office', 'shop']);
    expect(new Set(exchanges.map(({ user }) => user)).size).toBe(6);
    expect(journeys).toHaveLength(6 + 6 + 50);
    expect([...new Set(journeys.map(({ journey }) => journey))].sort()).toEqual(['hasty', 'patient', 'reader']);
    const refused = exchanges.filter(({ outcome }) => outcome === 'refused').map(({ journey }) => journey);
    expect(refused).toContain('hasty');
    expect(refused).toContain('patient');
    // The hasty give up at the first refusal; the patient try again and lose no journey.
    const retried = new Set(exchanges.filter(({ attempt }) => attempt > 1).map(({ journey }) => journey));
    expect([...retried]).toEqual(['patient']);
    const stopped = new Set(journeys.filter(({ outcome }) => outcome === 'stopped').map(({ journey }) => journey));
    expect(stopped.has('hasty')).toBe(true);
    expect(stopped.has('patient')).toBe(false);
  });
}
