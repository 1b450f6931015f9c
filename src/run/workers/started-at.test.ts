import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Header } from '../../history/index.ts';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

const scenario = `
name: started
users: 2
journeys: { a: { steps: [createConversation: {}], onError: continue } }
load: { model: constant-rate, rate: 40/s, duration: 1s }
`;

it.each([1, 2])('of a run of %i workers is the wall clock at run time 0', { timeout: PATIENCE_MS }, async (workers) => {
  const came: number[] = [];
  const service = await serveBadly({
    createConversation: ({ response }) => {
      came.push(Date.now());
      response.writeHead(500).end();
    },
  });
  const out = join(temporaryFolder(), 'out');
  const args = ['run', scenarioFile(scenario), '--quiet', '--yes', '--target', service.url, '--out', out];
  await typed([...args, '--workers', `${workers}`], undefined, someCredentials);
  await service.close();
  const [line = ''] = readFileSync(join(out, 'history.ndjson'), 'utf8').split('\n', 1);
  const startedAt = Date.parse((JSON.parse(line) as Header).startedAt);
  const sent = resultsIn(out)
    .exchanges.filter(({ operation }) => operation === 'createConversation')
    .map(({ sentAt }) => startedAt + sentAt / 1_000)
    .toSorted((a, b) => a - b);
  expect(sent).toHaveLength(came.length);
  // The quickest of forty: a busy machine may hold any one of them up.
  const quickest = Math.min(...came.map((at, n) => at - (sent[n] ?? 0)));
  expect(quickest).toBeGreaterThan(-5);
  expect(quickest).toBeLessThan(100);
});
