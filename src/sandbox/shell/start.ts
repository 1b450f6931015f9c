import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { ConfigurationError, freshUuid } from '../../base/index.ts';
import { type ApplicationCredentials, type SandboxConfig, type SandboxSettings, settle } from '../config.ts';
import { createCore } from '../core.ts';
import type { Ids } from '../ids.ts';
import { LibsqlStore } from '../stores/index.ts';
import type { ClockMapping } from './clock.ts';
import { commitsOf } from './commits.ts';
import { addControlPlane } from './control.ts';
import { credentialsFor } from './credentials.ts';
import { addDocumentation } from './docs.ts';
import { createHttp } from './http.ts';
import { savedFrom, startClock } from './start-clock.ts';
import { serveStreams } from './web-socket.ts';

/** A sandbox that serves. */
export interface RunningSandbox {
  /** Base address without a trailing slash: `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** Credentials included: the one way to learn those that were made at random. Those in `restored` are missing. */
  readonly applications: readonly ApplicationCredentials[];
  /** Labels of the applications whose credentials an earlier process of the same store has shown. */
  readonly restored: readonly string[];
  /** As it was at the start. */
  readonly clock: ClockMapping;
  /** Lets a held clock run. @returns how it maps from now on */
  begin(): ClockMapping;
  /**
   * Stops listening and closes every connection and stream.
   * @throws SpillwayError STORE_FAILED when what was decided last cannot be kept
   */
  close(): Promise<void>;
}

const randomIds: Ids = { uuid: freshUuid, token: () => randomBytes(32).toString('base64url') };

/**
 * Starts a sandbox.
 * @param held its clock stands still until `begin` is called: who starts it has more to prepare, and the hours of a fast clock
 *   would pass meanwhile; default false
 * @throws ConfigurationError with every problem of the settings at once, or when the address cannot be listened on, or when
 *   the store's file cannot be used
 */
export async function startSandbox(settings: SandboxSettings, held = false): Promise<RunningSandbox> {
  const config = settle(settings);
  const store = config.store === undefined ? undefined : new LibsqlStore(config.store, config.retention, config.seed);
  try {
    return await serve(config, { store, held });
  } catch (error) {
    // Whoever has not been shown the credentials of a new store finds none in it the next time.
    store?.abandon();
    throw error;
  }
}

interface Beginning {
  readonly store: LibsqlStore | undefined;
  readonly held: boolean;
}

async function serve(config: SandboxConfig, { store, held }: Beginning): Promise<RunningSandbox> {
  const applications = credentialsFor(config.applications, store);
  const clock = startClock(config, { saved: store?.clock, held });
  const core = createCore({ config, applications, ids: randomIds, ...(store && { store }) });
  store?.saveClock(savedFrom(clock));
  const shell = { core, clock, config, commits: commitsOf(store), ...(store && { store }) };
  const http = createHttp(shell);
  if (config.control) addControlPlane(http, shell);
  addDocumentation(http, shell);
  const closeStreams = serveStreams(http.server, shell);
  await listen(http, config, store);
  const { port } = http.server.address() as AddressInfo;
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    port,
    applications: applications.filter((each) => 'clientId' in each),
    restored: applications.filter((each) => 'pair' in each).map(({ label }) => label),
    clock: clock.mapping,
    begin() {
      clock.begin?.();
      return clock.mapping;
    },
    close: async () => {
      closeStreams();
      await http.close();
      store?.close();
    },
  };
}

/** What the service begins with is kept once it listens, and not before; where either cannot be, it does neither. */
async function listen(
  http: ReturnType<typeof createHttp>,
  { host, port }: SandboxConfig,
  store: LibsqlStore | undefined,
): Promise<void> {
  try {
    await http.listen({ host, port });
    store?.commit();
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
      EADDRNOTAVAIL: { path: 'host', message: `${host} is not an address of this machine`, hint: 'use 127.0.0.1' },
      ENOTFOUND: { path: 'host', message: `the host ${host} is not known`, hint: 'use 127.0.0.1' },
    };
    const reason = reasons[code ?? ''];
    throw reason ? new ConfigurationError([reason]) : error;
  }
}
