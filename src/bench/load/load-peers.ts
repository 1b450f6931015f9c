import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { GENERATOR_CORE, runPinned, trusting, versionOf } from '../processes.ts';
import { originOf } from './load-server.ts';
import { peerRequest } from './load-workloads.ts';
import { headerFlags, type Peer, type PeerLoad, type Rate, rate, read, unchecked, url, withFile } from './peer.ts';

const { path, body, headers } = peerRequest;

const luaScript = [
  'wrk.method = "POST"',
  `wrk.body = ${JSON.stringify(body).replaceAll("'", "\\'")}`,
  ...Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`),
].join('\n');

const k6Script = `
  import http from 'k6/http';
  export default () => http.post(__ENV.TARGET, ${JSON.stringify(body)}, { headers: ${JSON.stringify(headers)} });
`;

/** Sends the arrivals of a phase, however long that takes. */
export function artillery(load: Pick<PeerLoad, 'port' | 'ca'>, phase: Readonly<Record<string, number>>): Promise<Rate> {
  const config = { target: originOf(load), phases: [phase], tls: { rejectUnauthorized: false } };
  const post = { url: path, headers, json: JSON.parse(body) as unknown };
  const script = JSON.stringify({ config, scenarios: [{ flow: [{ post }] }] });
  return withFile('artillery.json', script, async (file) => {
    const done = await runPinned(GENERATOR_CORE, ['artillery', 'run', '--quiet', '-o', `${file}.out`, file]);
    return rate(done, read(readFileSync(`${file}.out`, 'utf8'), /"http\.responses":\s*(\d+)/));
  });
}

/** Runs a generator in a file of this folder, which prints its rate as JSON. */
const inFile =
  (file: string): Peer['run'] =>
  async ({ connections, warmUp, seconds, ...server }) => {
    const child = fileURLToPath(new URL(file, import.meta.url));
    const numbers = [connections, warmUp, seconds].map(String);
    const command = [process.execPath, '--import', 'jiti/register', child, originOf(server), ...numbers];
    const done = await runPinned(GENERATOR_CORE, command, { ...process.env, ...trusting(server.ca) });
    return JSON.parse(done.stdout) as Rate;
  };

export const peers: readonly Peer[] = [
  {
    name: 'bare sockets of Node',
    version: () => process.version.slice(1),
    install: 'Node itself',
    run: inFile('bare-loop.ts'),
  },
  {
    name: 'autocannon',
    version: () => (createRequire(import.meta.url)('autocannon/package.json') as { version: string }).version,
    install: 'npm install (it is among the dependencies)',
    run: inFile('autocannon-child.ts'),
  },
  {
    name: 'wrk',
    version: () => versionOf(['wrk', '-v'], /wrk (?:debian\/)?([\d.]+)/),
    install: 'apt-get install wrk',
    run: (load) =>
      withFile('post.lua', luaScript, async (file) => {
        const flags = ['-t1', `-c${load.connections}`, `-d${load.seconds}`, '-s', file];
        const done = await runPinned(GENERATOR_CORE, ['wrk', ...flags, url(load)]);
        if (/Non-2xx|Socket errors/.test(done.stdout)) throw new Error(done.stdout);
        return rate(done, read(done.stdout, /(\d+) requests in/));
      }),
  },
  {
    name: 'h2load',
    version: () => versionOf(['h2load', '--version'], /nghttp2\/([\d.]+)/),
    install: 'apt-get install nghttp2-client',
    run: (load) =>
      withFile('body.json', body, async (file) => {
        const flags = ['--h1', '-t1', `-c${load.connections}`, `-D${load.seconds}`, '-d', file, ...headerFlags('-H')];
        const done = await runPinned(GENERATOR_CORE, ['h2load', ...flags, url(load)]);
        return rate(done, read(done.stdout, /status codes: (\d+) 2xx/));
      }),
  },
  {
    name: 'hey',
    version: () => versionOf(['hey', '-h'], /(Usage)/) && '',
    install: 'apt-get install hey',
    async run(load) {
      const flags = ['-cpus', '1', '-c', String(load.connections), '-z', `${load.seconds}s`, '-m', 'POST', '-d', body];
      const done = await runPinned(GENERATOR_CORE, ['hey', ...flags, ...headerFlags('-H'), url(load)]);
      return rate(done, read(done.stdout, /\[20\d\]\s+(\d+) responses/));
    },
  },
  {
    name: 'oha',
    version: () => versionOf(['oha', '--version'], /oha ([\d.]+)/),
    install: 'cargo install --locked oha',
    async run(load) {
      const output = ['--no-tui', '--output-format', 'json', ...unchecked(load, '--insecure')];
      const flags = ['-c', String(load.connections), '-z', `${load.seconds}s`, '-m', 'POST', '-d', body];
      const done = await runPinned(GENERATOR_CORE, ['oha', ...output, ...flags, ...headerFlags('-H'), url(load)]);
      return rate(done, read(done.stdout, /"20\d":\s*(\d+)/));
    },
  },
  {
    name: 'vegeta',
    version: () => versionOf(['vegeta', '-version'], /Version:\s*v?([\d.]*)/),
    install: 'go install github.com/tsenart/vegeta/v12@latest',
    run: (load) =>
      withFile('body.json', body, async (file) => {
        const flags = [
          '-rate=0',
          `-max-workers=${load.connections}`,
          `-duration=${load.seconds}s`,
          `-body=${file}`,
          ...unchecked(load, '-insecure'),
        ];
        const attack = ['vegeta', 'attack', ...flags, ...headerFlags('-header')];
        const shell = 'echo "POST $0" | "$@" | vegeta report -type=json';
        const done = await runPinned(GENERATOR_CORE, ['sh', '-c', shell, url(load), ...attack]);
        return rate(done, read(done.stdout, /"requests":(\d+)/));
      }),
  },
  {
    name: 'k6',
    version: () => versionOf(['k6', 'version'], /k6 v?([\d.]+)/),
    install: 'go install go.k6.io/k6@latest',
    run: (load) =>
      withFile('script.js', k6Script, async (file) => {
        const summary = `${file}.json`;
        const flags = [
          'run',
          '--quiet',
          '--vus',
          String(load.connections),
          '--duration',
          `${load.seconds}s`,
          ...unchecked(load, '--insecure-skip-tls-verify'),
        ];
        const env = { ...process.env, TARGET: url(load), GOMAXPROCS: '1' };
        const done = await runPinned(GENERATOR_CORE, ['k6', ...flags, '--summary-export', summary, file], env);
        return rate(done, read(readFileSync(summary, 'utf8'), /"http_reqs":\s*\{[^}]*"count":\s*(\d+)/));
      }),
  },
  {
    name: 'artillery',
    version: () => versionOf(['artillery', '--version'], /Artillery:\s*([\d.]+)/i),
    install: 'npm install --global artillery',
    async run(load) {
      // Starting Artillery takes longer than the requests, so a run of one request is subtracted.
      const bare = await artillery(load, { duration: 1, arrivalCount: 1 });
      const full = await artillery(load, { duration: 1, arrivalRate: 2_000 });
      return {
        requests: full.requests - bare.requests,
        // Start and end of the program vary by more than the requests take.
        seconds: undefined,
        cpuSeconds:
          full.cpuSeconds === undefined || bare.cpuSeconds === undefined
            ? undefined
            : full.cpuSeconds - bare.cpuSeconds,
      };
    },
  },
];
