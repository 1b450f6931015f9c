import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { arrivalUuid } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { VerdictsDocument } from '../../report/index.ts';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { grouped, type Results, resultsIn } from '../../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../../testing/scenarios.ts';
import { isWhole } from '../../testing/share.ts';
import { typed } from '../../testing/typed.ts';

async function run(scenario: string, workers: number, ...args: readonly string[]): Promise<Results> {
  const out = join(temporaryFolder(), 'out');
  const { code, err } = await typed([
    ...['run', scenarioFile(scenario), '--quiet', '--workers', `${workers}`, '--out', out],
    ...args,
  ]);
  expect([0, 10, 11], err).toContain(code);
  return resultsIn(out);
}

const mixed = `
name: mixed
seed: 11
users: 7
${WIDE_OPEN}
sandbox: { latency: { queued: { distribution: constant, value: 0ms }, processing: { distribution: constant, value: 5ms } } }
journeys:
  ask:
    weight: 3
    steps:
      - createConversation: { conversation: chosen }
      - repeat: { times: 2, steps: [{ sendMessage: { message: "Hello \${user.id}" } }, { followTurn: { interval: 20ms } }] }
      - readHistory: {}
  rush: { steps: [{ createConversation: { conversation: chosen } }, { burst: { count: 3, follow: { by: stream } } }] }
load:
  - { model: poisson, rate: 12/s, duration: 2s }
  - { model: per-user-iterations, users: 5, iterations: 2, think: { distribution: uniform, min: 10ms, max: 50ms } }
`;

/** What was sent, except how often a turn was polled, which depends on the service's speed. */
const whatWasSent = ({ exchanges }: Results) =>
  exchanges
    .filter(({ operation }) => operation !== 'readTurn' && operation !== 'issueToken')
    .map(({ arrival, journey, step, user, application, operation }) =>
      [arrival, journey, step, user, application, operation].join(' '),
    )
    .sort();

const startsOf = ({ exchanges }: Results) =>
  exchanges
    .filter(({ operation }) => operation === 'createConversation')
    .map(({ arrival, intendedAt }) => `${arrival} ${intendedAt}`)
    .sort();

/** Read by several tests, which do not change it. */
let twoMixed: Promise<Results> | undefined;
const mixedByTwo = (): Promise<Results> => (twoMixed ??= run(mixed, 2));

describe.concurrent('two workers', { timeout: PATIENCE_MS }, () => {
  it('send the same arrivals, journeys and identifiers as one', async () => {
    const [one, two] = [await run(mixed, 1), await mixedByTwo()];
    expect(one.exchanges.every(({ worker }) => worker === undefined)).toBe(true);
    expect(one.header?.workers).toBeUndefined();
    expect(two.header?.workers).toBe(2);
    expect(whatWasSent(one).length).toBeGreaterThan(100);
    expect(whatWasSent(two)).toEqual(whatWasSent(one));
    // Open arrivals come first: those of a closed model start when others end.
    const planned = (results: Results) => startsOf(results).filter((start) => Number(start.split(' ')[0]) < 20);
    expect(planned(one)).toHaveLength(20);
    expect(planned(two)).toEqual(planned(one));
    for (const results of [one, two]) expectOwnIdentifiers(results);
  });

  it('keep users apart, number what they send, and sum what they did', async () => {
    const results = await mixedByTwo();
    const { exchanges, sent, end, journeys, records } = results;
    for (const { user, worker } of exchanges) expect(worker).toBe(((Number(user.slice(1)) - 1) % 2) + 1);
    const owners = grouped(
      exchanges.filter(({ token }) => token !== undefined),
      ({ token }) => token,
    );
    expect(owners.map((own) => new Set(own.map(({ user }) => user)).size)).toEqual(owners.map(() => 1));
    expect(owners).toHaveLength(7);
    for (const own of grouped(exchanges, ({ worker }) => worker)) {
      const ordered = [...own].sort((a, b) => a.seq - b.seq);
      expect(ordered.map(({ seq }) => seq)).toEqual(ordered.map((_, index) => index));
      expect(ordered.map(({ sentAt }) => sentAt)).toEqual(ordered.map(({ sentAt }) => sentAt).sort((a, b) => a - b));
    }
    expectSentBefore(results);
    expect(sent).toHaveLength(exchanges.length);
    expect(end).toMatchObject({ arrivals: journeys.length, exchanges: exchanges.length, drops: 0, complete: true });
    expect(records[0]?.kind).toBe('header');
    expect(records.at(-1)?.kind).toBe('end');
    const health = records.filter((record) => record.kind === 'health');
    expect(new Set(health.map(({ worker }) => worker))).toEqual(new Set([1, 2]));
    expect(results.summary().run).toMatchObject({ complete: true, missingSeq: 0, exchanges: exchanges.length });
    expect(results.rows('requests.csv').map(({ worker }) => worker)).not.toContain('');
  });

  it('share one stock of iterations', async () => {
    const scenario = `
name: stock
users: 6
${WIDE_OPEN}
journeys: { a: { steps: [{ createConversation: {} }, { pause: 300ms }] } }
load: { model: shared-iterations, users: 6, iterations: 19 }
`;
    const [one, two] = [await run(scenario, 1), await run(scenario, 2)];
    const indices = ({ journeys }: Results) => journeys.map(({ arrival }) => arrival).sort((a, b) => a - b);
    expect(indices(one)).toHaveLength(19);
    expect(indices(two)).toEqual(indices(one));
    // Either alone would need two seconds: the other has begun by then, even on a busy machine.
    expect(new Set(two.exchanges.map(({ worker }) => worker))).toEqual(new Set([1, 2]));
  });

  const guilty = {
    service: 'one that admits too much',
    sandbox:
      'profile: { limits: { rate: { max: 20, reading: sliding-log } } }\nsandbox: { limits: { rate: { max: 60 } } }',
    verdict: 'violated',
  };
  const honest = { service: 'an honest service', sandbox: '', verdict: 'consistent' };
  const services = isWhole ? [honest, guilty] : [guilty];
  it.each(services)('lead to the same verdict as one, for $service', async ({ sandbox, verdict }) => {
    const scenario = `
name: judged
users: 6
onRefused: continue
${sandbox}
journeys: { a: { steps: [{ createConversation: {} }, { repeat: { times: 12, steps: [{ readHistory: {} }] } }] } }
load: { model: burst, count: 6 }
`;
    for (const workers of [1, 2]) {
      const results = await run(scenario, workers);
      const { limits, findings } = verdictsOf(results);
      expect(limits.find(({ limit }) => limit === 'rate')?.verdict, `${workers} workers`).toBe(verdict);
      if (verdict === 'consistent') expect(findings).toEqual([]);
    }
  });
});

const verdictsOf = ({ folder }: Results) =>
  JSON.parse(readFileSync(join(folder, 'verdicts.json'), 'utf8')) as VerdictsDocument;

/** Chosen identifiers derive from the run, the arrival and the step, not from the worker. */
function expectOwnIdentifiers({ exchanges, header }: Results): void {
  const runId = header?.runId ?? '';
  for (const { operation, arrival, step, conversation } of exchanges) {
    if (operation !== 'createConversation') continue;
    expect(conversation).toBe(arrivalUuid({ runId, arrival, step, kind: 'conversation', index: 0 }));
  }
  const single = exchanges.filter(({ operation, journey }) => operation === 'sendMessage' && journey === 'ask');
  for (const { message, arrival, step } of single)
    expect(message?.id).toBe(arrivalUuid({ runId, arrival, step, kind: 'message', index: 0 }));
}

/** The `sent` line of each request precedes its exchange's, even among lines of other workers. */
function expectSentBefore({ records }: Results): void {
  const seen = new Set<string>();
  const nameOf = ({ worker = 0, seq }: Pick<Exchange, 'seq' | 'worker'>) => `${worker}:${seq}`;
  for (const record of records) {
    if (record.kind === 'sent') seen.add(nameOf(record));
    if (record.kind === 'exchange') expect(seen).toContain(nameOf(record));
  }
}
