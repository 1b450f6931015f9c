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

export interface RunningSandbox {
  /** Base address without a trailing slash: `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly port: number;
  /** The applications with their credentials, except those in `restored`. This is the only place that shows random credentials. */
  readonly applications: readonly ApplicationCredentials[];
  /** Labels of the applications whose credentials an earlier process with the same store has shown. */
  readonly restored: readonly string[];
  /** The mapping at the start. */
  readonly clock: ClockMapping;
  /** Starts a held clock. @returns its mapping from now on */
  begin(): ClockMapping;
  /**
   * Stops listening and closes every connection and stream.
   * @throws SpillwayError STORE_FAILED if the last decisions cannot be stored
   */
  close(): Promise<void>;
}

const randomIds: Ids = { uuid: freshUuid, token: () => randomBytes(32).toString('base64url') };

/**
 * Starts a sandbox whose code has not run yet: its first answers are slow.
 * @param held the clock stands still until `begin` is called, so that a fast clock does not advance while the caller prepares;
 *   default false
 * @throws ConfigurationError with every problem of the settings at once, or when the address cannot be listened on, or when
 *   the store's file cannot be used
 */
export async function startCold(settings: SandboxSettings, held = false): Promise<RunningSandbox> {
  const config = settle(settings);
  const store = config.store === undefined ? undefined : new LibsqlStore(config.store, config.retention, config.seed);
  try {
    return await serve(config, { store, held });
  } catch (error) {
    // Does not commit: the user has not seen the generated credentials, so they must not be in the file.
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

/** Listens, then commits the initial state. If either fails, closes the server. */
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
    const foreign = { path: 'host', message: `${host} is not an address of this machine`, hint: 'use 127.0.0.1' };
    const reasons: Record<string, { path: string; message: string; hint: string }> = {
      EADDRINUSE: {
        path: 'port',
        message: `port ${port} on ${host} is in use`,
        hint: 'choose another one, or 0 for a free one',
      },
      EACCES: { path: 'port', message: `port ${port} may not be used by this user`, hint: 'choose one above 1023' },
      EADDRNOTAVAIL: foreign,
      EAFNOSUPPORT: foreign,
      EINVAL: {
        path: 'host',
        message: `${host} is not an address to listen on`,
        hint: 'a link-local one needs its interface, as in fe80::1%eth0',
      },
      ENOTFOUND: { path: 'host', message: `the host ${host} is not known`, hint: 'use 127.0.0.1' },
    };
    const reason = reasons[code ?? ''];
    throw reason ? new ConfigurationError([reason]) : error;
  }
}
