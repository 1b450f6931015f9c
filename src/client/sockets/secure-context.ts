import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';
import { ExitCode, SpillwayError } from '../../base/index.ts';

/** The client's own certificate and its key; PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * TLS settings: the system's authorities and the given ones; the client's certificate if the service asks for it.
 * @param ca PEM of authorities
 * @returns `undefined` if neither is given: Node's defaults
 * @throws SpillwayError CA_INVALID, CLIENT_CERTIFICATE_INVALID
 */
export function secureContextOf(ca?: string, own?: ClientCertificate): tls.SecureContext | undefined {
  if (ca === undefined && own === undefined) return undefined;
  const trusted = ca === undefined ? {} : { ca: [...systemAuthorities(), ca] };
  if (ca !== undefined) checked(() => readCertificates(ca), ca, CA_INVALID);
  return own === undefined
    ? tls.createSecureContext(trusted)
    : checked(() => tls.createSecureContext({ ...trusted, ...own }), own.cert, CERTIFICATE_INVALID);
}

/** Of authorities, Node itself ignores those that cannot be read. @throws Error for one that cannot be read */
const readCertificates = (pem: string): readonly X509Certificate[] =>
  pem
    .split(PEM)
    .slice(1)
    .map((one) => new X509Certificate(PEM + one));

/** Node 20 cannot list what NODE_EXTRA_CA_CERTS added; from 22.15 on the default list holds it. */
const systemAuthorities = (): readonly string[] =>
  'getCACertificates' in tls ? (tls.getCACertificates as () => string[])() : tls.rootCertificates;

const PEM = '-----BEGIN CERTIFICATE-----';
const CA_INVALID = [
  'CA_INVALID',
  `the CA file holds no PEM certificate, or one that cannot be read; each must begin with ${PEM}`,
] as const;
const CERTIFICATE_INVALID = [
  'CLIENT_CERTIFICATE_INVALID',
  'the client certificate and its key do not fit; both must be PEM, of one another, and the key without a passphrase',
] as const;

/** Never quotes its input, which may contain a key. */
function checked<T>(make: () => T, pem: string, [code, message]: readonly [code: string, message: string]): T {
  const invalid = () => new SpillwayError(code, message, ExitCode.invalidConfiguration);
  if (!pem.includes(PEM)) throw invalid();
  try {
    return make();
  } catch {
    throw invalid();
  }
}
