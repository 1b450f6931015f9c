import { CONNECTIONS, notAnswered, send } from './send.ts';

/** How many requests a generator sent while it did nothing else. */
export interface Capacity {
  readonly requests: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Requests per second of CPU time of this process: the rate of one core without other work. */
  readonly perCpuSecond: number;
}

const MESSAGES_A_JOURNEY = 10_000;

/**
 * Seconds before either is measured. Until its code is compiled, a process sends a twentieth of what it can: for two seconds on a
 * slow core (`bench/README.md`).
 */
const WARM_UP_SECONDS = 3;
const WARM_UP_US = WARM_UP_SECONDS * 1_000_000;

/** Capacity of this tool: closed loop, a fresh message each time, everything recorded. @param seconds of measuring, after the warm-up */
export async function ourCapacity(url: string, seconds: number): Promise<Capacity> {
  const stopAtUs = WARM_UP_US + seconds * 1_000_000;
  let requests = 0;
  let cpu: NodeJS.CpuUsage = { user: 0, system: 0 };
  await send({
    url,
    load: { model: 'closed-users', users: CONNECTIONS, duration: `${Math.ceil(stopAtUs / 1_000)}ms` },
    messages: MESSAGES_A_JOURNEY,
    stopAtUs,
    at: [
      { us: WARM_UP_US, act: () => (cpu = process.cpuUsage()) },
      { us: stopAtUs, act: () => (cpu = process.cpuUsage(cpu)) },
    ],
    onMessage({ receivedAt }) {
      if (receivedAt >= WARM_UP_US && receivedAt < stopAtUs) requests++;
    },
  });
  return capacityOf(requests, seconds, cpu);
}

/** Capacity of autocannon: closed loop, no rate (its correction for one is wrong), the same body every time, nothing recorded. */
export async function peerCapacity(url: string, seconds: number): Promise<Capacity> {
  // Loaded only here, so that no other command pays for it.
  const { default: autocannon } = await import('autocannon');
  const settings = {
    url: `${url}/api/partners/v1/conversations/00000000-0000-4000-8000-000000000000/messages`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer calibration' },
    body: JSON.stringify({
      client_message_id: '00000000-0000-4000-8000-000000000000',
      message: 'How precisely can you pace? [00000000]',
    }),
    connections: CONNECTIONS,
  } as const;
  await autocannon({ ...settings, duration: WARM_UP_SECONDS });
  const before = process.cpuUsage();
  const result = await autocannon({ ...settings, duration: seconds });
  if (result.errors > 0) throw notAnswered(result.errors);
  return capacityOf(result.requests.total, result.duration, process.cpuUsage(before));
}

function capacityOf(requests: number, seconds: number, cpu: NodeJS.CpuUsage): Capacity {
  const cpuSeconds = (cpu.user + cpu.system) / 1_000_000;
  return {
    requests,
    seconds,
    perSecond: requests / seconds,
    perCpuSecond: cpuSeconds === 0 ? 0 : requests / cpuSeconds,
  };
}
