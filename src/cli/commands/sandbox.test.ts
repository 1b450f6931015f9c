import { once } from 'node:events';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import yargs, { type CommandModule } from 'yargs';
import { defectIds } from '../../api/index.ts';
import { ConfigurationError } from '../../base/index.ts';
import { startSpillway, until } from '../../testing/cli.ts';
import { typed } from '../../testing/typed.ts';
import type { SandboxArguments } from '../options/sandbox-switches.ts';
import { sandboxCommand } from './sandbox.ts';

/** The command in a process of its own; what it prints is gathered in `text`. */
const start = (...args: string[]) => startSpillway(['sandbox', ...args]);

const issue = (url: string, id: string, secret: string) =>
  fetch(`${url}/api/partners/v1/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: '{"external_user_id":"u"}',
  });

const inYargs: CommandModule<object, SandboxArguments> = {
  ...sandboxCommand,
  command: 'sandbox',
  handler: async (args) => void (await sandboxCommand.handler(args)),
};

describe('spillway sandbox', () => {
  it('shows address and credentials once, serves with its switches and faults, and stops cleanly on SIGTERM', async () => {
    const switches = ['--token-lifetime', '2min', '--queued', 'constant:1s', '--control'];
    const { child, text } = start(
      '--port',
      '0',
      ...switches,
      '--fault',
      '*:status-503:#1',
      '--fault',
      'readTurn:stall',
    );
    await until(() => text.err.includes('Ctrl-C stops it.'), 'it serves');
    expect(text.out).toBe('');
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(text.err) ?? [];
    const [, id = ''] = /CLIENT_ID='([^']+)'/.exec(text.err) ?? [];
    const [, secret = ''] = /CLIENT_SECRET='([^']+)'/.exec(text.err) ?? [];
    expect(text.err.split(secret)).toHaveLength(2);
    expect((await issue(url, id, secret)).status).toBe(503);
    const answer = await issue(url, id, secret);
    expect([answer.status, ((await answer.json()) as { expires_in: number }).expires_in]).toEqual([201, 120]);
    expect((await fetch(`${url}/_sandbox/truth`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it('prints one line of JSON for machines, takes credentials and a defect, and stops on Ctrl-C', async () => {
    const credentials = ['--client-id', 'me', '--client-secret', 'my-own-secret'];
    // Half a minute until the service's next minute.
    const clock = ['--clock-rate', '2', '--start-time', '2026-11-21T12:00:01Z'];
    const { child, text } = start('--port', '0', '--json', ...credentials, ...clock, '--defect', 'O24');
    await until(() => text.out.endsWith('\n'), 'it says where it serves');
    const printed = JSON.parse(text.out) as { url: string; clock: { rate: number }; applications: object[] };
    expect(printed.applications).toEqual([{ label: 'a1', clientId: 'me', clientSecret: 'my-own-secret' }]);
    expect(printed.clock.rate).toBe(2);
    const issued = await issue(printed.url, 'me', 'my-own-secret');
    expect(issued.status).toBe(201);
    const { access_token } = (await issued.json()) as { access_token: string };
    const ask = () =>
      fetch(`${printed.url}/api/partners/v1/turns/x`, { headers: { authorization: `Bearer ${access_token}` } });
    const statuses: number[] = [];
    for (let i = 0; i < 22; i++) statuses.push((await ask()).status);
    // One request too many.
    expect(statuses).toEqual([...Array(21).fill(422), 429]);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(text.err).toBe('');
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'stops cleanly on %s also when it comes as soon as it says that it serves',
    async (signal) => {
      const { child } = start('--port', '0', '--json');
      child.stdout.once('data', () => child.kill(signal));
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  it('names every wrong switch at once', async () => {
    const line =
      'sandbox --port x --rate 0 --queued lognormal:2s --processing uniform:2s:1s --token-lifetime soon --start-time noon --control --host 0.0.0.0 --client-secret abc --fault readTurn:stall:p=2 --fault x:y';
    const failed = await yargs(line)
      .command(inYargs)
      .exitProcess(false)
      .fail(false)
      .parseAsync()
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(failed).toBeInstanceOf(ConfigurationError);
    expect((failed as ConfigurationError).problems.map((problem) => problem.path).sort()).toEqual([
      '--client-secret',
      '--control',
      '--fault',
      '--fault',
      '--port',
      '--processing',
      '--queued',
      '--rate',
      '--start-time',
      '--token-lifetime',
    ]);
  });

  it('takes lists and repeated switches on the whole command line, and names every wrong rule', async () => {
    const line =
      'sandbox --rate-operations readTurn,sendMessage --limit-order rate,daily,concurrency --fault x:stall --fault readTurn:stal';
    const { code, err } = await typed(line.split(' '));
    expect(code).toBe(104);
    expect(err.split('\n').slice(0, 3)).toEqual([
      'spillway: 2 problems:',
      '--fault: "x:stall": there is no operation "x"; write * for all of them',
      expect.stringContaining('--fault: "readTurn:stal": there is no fault "stal", did you mean stall'),
    ]);
  });

  it('lists the defects for people and machines, and names those that do not exist', async () => {
    const people = await typed(['sandbox', '--list-defects']);
    const machines = await typed(['sandbox', '--list-defects', '--json']);
    const unknown = await typed(['sandbox', '--defect', 'O24', '--defect', 'O99', '--defect', 'I10']);
    expect([people, machines, unknown].map(({ code }) => code)).toEqual([0, 0, 104]);
    expect(people.out).toContain('\n  O24  The counter is compared before it is incremented, off by one: ');
    const listed = JSON.parse(machines.out) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(defectIds);
    expect(unknown.err.split('\n').slice(0, 3)).toEqual([
      'spillway: 2 problems:',
      '--defect: there is no defect "O99", did you mean O19?',
      expect.stringMatching(/^--defect: I10 cannot be chosen: /),
    ]);
  });

  it('explains each switch in its help', async () => {
    const help = await yargs(['sandbox']).command(inYargs).wrap(200).getHelp();
    for (const name of [
      'port',
      'host',
      'seed',
      'clock-rate',
      'start-time',
      'rate',
      'concurrency',
      'daily',
      'queued',
      'processing',
      'failure-share',
      'token-lifetime',
      'fault',
      'defect',
      'defect-lag',
      'list-defects',
      'client-id',
      'client-secret',
      'control',
      'json',
    ]) {
      expect(help).toMatch(new RegExp(`--${name} +[A-Z][^\\n]+\\.`));
    }
    expect(help).toContain('Each turn takes a second; one in ten fails.');
  });
});
