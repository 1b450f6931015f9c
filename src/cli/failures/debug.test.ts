import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, serveSandbox, shipped, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

describe.concurrent('--once --debug', { timeout: PATIENCE_MS }, () => {
  it('runs one journey and shows each exchange on the wire, redacted', async () => {
    const sandbox = await serveSandbox('--queued', 'constant:50ms', '--processing', 'constant:600ms');
    const folder = join(temporaryFolder(), 'out');
    const all = ['run', shipped('smoke.yaml'), '--once', '--debug', '--target', sandbox.url, '--out', folder];
    const { code, err, out } = await typed(all, undefined, sandbox.env);
    await sandbox.stop();
    expect(code, err).toBe(0);
    const { exchanges, journeys } = resultsIn(folder);
    expect(journeys).toHaveLength(1);
    const shown = [...err.matchAll(/^> (GET|POST) (\S+)$/gm)].map(([, method, path]) => `${method} ${path}`);
    expect(shown).toHaveLength(exchanges.length);
    expect(shown.slice(0, 3)).toEqual([
      'POST /api/partners/v1/tokens',
      'POST /api/partners/v1/conversations',
      'POST /api/partners/v1/conversations',
    ]);
    expect(err.match(/^> authorization: Basic \[redacted\]$/gm)).toHaveLength(1);
    expect(err.match(/^> authorization: Bearer \[redacted\]$/gm)).toHaveLength(exchanges.length - 1);
    expect(err).toContain('"message":"Hello, is anybody there? [');
    expect(err).toContain('"access_token":"[redacted]"');
    expect(err + out).not.toContain(sandbox.clientSecret);
  });

  it('shows the events of a stream', async () => {
    const scenario = scenarioFile(`name: stream
journeys: { ask: { steps: [createConversation: {}, sendMessage: { message: Hello }, followTurn: { by: stream }] } }
load: { model: burst, count: 5 }
sandbox: { latency: { queued: { distribution: constant, value: 1ms }, processing: { distribution: constant, value: 1ms } } }`);
    const { code, err } = await typed(['run', scenario, '--once', '--debug']);
    expect(code, err).toBe(0);
    expect(err).toMatch(/^ {3}stream completed #\d+ at \d\.\d{6} s$/m);
    expect(err.match(/^> POST .*\/messages$/gm)).toHaveLength(1);
  });
});
