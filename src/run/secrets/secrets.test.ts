import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { answer, envelope, serveBadly } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

const CLIENT = 'client-Xq7Lm2';
const SECRET = 'secret/Vw9+Kd3=Zt5&';
const GATEWAY_KEY = 'gateway+Hn8Wc4/Tr1';
const TOKEN = 'token-Rb4Ny8';
const TEXT = 'message-Pf6Hs1 with words';
const SPOKEN = 'spoken-Kt5Wq3';
const ANSWER = 'answer-Jd2Gc7';
const PLACE = 'place-Ue3Mk9';

/** Every form in which a secret travels. */
const forms = [
  CLIENT,
  SECRET,
  encodeURIComponent(SECRET),
  JSON.stringify(SECRET).slice(1, -1),
  Buffer.from(`${CLIENT}:${SECRET}`).toString('base64'),
  Buffer.from(`${CLIENT}:${SECRET}`).toString('base64url'),
  GATEWAY_KEY,
  encodeURIComponent(GATEWAY_KEY),
  TOKEN,
  TOKEN.toLowerCase(),
];

const scenario = (record: string) => `name: secret
${record}
profile: { client: { headers: { X-Api-Key: "key ${'${env.GATEWAY_KEY}'}", x-team: load } } }
onError: continue
journeys:
  whole:
    steps:
      - issueToken: {}
        expect: { body: { access_token: never-this } }
      - createConversation: { title: "${'${vars.title}'}" }
      - sendMessage: { message: "${'${env.SECRET_MESSAGE}'}", location: { city: "${PLACE}" } }
        expect: { status: 500, body: { message: nothing } }
      - sendMessage: { message: "${TEXT}", nonce: false }
      - followTurn: { interval: 100ms }
      - sendMessage: { message: "${'${env.SECRET_MESSAGE}'}" }
      - followTurn: { by: stream }
      - readHistory: {}
        expect: { body: { "messages.0.content": something else } }
      - issueToken: {}
      - readHistory: {}
        credentials: invalid
variables: { title: none }
users: 2
load: { model: burst, count: 2 }
`;

async function run(record: string, ...args: readonly string[]) {
  let tokens = 0;
  const keys = new Set<unknown>();
  const item = (content: string, index: number) => ({
    message_id: `7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5${index}`,
    role: 'assistant',
    content,
    status: 'completed',
    created_at: '2026-01-15T09:00:00Z',
    cards: [],
    visualizations: [],
    suggested_actions: [],
  });
  const service = await serveBadly({
    issueToken: (asked) => {
      // A service that puts the token where nobody expects it, and says secrets back in an error.
      asked.response.setHeader('x-token', `${TOKEN}${tokens}`);
      asked.response.setHeader('x-ratelimit-key', `${CLIENT}:${SECRET}`);
      if (asked.nth === 3) answer(asked, 401, { ...envelope(`bad secret ${SECRET}`) });
      else answer(asked, 201, { access_token: `${TOKEN}${tokens++}`, expires_in: 900 });
    },
    openStream: (asked) => {
      const { authorization = '' } = asked.request.headers;
      keys.add(`${asked.request.headers['x-api-key']} of ${asked.request.headers['x-team']}`);
      asked.response.setHeader('x-ratelimit-key', authorization);
      answer(asked, 403, envelope(authorization));
    },
    readHistory: (asked) => {
      keys.add(`${asked.request.headers['x-api-key']} of ${asked.request.headers['x-team']}`);
      asked.response.setHeader('x-ratelimit-limit', `${asked.request.headers['x-api-key']}`);
      asked.response.setHeader('x-ratelimit-key', asked.request.headers.authorization ?? '');
      asked.response.setHeader('date', asked.request.headers.authorization ?? '');
      // The application's secret, in answer to a call that was made with a token; in a word and beside one.
      asked.response.setHeader('x-ratelimit-remaining', SECRET);
      // The first token of all, whoever calls; each worker knows its own.
      if (!args.includes('--workers=2')) {
        asked.response.setHeader('x-ratelimit-reset', `${TOKEN}0`);
        asked.response.setHeader(`x-ratelimit-${TOKEN}0`, '1');
      }
      const role = `${SECRET} ${asked.request.headers.authorization}`;
      answer(asked, 200, { messages: [ANSWER, TEXT].map((content, index) => ({ ...item(content, index), role })) });
    },
  });
  const folder = join(temporaryFolder(), 'out');
  const finished = await typed([
    'run',
    scenarioFile(scenario(record)),
    '--target',
    service.url,
    '--out',
    folder,
    '-e',
    `SPILLWAY_CLIENT_ID=${CLIENT}`,
    '-e',
    `SPILLWAY_CLIENT_SECRET=${SECRET}`,
    `-eSECRET_MESSAGE=${SPOKEN}`,
    `-eGATEWAY_KEY=${GATEWAY_KEY}`,
    '--env',
    'title=A title',
    ...args,
  ]);
  await service.close();
  expect(finished.code, finished.err).toBe(99);
  expect([...keys]).toEqual([`key ${GATEWAY_KEY} of load`]);
  const files = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  return { ...finished, folder, files };
}

const placesOf = (needle: string, texts: readonly { readonly name: string; readonly text: string }[]) =>
  texts.filter(({ text }) => text.includes(needle)).map(({ name }) => `${name} holds ${needle}`);

describe.concurrent('credentials and tokens', { timeout: PATIENCE_MS }, () => {
  it.each(['--yes', '--debug', '--json', '--workers=2'])(
    'stand in no file and in nothing printed (%s)',
    async (how) => {
      const { out, err, files, folder } = await run('', how);
      const { exchanges } = resultsIn(folder);
      expect(exchanges.length).toBeGreaterThanOrEqual(18);
      expect(exchanges.find(({ operation }) => operation === 'openStream')).toMatchObject({
        status: 403,
        headers: { 'x-ratelimit-key': 'Bearer [redacted]' },
        error: { code: 'Bearer [redacted]' },
      });
      expect(files.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'history.ndjson',
          'intervals.csv',
          'latency.hlog',
          'requests.csv',
          'run.json',
          'summary.json',
          'turns.csv',
        ]),
      );
      const all = [...files, { name: 'stdout', text: out }, { name: 'stderr', text: err }];
      expect(forms.flatMap((form) => placesOf(form, all))).toEqual([]);
      if (how === '--debug') {
        expect(err).toContain('> authorization: Basic [redacted]');
        expect(err).toContain('> authorization: Bearer [redacted]');
        expect(err).toContain('> x-api-key: [redacted]');
        expect(err).toContain('> x-team: load');
        expect(err).toContain('"access_token":"[redacted]"');
      }
    },
  );
});

describe.concurrent('texts of messages', { timeout: PATIENCE_MS }, () => {
  it('stand in no file, of users or of the service, nor their place', async () => {
    const { files } = await run('', '--debug');
    expect([TEXT, SPOKEN, ANSWER, PLACE].flatMap((text) => placesOf(text, files))).toEqual([]);
  });

  it('are in the journal where the scenario asks for them, without credentials and values from the environment', async () => {
    const { files, folder } = await run('record: { messages: true }');
    const texts = resultsIn(folder).exchanges.flatMap(({ message }) => message?.text ?? []);
    expect(texts.filter((text) => text === TEXT)).toHaveLength(2);
    expect(texts.filter((text) => /^\[redacted\] \[[0-9a-f]{8}\]$/.test(text))).toHaveLength(4);
    expect([...forms, SPOKEN].flatMap((form) => placesOf(form, files))).toEqual([]);
  });
});
