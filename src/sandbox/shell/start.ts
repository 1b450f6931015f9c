import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { ConfigurationError, freshUuid } from '../../base/index.ts';
import { type ApplicationCredentials, type SandboxConfig, type SandboxSettings, settle } from '../config.ts';
import { createCore } from '../core.ts';
import type { Ids } from '../ids.ts';
import { type ClockMapping, startClock } from './clock.ts';
import { addControlPlane } from './control.ts';
import { createHttp } from './http.ts';
import { serveStreams } from './web-socket.ts';

/** A sandbox that serves. */
export interface RunningSandbox {
  /** Base address without a trailing slash: `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Credentials included: the one way to learn those that were made at random. */
  readonly applications: readonly ApplicationCredentials[];
  readonly clock: ClockMapping;
  /** Stops listening and closes every connection and stream. */
  close(): Promise<void>;
}

const randomIds: Ids = { uuid: freshUuid, token: () => randomBytes(32).toString('base64url') };

/**
 * Starts a sandbox.
 * @throws ConfigurationError with every problem of the settings at once, or when the address cannot be listened on
 */
export async function startSandbox(settings: SandboxSettings): Promise<RunningSandbox> {
  const config = settle(settings);
  const applications = config.applications.map(withCredentials);
  const clock = startClock(config.clockRate, config.startTime);
  const shell = { core: createCore({ config, applications, ids: randomIds }), clock, config };
  const http = createHttp(shell);
  if (config.control) addControlPlane(http, shell);
  const closeStreams = serveStreams(http.server, shell);
  await listen(http, config);
  const { port } = http.server.address() as AddressInfo;
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    port,
    applications,
    clock: clock.mapping,
    close: async () => {
      closeStreams();
      await http.close();
    },
  };
}

function withCredentials({
  label,
  clientId,
  clientSecret,
}: SandboxConfig['applications'][number]): ApplicationCredentials {
  return {
    label,
    clientId: clientId ?? `client_${randomBytes(12).toString('hex')}`,
    clientSecret: clientSecret ?? randomBytes(32).toString('base64url'),
  };
}

async function listen(http: ReturnType<typeof createHttp>, { host, port }: SandboxConfig): Promise<void> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    await http.close();
    const code = (error as NodeJS.ErrnoException).code;
    const reasons: Record<string, { path: string; message: string; hint: string }> = {
      EADDRINUSE: {
        path: 'port',
        message: `port ${port} on ${host} is in use`,
        hint: 'choose another one, or 0 for a free one',
      },
      EACCES: { path: 'port', message: `port ${port} may not be used by this user`, hint: 'choose one above 1023' },
      EADDRNOTAVAIL: { path: 'host', message: `${host} is no address of this machine`, hint: 'use 127.0.0.1' },
      ENOTFOUND: { path: 'host', message: `the host ${host} is not known`, hint: 'use 127.0.0.1' },
    };
    const reason = reasons[code ?? ''];
    throw reason ? new ConfigurationError([reason]) : error;
  }
}
