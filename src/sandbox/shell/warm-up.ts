import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';
import { type OperationId, operations, pathOf } from '../../api/index.ts';
import { monotonicNow } from '../../base/index.ts';
import type { LimitsConfig } from '../config/limits.ts';
import { type SandboxSettings, settle } from '../config.ts';
import { type RunningSandbox, startCold } from './start.ts';

/** Warm-up time. The first round alone takes about as long. */
const BUDGET_US = 40_000;
const instant = { distribution: 'constant', value: '1us' } as const;

/** Warms up, then starts the sandbox. The service's clock does not run during the warm-up. @throws as startCold */
export async function startWarm(settings: SandboxSettings, held = false): Promise<RunningSandbox> {
  await warmUp(settings);
  return startCold(settings, held);
}

/**
 * Sends every operation to a temporary sandbox in this process. Code that runs for the first time is slow, tens of milliseconds in
 * all, which would be measured as latency of the service.
 * @param settings of the sandbox to be started; the temporary one has the same limits, but does not queue requests for long
 * @returns the statuses of the first round, by operation
 * @throws ConfigurationError with every problem of the settings
 */
export async function warmUp(settings: SandboxSettings): Promise<Statuses> {
  const limits = withShortQueues(settle(settings).limits);
  const sandbox = await startCold({ limits, latency: { queued: instant, processing: instant } });
  const agent = new Agent({ keepAlive: true });
  try {
    const enoughAt = monotonicNow() + BUDGET_US;
    const first = await journey(sandbox, agent);
    while (monotonicNow() < enoughAt) await journey(sandbox, agent);
    return first;
  } finally {
    agent.destroy();
    await sandbox.close();
  }
}

/** A queue holds every request back, at 20 per minute by 3 s each. */
const withShortQueues = ({ rate, ...others }: LimitsConfig) => ({
  ...others,
  rate: rate.map((limit) => (limit.algorithm === 'leaky-queue' ? { ...limit, window: `${limit.max}ms` } : limit)),
});

type Statuses = Readonly<Partial<Record<OperationId, number>>>;

/** Sends every operation once. If a limit refuses one, the later ones fail, which warms up that code as well. */
async function journey({ url, applications }: RunningSandbox, agent: Agent): Promise<Statuses> {
  const statuses: Partial<Record<OperationId, number>> = {};
  const ask = async (operation: OperationId, authorization: string, id: string, body?: object) => {
    const { method, path } = operations[operation];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, id] as const);
    const headers = { authorization, 'content-type': 'application/json' };
    const sent = request(`${url}${pathOf(path, Object.fromEntries(names))}`, { agent, method, headers });
    sent.end(body && JSON.stringify(body));
    const [answer] = await once(sent, 'response');
    statuses[operation] = answer.statusCode;
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk;
    return (name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? 'none';
  };
  const { clientId = '', clientSecret = '' } = applications[0] ?? {};
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const user = { external_user_id: 'warm-up', locale: 'en', timezone: 'UTC' };
  const bearer = `Bearer ${(await ask('issueToken', basic, '', user))('access_token')}`;
  const conversation = (await ask('createConversation', bearer, '', { title: 'Warm-up' }))('conversation_id');
  const message = { client_message_id: 'm', message: 'warm-up', location: { city: 'x' } };
  const turn = (await ask('sendMessage', bearer, conversation, message))('turn_id');
  const answer = (await ask('readTurn', bearer, turn))('assistant_message_id');
  await ask('readHistory', bearer, conversation);
  await ask('rateAnswer', bearer, answer, { rating: 'up' });
  statuses.openStream = await stream(`${url}${pathOf(operations.openStream.path, { turn_id: turn })}`, bearer);
  return statuses;
}

/** Reads a stream to its end. @returns the status of the handshake */
function stream(address: string, authorization: string): Promise<number> {
  return new Promise((resolve) => {
    let status = 101;
    const socket = new WebSocket(address.replace('http', 'ws'), { headers: { authorization } });
    socket.on('unexpected-response', (_request, response) => {
      status = response.statusCode ?? 0;
      socket.terminate();
    });
    socket.on('error', () => undefined).on('close', () => resolve(status));
  });
}
