import type { Transport, TransportOptions } from '../transport.ts';

/** As `openUndiciTransport` of undici.ts. Its library is loaded here and not with the room, which commands that send nothing load too. */
export async function openUndiciTransport(options: TransportOptions): Promise<Transport> {
  const undici = await import('./undici.ts');
  return undici.openUndiciTransport(options);
}
