import { connect } from 'node:net';
import * as tls from 'node:tls';
import { peerRequest } from './load-workloads.ts';

/*
 * The minimum that a generator on Node can do, in its own process: node bare-loop.ts ORIGIN CONNECTIONS WARM_UP SECONDS. Each
 * connection sends the same bytes as soon as anything arrives, checks the first digit of the status, and counts. Prints JSON.
 */

const [origin = '', ...numbers] = process.argv.slice(2);
const [connections = 50, warmUp = 2, seconds = 3] = numbers.map(Number);
const { protocol, hostname: host, port } = new URL(origin);
const isSecure = protocol === 'https:';
const { path, body, headers } = peerRequest;
const head = Object.entries({ host: `${host}:${port}`, ...headers, 'content-length': body.length });
const request = `POST ${path} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
const buffer = Buffer.allocUnsafe(65_536);
const STATUS_AT = 'HTTP/1.1 '.length;
const TWO = '2'.charCodeAt(0);

let answers = 0;
for (let i = 0; i < connections; i++) {
  const callback = (): boolean => {
    if (buffer[STATUS_AT] !== TWO) throw new Error(`no success: ${buffer.toString('latin1', 0, 40)}`);
    answers += 1;
    socket.write(request, 'latin1');
    return true;
  };
  const way = { port: Number(port), host, noDelay: true, onread: { buffer, callback } };
  const begin = () => socket.write(request, 'latin1');
  const socket = isSecure ? tls.connect(way, begin) : connect(way, begin);
}

const after = (wait: number) => new Promise((resolve) => setTimeout(resolve, wait * 1_000));
await after(warmUp);
const before = { answers, cpu: process.cpuUsage(), at: performance.now() };
await after(seconds);
const { user, system } = process.cpuUsage(before.cpu);
const rate = { seconds: (performance.now() - before.at) / 1_000, cpuSeconds: (user + system) / 1e6 };
process.stdout.write(JSON.stringify({ requests: answers - before.answers, ...rate }), () => process.exit());
