import type { TransportChoice, TransportName } from '../../api/index.ts';
import type { Transport, TransportOptions } from '../transport.ts';

/** The transport for a choice: `auto` takes `wire` for HTTP/1.1 straight to the service, plain or over TLS. */
export const chosenTransport = (choice: TransportChoice, proxy: string | undefined): TransportName =>
  choice !== 'auto' ? choice : proxy === undefined ? 'wire' : 'undici';

type Opening = (options: TransportOptions) => Promise<Transport>;

const openings: Readonly<Record<TransportName, () => Promise<Opening>>> = {
  wire: async () => (await import('./wire.ts')).openWireTransport,
  undici: async () => (await import('./undici.ts')).openUndiciTransport,
  http2: async () => (await import('./http2.ts')).openHttp2Transport,
};

/**
 * Loads the transport and its libraries here and not with the room, since commands that send nothing load the room too.
 * @throws SpillwayError TARGET_ADDRESS_INVALID, CA_INVALID
 */
export async function openTransport(choice: TransportChoice, options: TransportOptions): Promise<Transport> {
  const open = await openings[chosenTransport(choice, options.proxy)]();
  return open(options);
}
