import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../testing/cli.ts';
import { resultsIn } from '../testing/results.ts';
import { type Answering, answer, envelope, type Streaming, serveBadly, turnBody } from '../testing/service.ts';
import { typed } from '../testing/typed.ts';

const credentials = { SPILLWAY_CLIENT_ID: 'some-client', SPILLWAY_CLIENT_SECRET: 'some-secret' };

/** Runs a scenario against a bad service; `lines` are its journeys and load. */
async function run(
  lines: string,
  answers: Parameters<typeof serveBadly>[0],
  stream?: Streaming,
): Promise<
  { readonly code: number | null; readonly err: string; readonly out: string } & ReturnType<typeof resultsIn>
> {
  const service = await serveBadly(answers, stream);
  const folder = temporaryFolder();
  const scenario = join(folder, 'scenario.yaml');
  writeFileSync(scenario, `name: faulty\nprofile: { client: { deadline: 700ms, connections: 4 } }\n${lines}`);
  const args = ['run', scenario, '--target', service.url, '--out', join(folder, 'out'), '--quiet'];
  const { code, err, out } = await typed(args, undefined, credentials);
  await service.close();
  return { code, err, out, ...resultsIn(join(folder, 'out')) };
}

/** Bad answers to readHistory, one after another. */
const ways: readonly { readonly name: string; readonly answer: Answering; readonly recorded: object }[] = [
  {
    name: 'garbage',
    answer: ({ response }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('}{ not JSON \u0007'),
    recorded: { outcome: 'answered', status: 200, bodyProblem: 'not-json' },
  },
  {
    name: 'bytes that are no text',
    answer: ({ response }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
    recorded: { outcome: 'answered', status: 200, bodyProblem: 'not-utf8' },
  },
  {
    name: 'another shape',
    answer: (asked) => answer(asked, 200, { messages: [{ role: 'user' }] }),
    recorded: { outcome: 'answered', status: 200, bodyProblem: 'wrong-shape' },
  },
  {
    name: 'a refusal that lacks most of what an error has',
    answer: (asked) => answer(asked, 429, { error: { code: 'rate_limited' } }),
    recorded: { outcome: 'refused', status: 429, bodyProblem: 'wrong-shape', error: { code: 'rate_limited' } },
  },
  {
    name: 'no body at all',
    answer: ({ response }) => void response.writeHead(200).end(),
    recorded: { outcome: 'answered', status: 200, bodyProblem: 'wrong-shape' },
  },
  {
    name: 'a wrong content type',
    answer: ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>'),
    recorded: { outcome: 'answered', status: 200, bodyProblem: 'wrong-content-type' },
  },
  {
    name: 'half an answer',
    answer: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 });
      response.write('{"messages":[', () => response.socket?.end());
    },
    recorded: { outcome: 'failed', failure: 'closed-mid-answer' },
  },
  {
    name: 'a closed connection',
    answer: ({ response }) => void response.socket?.end(),
    recorded: { outcome: 'failed', failure: 'closed-before-answer' },
  },
  {
    name: 'a reset connection',
    answer: ({ response }) => void response.socket?.resetAndDestroy(),
    recorded: { outcome: 'failed', failure: 'ECONNRESET' },
  },
  {
    name: 'what is not HTTP',
    answer: ({ response }) => void response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
    recorded: { outcome: 'failed', failure: 'protocol' },
  },
  {
    name: 'silence',
    answer: () => undefined,
    recorded: { outcome: 'censored', failure: 'deadline' },
  },
  {
    name: 'a 500 with the envelope',
    answer: (asked) => answer(asked, 500, envelope('internal', true)),
    recorded: { outcome: 'answered', status: 500, error: { code: 'internal', retryable: true } },
  },
  {
    name: 'a 502 of somebody else',
    answer: ({ response }) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
    recorded: { outcome: 'answered', status: 502, bodyProblem: 'wrong-content-type' },
  },
  {
    name: 'a 429 without a word',
    answer: ({ response }) => void response.writeHead(429).end(),
    recorded: { outcome: 'refused', status: 429 },
  },
  {
    name: 'a redirect',
    answer: ({ response }) => void response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end(),
    recorded: { outcome: 'answered', status: 302 },
  },
];

const readEach = (onProblem: string) => `
onError: ${onProblem}
onRefused: ${onProblem}
journeys: { read: { steps: [createConversation: {}, repeat: { times: ${ways.length + 1}, steps: [readHistory: {}] }] } }
load: { model: burst, count: 1 }
`;

describe.concurrent('a service', { timeout: PATIENCE_MS }, () => {
  it('with fifteen kinds of bad answers: each is in the journal, and the run continues to its end', async () => {
    const { code, exchanges, end, journeys, ...results } = await run(readEach('continue'), {
      readHistory: (asked) => (ways[asked.nth]?.answer ?? ((last) => answer(last, 200, { messages: [] })))(asked),
    });
    const reads = exchanges.filter(({ operation }) => operation === 'readHistory');
    for (const [index, { name, recorded }] of ways.entries()) expect(reads[index], name).toMatchObject(recorded);
    expect(reads).toHaveLength(ways.length + 1);
    expect(reads.at(-1)).toMatchObject({ outcome: 'answered', status: 200, history: { items: [] } });
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
    expect(end).toMatchObject({ complete: true });
    expect(code).toBe(0);
    const { byOutcome } = results.summary().operations.readHistory ?? {};
    expect(byOutcome).toEqual({ success: 1, error: 8, refused: 2, failed: 4, censored: 1 });
    expect(results.summary().refusals.byLimit).toEqual({ rate: 1, concurrency: 0, daily: 0, unattributed: 1 });
  });

  it('stops a journey at the first error if its policy says so, and other journeys continue', async () => {
    const { code, journeys, exchanges } = await run(
      `journeys: { a: { steps: [createConversation: {}, readHistory: {}, readHistory: {}] } }
load: { model: burst, count: 3, gap: 20ms }`,
      {
        readHistory: (asked) =>
          asked.nth === 0 ? answer(asked, 500, envelope('internal')) : answer(asked, 200, { messages: [] }),
      },
    );
    expect(code).toBe(0);
    const outcomes = journeys.map(({ outcome, stoppedAt }) => [outcome, stoppedAt?.because]);
    expect(outcomes.sort()).toEqual([
      ['completed', undefined],
      ['completed', undefined],
      ['stopped', 'status 500 internal'],
    ]);
    expect(exchanges.filter(({ operation }) => operation === 'readHistory')).toHaveLength(5);
  });

  it('that answers each request twice is recorded as such, and no second answer is attributed to another request', async () => {
    const whole = '{"messages":[]}';
    const once = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${whole.length}\r\n\r\n${whole}`;
    const { code, exchanges, out, ...results } = await run(
      `journeys: { a: { steps: [createConversation: {}, readHistory: {}, readHistory: {}] } }
load: { model: burst, count: 1 }`,
      { readHistory: ({ response }) => void response.socket?.write(once + once) },
    );
    expect(code).toBe(0);
    expect(exchanges.map(({ operation, status }) => [operation, status])).toEqual([
      ['issueToken', 201],
      ['createConversation', 201],
      ['readHistory', 200],
      ['readHistory', 200],
    ]);
    expect(results.summary().health.unasked).toBe(2);
    expect(out.replace(/\s+/g, ' ')).toContain(
      '2 connections closed because the service sent data that no request had asked for',
    );
  });

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

  it('whose answers to requests other than reads have a wrong shape is reported', async () => {
    const { exchanges, journeys } = await run(
      `journeys:
  a: { steps: [createConversation: {}, sendMessage: { message: Hello }] }
  b: { steps: [createConversation: {}] }
load: { model: burst, count: 1, journeys: [a] }`,
      { createConversation: (asked) => answer(asked, 201, { id: 'not as specified' }) },
    );
    expect(exchanges.at(-1)).toMatchObject({ operation: 'createConversation', bodyProblem: 'wrong-shape' });
    expect(journeys).toMatchObject([{ outcome: 'stopped', stoppedAt: { because: 'wrong-shape' } }]);
  });

  it.each([
    [
      'a login page',
      (asked: Parameters<Answering>[0]) =>
        void asked.response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['an error', (asked: Parameters<Answering>[0]) => answer(asked, 500, envelope('internal'))],
  ])('that answers %s instead of a token makes the run invalid: 11', async (_, issueToken) => {
    const { code, err, exchanges } = await run(
      `journeys: { a: { steps: [createConversation: {}] } }
load: { model: burst, count: 1 }`,
      { issueToken },
    );
    expect(exchanges.map(({ operation }) => operation)).toEqual(['issueToken']);
    expect(code).toBe(11);
    expect(err).toContain('the service gave no token, so nothing of the scenario was done');
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
