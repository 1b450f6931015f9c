import { cpuUsage } from 'node:process';
import autocannon from 'autocannon';
import { peerRequest } from './load-workloads.ts';

/* Runs autocannon in its own process after a warm-up: node autocannon-child.ts ORIGIN CONNECTIONS WARM_UP SECONDS [RATE]. Prints JSON. */

const [origin = '', ...numbers] = process.argv.slice(2);
const [connections = 50, warmUp = 2, duration = 3, overallRate] = numbers.map(Number);
const { path, body, headers } = peerRequest;
const load = (seconds: number) =>
  autocannon({
    url: `${origin}${path}`,
    connections,
    duration: seconds,
    method: 'POST',
    body,
    headers,
    ...(overallRate && { overallRate }),
  });

if (warmUp > 0) await load(warmUp);
const before = cpuUsage();
const { requests, errors, non2xx, duration: seconds } = await load(duration);
const { user, system } = cpuUsage(before);
if (errors + non2xx > 0) throw new Error(`${errors} errors, ${non2xx} answers without 2xx`);
process.stdout.write(JSON.stringify({ requests: requests.total, seconds, cpuSeconds: (user + system) / 1e6 }));
