import { describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../testing/cli.ts';
import { type Answering, answer, envelope, type Streaming, turnBody } from '../../testing/service.ts';
import { run } from './faulty-run.exam.ts';

describe.concurrent('a service', { timeout: PATIENCE_MS }, () => {
  it('that does not meet an expectation ends the run with 99', async () => {
    const { code, exchanges, end } = await run(
      `onError: continue
journeys: { a: { steps: [createConversation: {}, { readHistory: {}, expect: { status: 200 } }, readHistory: {}] } }
load: { model: burst, count: 1 }`,
      {
        readHistory: (asked) =>
          asked.nth === 0 ? answer(asked, 500, envelope('internal')) : answer(asked, 200, { messages: [] }),
      },
    );
    expect(code).toBe(99);
    expect(end).toMatchObject({ complete: true });
    const [first, second] = exchanges.filter(({ operation }) => operation === 'readHistory');
    expect(first?.expect).toEqual({ checked: 1, unmet: ['status: expected 200, found 500'] });
    expect(second?.status).toBe(200);
  });

  it('whose turns never end, or fail, is not followed beyond the deadline', async () => {
    let first: string | undefined;
    const { code, exchanges, journeys, ...results } = await run(
      `onError: continue
journeys:
  a:
    steps:
      - createConversation: {}
      - sendMessage: { message: Never answered }
      - followTurn: { interval: 100ms, deadline: 450ms }
      - sendMessage: { message: Failed }
      - followTurn: { interval: 100ms }
      - readHistory: {}
load: { model: burst, count: 1 }`,
      {
        readTurn: (asked) => {
          const turn = asked.parameters.turn_id ?? '';
          first ??= turn;
          answer(asked, 200, turnBody(turn, turn === first ? 'processing' : 'failed'));
        },
      },
    );
    expect(code).toBe(0);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
    const [unfinished, failed] = results.rows('turns.csv');
    expect(unfinished?.state).toBe('unfinished');
    // One at the start, and one every 100 ms until 450 ms.
    expect(Number(unfinished?.polls)).toBeGreaterThanOrEqual(1);
    expect(Number(unfinished?.polls)).toBeLessThanOrEqual(5);
    expect(failed).toMatchObject({ state: 'failed', polls: '1' });
    expect(results.summary().turns).toMatchObject({ accepted: 2, completed: 0, failed: 1, unfinished: 1 });
    expect(exchanges.at(-1)).toMatchObject({ operation: 'readHistory', status: 200 });
  });

  it('whose stream drops, or does not open: it is in the journal, and the policy decides about the journey', async () => {
    const { code, exchanges, streams, journeys, ...results } = await run(
      `onError: continue
journeys:
  a:
    steps:
      - createConversation: {}
      - sendMessage: { message: Cut off }
      - followTurn: { by: stream }
      - sendMessage: { message: Reset }
      - followTurn: { by: stream }
      - sendMessage: { message: Silent }
      - followTurn: { by: stream, deadline: 400ms }
      - readHistory: {}
load: { model: burst, count: 1 }`,
      {},
      (() => {
        const endings: Streaming[] = [(socket) => socket.end(), (socket) => socket.resetAndDestroy(), () => undefined];
        return (socket) => endings.shift()?.(socket);
      })(),
    );
    expect(code).toBe(0);
    const closed = streams.filter(({ event }) => event === 'closed').map(({ reason }) => reason);
    expect(closed).toEqual(['dropped', 'dropped', 'deadline']);
    expect(exchanges.filter(({ operation }) => operation === 'openStream').map(({ status }) => status)).toEqual([
      101, 101, 101,
    ]);
    expect(results.summary().turns).toMatchObject({ accepted: 3, completed: 0, unfinished: 3 });
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
    expect(exchanges.at(-1)).toMatchObject({ operation: 'readHistory', status: 200 });
  });

  it.each([
    [
      'a login page',
      (asked: Parameters<Answering>[0]) =>
        void asked.response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'wrong-content-type × 1',
    ],
    ['an error', (asked: Parameters<Answering>[0]) => answer(asked, 500, envelope('internal')), '500 × 1'],
    ['a refusal', (asked: Parameters<Answering>[0]) => answer(asked, 429, envelope('rate_limited')), 'refused × 1'],
  ])('that answers %s instead of a token makes the run invalid: 11', async (_, issueToken, instead) => {
    const { code, err, exchanges } = await run(
      `journeys: { a: { steps: [createConversation: {}] } }
load: { model: burst, count: 1 }`,
      { issueToken },
    );
    expect(exchanges.map(({ operation }) => operation)).toEqual(['issueToken']);
    expect(code).toBe(11);
    expect(err).toContain(`the service gave no token (${instead}), so nothing of the scenario was done`);
  });

  it('that knows no path of tokens gets the base address checked, as it may contain too much or too little', async () => {
    const { code, err } = await run(
      `journeys: { a: { steps: [createConversation: {}] } }
load: { model: burst, count: 1 }`,
      { issueToken: (asked) => answer(asked, 404, envelope('not_found')) },
    );
    expect(code).toBe(11);
    expect(err).toContain(
      'gave no token (404 × 1), so nothing of the scenario was done; check the base address, to which /api/partners/v1/tokens is appended',
    );
  });

  it('that prevents every check of an expectation fails the run: 99', async () => {
    const { code, err } = await run(
      `journeys: { a: { steps: [createConversation: {}, { readHistory: {}, expect: { status: 200 } }] } }
load: { model: burst, count: 1 }`,
      { createConversation: (asked) => answer(asked, 500, envelope('internal')) },
    );
    expect(code).toBe(99);
    expect(err).toContain('the scenario has expectations, but no answer was received that they apply to');
  });

  it('that answers only token requests makes the run invalid: 11', async () => {
    const { code, err, exchanges } = await run(
      `journeys: { a: { steps: [{ readHistory: { conversation: 7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c }, credentials: none }] } }
load: { model: burst, count: 2 }`,
      { readHistory: () => undefined },
    );
    expect(exchanges.map(({ outcome, failure }) => [outcome, failure])).toEqual([
      ['censored', 'deadline'],
      ['censored', 'deadline'],
    ]);
    expect(code).toBe(11);
    expect(err).toContain('nothing was answered');
  });
});
