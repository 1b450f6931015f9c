import { fileURLToPath } from 'node:url';
import { runOwn } from '../load/load-own.ts';
import { artillery, peers } from '../load/load-peers.ts';
import { originOf } from '../load/load-server.ts';
import { paced, peerRequest } from '../load/load-workloads.ts';
import { headerFlags, url, withFile } from '../load/peer.ts';
import { GENERATOR_CORE, runPinned } from '../processes.ts';

export interface PacedLoad {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** Requests per second of all connections together. */
  readonly rate: number;
}

/** A generator that can send at a given rate. */
export interface Pacer {
  readonly name: string;
  /** Undefined if it is not installed. */
  readonly version: string | undefined;
  readonly install: string;
  /** Higher rates are skipped. Default: none. */
  readonly highestRate?: number;
  send(load: PacedLoad): Promise<unknown>;
}

const { body, headers } = peerRequest;
const run = (command: readonly string[], env = process.env) => runPinned(GENERATOR_CORE, command, env);

const k6Script = `
  import http from 'k6/http';
  const { TARGET, RATE, SECONDS, VUS } = __ENV;
  const load = { executor: 'constant-arrival-rate', rate: Number(RATE), timeUnit: '1s', duration: SECONDS + 's', preAllocatedVUs: Number(VUS) };
  export const options = { scenarios: { load } };
  export default () => http.post(TARGET, ${JSON.stringify(body)}, { headers: ${JSON.stringify(headers)} });
`;

const known = (name: string, send: Pacer['send'], highestRate?: number): Pacer => {
  const peer = peers.find((one) => one.name === name);
  if (!peer) throw new Error(`no peer is called ${name}`);
  return {
    name,
    version: peer.version(),
    install: peer.install,
    ...(highestRate !== undefined && { highestRate }),
    send,
  };
};

export const pacers: readonly Pacer[] = [
  {
    name: 'spillway',
    version: '',
    install: '',
    async send({ seconds, rate, connections, port }) {
      (await runOwn(paced(seconds, rate, connections), port)).remove();
    },
  },
  known('autocannon', ({ port, connections, seconds, rate }) => {
    const child = fileURLToPath(new URL('../load/autocannon-child.ts', import.meta.url));
    const numbers = [connections, 0, seconds, rate].map(String);
    return run([process.execPath, '--import', 'jiti/register', child, originOf({ port }), ...numbers]);
  }),
  known('h2load', (load) =>
    withFile('body.json', body, (file) => {
      const rate = `--rps=${load.rate / load.connections}`;
      const flags = ['--h1', '-t1', `-c${load.connections}`, `-D${load.seconds}`, rate, '-d', file];
      return run(['h2load', ...flags, ...headerFlags('-H'), url(load)]);
    }),
  ),
  known('hey', (load) => {
    const each = String(load.rate / load.connections);
    const flags = ['-cpus', '1', '-c', String(load.connections), '-q', each, '-z', `${load.seconds}s`];
    return run(['hey', ...flags, '-m', 'POST', '-d', body, ...headerFlags('-H'), url(load)]);
  }),
  known('oha', (load) => {
    const flags = ['--no-tui', '-c', String(load.connections), '-q', String(load.rate), '-z', `${load.seconds}s`];
    return run(['oha', ...flags, '-m', 'POST', '-d', body, ...headerFlags('-H'), url(load)]);
  }),
  known('vegeta', (load) =>
    withFile('body.json', body, (file) => {
      const flags = [`-rate=${load.rate}/1s`, `-workers=${load.connections}`, `-duration=${load.seconds}s`];
      const attack = ['vegeta', 'attack', ...flags, `-body=${file}`, ...headerFlags('-header')];
      return run(['sh', '-c', 'echo "POST $0" | "$@" > /dev/null', url(load), ...attack]);
    }),
  ),
  known('k6', (load) =>
    withFile('script.js', k6Script, (file) => {
      const given = { TARGET: url(load), RATE: `${load.rate}`, SECONDS: `${load.seconds}`, VUS: `${load.connections}` };
      return run(['k6', 'run', '--quiet', file], { ...process.env, ...given, GOMAXPROCS: '1' });
    }),
  ),
  // It makes some 900 requests per CPU second, so higher rates would only show that it cannot keep them.
  known('artillery', ({ port, seconds, rate }) => artillery({ port }, { duration: seconds, arrivalRate: rate }), 1_000),
];
