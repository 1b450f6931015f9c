import type { TargetProfile } from '../../api/index.ts';
import { type Clock, listed } from '../../base/index.ts';
import { openTransport as open, type Transport, type WarmUp } from '../../client/index.ts';
import { FIRST_TOKEN_WITHIN_US } from './first-token.ts';
import { checkOpenFiles, openFilesLimit } from './open-files.ts';
import { readCertificates } from './pem-files.ts';
import type { Target } from './target.ts';
import { unreachable } from './unreachable.ts';

const WARM_UP_DEADLINE_MS = FIRST_TOKEN_WITHIN_US / 1_000;

/**
 * Opens the transport and its sockets, before the first arrival.
 * @throws ConfigurationError for an unreadable certificate, or more sockets than the system allows; SpillwayError
 *   TARGET_UNREACHABLE if no socket opens
 * @param stopped aborted if the run is stopped meanwhile: it sends nothing any more, and gets a transport as it is
 */
export async function openTransport(
  profile: TargetProfile,
  { baseUrl, gateway }: Pick<Target, 'baseUrl'> & Partial<Pick<Target, 'gateway'>>,
  clock: Clock,
  stopped?: AbortSignal,
): Promise<Transport> {
  const { connections, proxy, transport: choice } = profile.client;
  checkOpenFiles(connections, openFilesLimit());
  const transport = await open(choice, {
    baseUrl,
    profile,
    connections,
    clock,
    ...(gateway !== undefined && { headers: gateway.headers }),
    ...readCertificates(profile.client),
    ...(proxy !== undefined && { proxy }),
  });
  const { opened, failures } = await warmUpWithin(WARM_UP_DEADLINE_MS, transport, stopped);
  if (opened > 0 || stopped?.aborted) return transport;
  await transport.close();
  throw unreachable(baseUrl, [...new Set(failures)].join(', ') || 'no socket could be opened', proxy, process.env);
}

/** Opens one connection and closes it, to check that a target can be reached. @throws as `openTransport` */
export async function requireReachable(profile: TargetProfile, baseUrl: string, clock: Clock): Promise<void> {
  const one = { ...profile, client: { ...profile.client, connections: 1 } };
  const transport = await openTransport(one, { baseUrl }, clock);
  await transport.close();
}

/** Opens the sockets, for at most `ms` and until `stopped`. One open socket is enough, because the run itself records problems with the others. */
export async function warmUpWithin(
  ms: number,
  transport: Pick<Transport, 'warmUp'>,
  stopped?: AbortSignal,
): Promise<WarmUp> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  const warm = await transport.warmUp(AbortSignal.any(listed(late.signal, stopped)));
  clearTimeout(timer);
  if (!late.signal.aborted || warm.opened > 0) return warm;
  return { opened: 0, failures: [`no connection within ${ms / 1_000} s`] };
}
