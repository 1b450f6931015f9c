import type { Transport, TransportOptions } from '../transport.ts';

/** `auto` takes `wire` wherever it is at home: HTTP/1.1 straight to the service, plain or over TLS. */
export type TransportChoice = 'auto' | 'wire' | 'undici';

/**
 * The transport and its libraries are loaded here and not with the room, which commands that send nothing load too.
 * @throws SpillwayError TARGET_ADDRESS_INVALID, CA_INVALID
 */
export async function openTransport(choice: TransportChoice, options: TransportOptions): Promise<Transport> {
  const chosen = choice === 'auto' ? (options.proxy === undefined ? 'wire' : 'undici') : choice;
  if (chosen === 'wire') return (await import('./wire.ts')).openWireTransport(options);
  return (await import('./undici.ts')).openUndiciTransport(options);
}
