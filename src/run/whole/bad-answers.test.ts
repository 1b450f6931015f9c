import { describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '../../testing/cli.ts';
import { type Answering, answer, envelope } from '../../testing/service.ts';
import { run } from './faulty-run.exam.ts';

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
});
