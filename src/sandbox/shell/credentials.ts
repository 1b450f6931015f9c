import { randomBytes } from 'node:crypto';
import { pairDigest } from '../authenticate.ts';
import type { ApplicationCredentials, SandboxConfig } from '../config.ts';
import type { RestoredApplication } from '../core.ts';
import { digestOf } from '../digest.ts';
import type { DurableStore } from '../stores/index.ts';

type Configured = SandboxConfig['applications'][number];

/**
 * The applications with their credentials: the configured ones, those that an earlier process with the same store generated, and
 * random ones for the rest. The store keeps digests of random secrets only. A configured secret might be guessed from its digest,
 * so it is not stored and must be configured at every start.
 */
export function credentialsFor(
  configured: readonly Configured[],
  store: DurableStore | undefined,
): readonly (ApplicationCredentials | RestoredApplication)[] {
  return configured.map((application) => restored(application, store) ?? madeUp(application, store));
}

function restored(
  { label, clientId, clientSecret }: Configured,
  store: DurableStore | undefined,
): RestoredApplication | undefined {
  const saved = store?.credentialsOf(label);
  if (!saved || clientSecret !== undefined) return undefined;
  return clientId === undefined || digestOf(clientId) === saved.clientId ? { label, pair: saved.pair } : undefined;
}

function madeUp(
  { label, clientId, clientSecret }: Configured,
  store: DurableStore | undefined,
): ApplicationCredentials {
  const made = {
    label,
    clientId: clientId ?? `client_${randomBytes(12).toString('hex')}`,
    clientSecret: clientSecret ?? randomBytes(32).toString('base64url'),
  };
  if (clientSecret === undefined) {
    store?.saveCredentials(label, {
      clientId: digestOf(made.clientId),
      pair: pairDigest(made.clientId, made.clientSecret),
    });
  }
  return made;
}
