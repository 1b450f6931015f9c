import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../plan/index.ts';
import type { Price } from '../../run/index.ts';
import { PATIENCE_MS, shipped, startSpillway, temporaryFolder } from '../../testing/cli.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';
import { random } from '../whole/random-scenario.exam.ts';

type PlanLine = ({ readonly kind: 'price'; readonly seed: number } & Price) | ({ readonly kind: 'arrival' } & Arrival);

/** The price, then the arrivals, as `plan --json` prints them. */
async function planned(...args: readonly string[]) {
  const { code, out, err } = await typed(['plan', '--json', ...args], temporaryFolder());
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PlanLine);
  const price = lines.flatMap((line) => (line.kind === 'price' ? [line] : []))[0];
  return { text: out, price, arrivals: lines.flatMap((line) => (line.kind === 'arrival' ? [line] : [])) };
}

describe('plan', () => {
  it('is byte-for-byte reproducible with one seed, and different with another', async () => {
    const file = scenarioFile(random);
    const first = await planned(file, '--seed', '42');
    const second = await planned(file, '--seed', '42');
    const other = await planned(file, '--seed', '43');
    expect(second.text).toBe(first.text);
    expect(first.price?.seed).toBe(42);
    expect(first.arrivals).toHaveLength(60);
    expect(other.arrivals).toHaveLength(60);
    const journeys = (plan: typeof first) => plan.arrivals.map(({ journey }) => journey);
    expect(journeys(other)).not.toEqual(journeys(first));
    expect(new Set(journeys(first))).toEqual(new Set(['a', 'b']));
  });

  it('obeys --duration, --journey and --once', async () => {
    const file = scenarioFile(random);
    const shorter = await planned(file, '--duration', '500ms');
    const one = await planned(file, '--journey', 'b');
    const once = await planned(file, '--once');
    const onceOfB = await planned(file, '--once', '--journey', 'b');
    expect(shorter.arrivals.map(({ intendedAt }) => intendedAt)).toEqual(
      Array.from({ length: 10 }, (_, index) => index * 50_000),
    );
    expect(new Set(one.arrivals.map(({ journey }) => journey))).toEqual(new Set(['b']));
    expect(one.arrivals).toHaveLength(60);
    expect(once.arrivals.map(({ journey, intendedAt }) => [journey, intendedAt])).toEqual([['a', 0]]);
    expect(onceOfB.arrivals.map(({ journey, intendedAt }) => [journey, intendedAt])).toEqual([['b', 0]]);
  });

  it('knows the load that depends on the target only by its duration until the target is known, as run does', async () => {
    const file = scenarioFile(`
name: paced
journeys: { a: { steps: [createConversation: {}] } }
phases: [{ name: one, load: { model: paced-to-limits, duration: 90s } }, { name: two, load: { model: burst, count: 1 } }]
gates: { 'http_req_failed{stage:one}': 'rate<1' }
`);
    expect((await planned(file)).arrivals.map(({ intendedAt }) => intendedAt / 1e6).slice(-2)).toEqual([87.029, 90]);
    const run = await typed(['run', file, '--duration', '100ms', '--no-gates', '--quiet'], temporaryFolder());
    expect({ code: run.code, err: run.err }).toEqual({ code: 0, err: '' });
  });

  it('tells one journey of a scenario with gates on stages, and that run would refuse it', async () => {
    const file = scenarioFile(`
name: staged
load: { model: steps, from: 10/min, by: 10/min, steps: 3, each: 1s }
journeys: { a: { steps: [createConversation: {}] } }
gates: { 'http_req_failed{stage:stair-1}': 'rate<1' }
`);
    const { arrivals, price } = await planned(file, '--once');
    expect(arrivals).toHaveLength(1);
    expect(price).toMatchObject({
      wouldRefuse: [
        { hint: 'the plan has only one stage; leave the tag out, or run without gates (spillway run --no-gates)' },
      ],
    });
  });

  it('leaves phases in their order with --duration, which is for models that have one', async () => {
    const file = scenarioFile(`
name: phases
users: 3
journeys: { a: { steps: [createConversation: {}] } }
phases:
  - { name: first, duration: 2s, load: [{ model: burst, count: 2 }] }
  - { name: last, load: [{ model: constant-rate, rate: 1/s, duration: 9s }] }
`);
    const { arrivals } = await planned(file, '--duration', '3s');
    expect(arrivals.map(({ intendedAt }) => intendedAt / 1e6)).toEqual([0, 0, 2, 3, 4]);
  });

  it('prints what will be refused and why as text, and sends nothing', async () => {
    const service = await serveBadly();
    const args = ['plan', shipped('rate-limit-20-per-minute.yaml'), '--target', service.url, '--arrivals', '1'];
    const { code, out } = await typed(args, temporaryFolder());
    await service.close();
    expect(code).toBe(0);
    expect(out).toContain('rate-limit-20-per-minute, seed 1: 1 planned arrival\n');
    expect(out).toMatch(/rate +busiest minute \d+ of 20; 22 will be refused: more than 20 requests per minute/);
    // At a real service, whose clock is not faster than ours, the deadline ends the run.
    expect(out).toMatch(/lasts +about 40.0 s/);
    expect(out).toMatch(/daily +new messages 0 of 50 on the busiest day; within the limit/);
    expect(service.connections()).toBe(0);
  });

  it('tells which gates would have too few samples, as a run against a service does before it sends', async () => {
    const file = scenarioFile(
      'name: short\njourneys: { a: { steps: [createConversation: {}] } }\nload: { model: burst, count: 2 }\ngates: { http_req_duration: p(95)<300 }\n',
    );
    const told = 'spillway: the gate http_req_duration: p(95)<300 needs 59 samples, and the forecast has 3 at most';
    expect((await typed(['plan', file])).err).toContain(told);
    expect((await typed(['plan', file, '--once'])).err).toBe('');
    const more = await typed([
      'plan',
      file,
      '--gate',
      'limit.daily: held',
      '--gate',
      'http_req_failed: bound(rate)<0.1',
    ]);
    expect(more.err).toContain(told);
    expect(more.err).toContain('the gate http_req_failed: bound(rate)<0.1 needs 29 samples');
    expect(more.err).toContain('the gate limit.daily: held needs a refusal by this limit, and the forecast has none');
    const service = await serveBadly();
    const run = ['run', file, '--target', service.url, '--quiet', '--out', join(temporaryFolder(), 'run')];
    const { err } = await typed(run, temporaryFolder(), someCredentials);
    await service.close();
    expect(err).toContain(told);
  });

  it('reports the budget that would refuse a run against a service other than the embedded sandbox', async () => {
    const file = scenarioFile(
      'name: dear\nprofile: { budget: { messages: 1 } }\njourneys: { a: { steps: [createConversation: {}, sendMessage: { message: Hi }] } }\nload: { model: burst, count: 2 }\n',
    );
    const remote = ['plan', file, '--target', 'http://127.0.0.1:1'];
    const told =
      'budget.messages: the plan may send 2 messages, the budget is 1; send less, or raise the budget in the profile\n';
    const people = await typed(remote);
    expect(people.code).toBe(0);
    expect(people.out.endsWith(`\nspillway run would refuse this plan:\n  ${told}`)).toBe(true);
    const [first = ''] = (await typed([...remote, '--json'])).out.split('\n');
    expect(JSON.parse(first)).toMatchObject({ kind: 'price', wouldRefuse: [{ path: 'budget.messages' }] });
    expect((await typed(['plan', file])).out).not.toContain('budget');
  });

  it('refuses headers that no request can carry, and needs none that are not set', async () => {
    const profile = join(temporaryFolder(), 'gateway.yaml');
    writeFileSync(
      profile,
      'name: p\nclient: { headers: { x-key: "${env.NOT_SET}", x-other: "${env.GATEWAY_WORD}", x-third: é } }\n',
    );
    const args = ['plan', shipped('smoke.yaml'), '--profile', profile, '-e', 'GATEWAY_WORD=recognisable '];
    const { code, err } = await typed([...args, '--target', 'http://127.0.0.1:1']);
    const unfit =
      'has a value that is not allowed in a header; use printable ASCII without line breaks or surrounding blanks';
    expect([code, err.split('\n').slice(1, -1)]).toEqual([
      104,
      [`${profile} client.headers.x-other: ${unfit}`, `${profile} client.headers.x-third: ${unfit}`],
    ]);
    expect((await typed(args)).code).toBe(0);
  });

  it('ends when the reader of its arrivals closes the pipe, however many there are', {
    timeout: PATIENCE_MS,
  }, async () => {
    // The deadline ends the forecast early, not the list of arrivals.
    const file = scenarioFile(
      'name: endless\ndeadline: 50ms\njourneys: { a: { steps: [createConversation: {}] } }\nload: { model: constant-rate, rate: 10000/s, duration: 20h }\n',
    );
    const { child, finished, text } = startSpillway(['plan', file, '--json']);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await finished).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(/^\{"format":"spillway-plan","version":1,"kind":"price","scenario":"endless"/);
  });

  it('writes nothing into the folder in which it runs', async () => {
    const cwd = temporaryFolder();
    expect((await typed(['plan', shipped('tour.yaml')], cwd)).code).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

async function planWith(warmUp: string): Promise<string> {
  const file = scenarioFile(`
name: warm
warmUp: ${warmUp}
journeys: { a: { steps: [createConversation: {}] } }
load: { model: constant-rate, rate: 5/s, duration: 3s }
`);
  const { code, out } = await typed(['plan', file, '--arrivals', '1'], temporaryFolder());
  expect(code).toBe(0);
  return out;
}

// The last arrival is intended at 2.8 s.
it.each([
  ['1s', '  warm-up          until 1.00 s: left out of all metrics\n\n'],
  ['2s', '  warm-up          until 2.00 s: left out of all metrics\n\n'],
  ['3s', '  warm-up          until 3.00 s: the whole plan, so that nothing would be measured\n\n'],
])('plan says that a warm-up of %s leaves out the beginning, or everything', async (warmUp, line) => {
  expect(await planWith(warmUp)).toContain(`5 per second for 3.00 s\n${line}`);
});

it('plan says nothing of a warm-up that a scenario does not have', async () => {
  expect(await planWith('0s')).toContain('5 per second for 3.00 s\n\n');
});
