import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';
import { run, twoMessages } from './partner-run.exam.ts';

/** One message whose turn never ends, polled a hundred times a second: many more polls than the forecast assumes. */
const endless = (budget: string, deadline: string, users = 1) =>
  scenarioFile(`name: endless
profile: { name: partner, limits: { rate: { max: 100000 } }, budget: ${budget} }
${WHATEVER_THE_MACHINE}
users: ${users}
journeys:
  ask:
    steps: [createConversation: {}, sendMessage: { message: Hello }, followTurn: { interval: 10ms, deadline: ${deadline} }]
load: { model: burst, count: ${users} }
`);

async function runEndless(scenario: string, ...more: readonly string[]) {
  const service = await serveBadly({
    readTurn: ({ response, parameters }) => {
      const at = new Date().toISOString();
      const turn = {
        turn_id: parameters.turn_id,
        conversation_id: UUID,
        status: 'queued',
        created_at: at,
        updated_at: at,
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(turn));
    },
  });
  try {
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', scenario, '--target', service.url, '--out', folder, '--quiet', ...more];
    return { ...(await typed(all, undefined, someCredentials)), folder, asked: [...service.asked] };
  } finally {
    await service.close();
  }
}
const UUID = '0190a1b2-0000-4000-8000-000000000001';

describe.concurrent('a budget', { timeout: PATIENCE_MS }, () => {
  it('is never exceeded, however often the service makes it poll', async () => {
    const { code, err, out, folder, asked } = await runEndless(endless('{ requests: 60 }', '5s'));
    expect(code, err).toBe(108);
    expect(asked).toHaveLength(60);
    expect(err).toContain(
      "spillway: the profile's budget of 60 requests is spent: nothing more was sent; raise it (budget.requests), or send less\n",
    );
    expect(out).toContain('cut short because its budget was spent');
    const { exchanges, records, summary } = resultsIn(folder);
    // Every request that was sent was also answered.
    expect(exchanges.map(({ outcome }) => outcome)).toEqual(exchanges.map(() => 'answered'));
    expect(exchanges).toHaveLength(60);
    expect(records.at(-1)).toMatchObject({ kind: 'end', complete: false, reason: 'budget' });
    expect(summary().turns).toMatchObject({ accepted: 1, unfinished: 1 });
    const checked = await typed(['check', folder, '--json']);
    expect([checked.code, checked.err.split('\n').at(-2)]).toEqual([
      108,
      'spillway: during the run: its budget was spent',
    ]);
    expect(JSON.parse(checked.out).run).toEqual({ incompleteBecause: 'budget' });
  });

  it('is kept by all workers together', async () => {
    const { code, err, folder, asked } = await runEndless(endless('{ requests: 120 }', '5s', 2), '--workers', '2');
    expect(code, err).toBe(108);
    expect(asked).toHaveLength(120);
    expect(new Set(resultsIn(folder).exchanges.map(({ worker }) => worker))).toEqual(new Set([1, 2]));
  });

  it('is shared by all rounds; the last round may have none left', async () => {
    const twice = await runEndless(endless('{ requests: 14 }', '200ms'), '--repeat', '2');
    expect(twice.code, twice.err).toBe(108);
    expect(twice.asked).toHaveLength(14);
    const exact = await run(twoMessages('budget: { requests: 12 }'), '--repeat', '2');
    expect(exact.code, exact.err).toBe(0);
    expect(exact.asked).toBe(12);
  });

  it('of messages counts every attempt to send one', async () => {
    const service = await serveBadly({ sendMessage: ({ response }) => void response.writeHead(500).end() });
    try {
      const stubborn = scenarioFile(`name: stubborn
profile: { name: partner, budget: { messages: 2 } }
onError: { retry: { max: 5, backoff: { first: 1ms } } }
journeys: { ask: { steps: [createConversation: {}, sendMessage: { message: Hello }] } }
load: { model: burst, count: 1 }
`);
      const folder = join(temporaryFolder(), 'out');
      const { code, err } = await typed(
        ['run', stubborn, '--target', service.url, '--out', folder, '-q'],
        undefined,
        someCredentials,
      );
      expect(code, err).toBe(108);
      expect(err).toContain("the profile's budget of 2 messages is spent");
      expect(service.asked).toEqual(['issueToken', 'createConversation', 'sendMessage', 'sendMessage']);
    } finally {
      await service.close();
    }
  });

  it('does not apply to the embedded sandbox', async () => {
    const folder = join(temporaryFolder(), 'out');
    const { code, err } = await typed(['run', twoMessages('budget: { requests: 1 }'), '--out', folder, '-q']);
    expect(code, err).toBe(0);
  });
});
