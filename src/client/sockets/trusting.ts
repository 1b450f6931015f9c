import * as tls from 'node:tls';
import { ExitCode, SpillwayError } from '../../base/index.ts';

/** The system's authorities and the given ones. */
export function trusting(ca: string): tls.SecureContext {
  // Node 20 cannot list what NODE_EXTRA_CA_CERTS added; from 22.15 on the default list holds it.
  const system = 'getCACertificates' in tls ? (tls.getCACertificates as () => string[])() : [...tls.rootCertificates];
  const invalid = new SpillwayError(
    'CA_INVALID',
    'the CA file holds no PEM certificate; it must start with -----BEGIN CERTIFICATE-----',
    ExitCode.invalidConfiguration,
  );
  if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw invalid;
  try {
    return tls.createSecureContext({ ca: [...system, ca] });
  } catch {
    throw invalid;
  }
}
