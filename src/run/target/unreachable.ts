import { ExitCode, SpillwayError, withoutUserinfo } from '../../base/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param proxy the profile's proxy, if any
 * @param environment in which a proxy may be named that nothing uses
 */
export function unreachable(
  baseUrl: string,
  failure: string,
  proxy?: string,
  environment: Environment = {},
): SpillwayError {
  const byProxy = proxy !== undefined && (NO_CONNECTION.test(failure) || failure.includes('proxy-refused'));
  const way = byProxy ? ` through the proxy ${withoutUserinfo(proxy)}` : '';
  const unused = proxy === undefined ? unusedProxy(baseUrl, failure, environment) : undefined;
  const check = remedies.find(([pattern]) => pattern.test(failure))?.[1] ?? unused;
  return new SpillwayError(
    'TARGET_UNREACHABLE',
    `${baseUrl} cannot be reached${way}: ${failure}; ${check ?? (byProxy ? 'check client.proxy of the profile' : 'check the address, the network and the proxy')}`,
    ExitCode.targetUnusable,
  );
}

/** With a proxy, only the proxy itself can fail to be reached in this way. */
const NO_CONNECTION = /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/;
const TOO_LATE = /connect-timeout|no connection within/;

/** What to do about failures that say it; the codes of TLS are OpenSSL's. */
const remedies: readonly (readonly [RegExp, string])[] = [
  // It accepted the connections, all of which were opened before the first request.
  [
    /no answer within/,
    'check the address, the network and the proxy; if it serves one connection per process or thread (such as gunicorn), it may wait for a request on an idle one: then lower client.connections in the profile',
  ],
  [/no-http2/, 'it does not speak HTTP/2: choose another transport'],
  [
    /proxy-refused/,
    'check the credentials in client.proxy of the profile, and whether that proxy lets requests through to this address',
  ],
  [
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|SELF_SIGNED_CERT/,
    'no authority that is trusted vouches for its certificate: name the PEM file of the one that does as client.caFile in the profile',
  ],
  [
    /ALERT_CERTIFICATE_REQUIRED/,
    'it asks for a client certificate: name its PEM file as client.certFile in the profile, beside client.keyFile',
  ],
  [
    /WRONG_VERSION_NUMBER/,
    'what answers there does not speak TLS: check the address, its port, whether it is http or https, and the same of client.proxy, if there is one',
  ],
];

/** Nothing reaches the own machine through a proxy. */
const OWN_MACHINE = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Other programs use a proxy that the environment names, so their users expect it. */
function unusedProxy(baseUrl: string, failure: string, environment: Environment): string | undefined {
  if (!NO_CONNECTION.test(failure) && !TOO_LATE.test(failure)) return undefined;
  if (OWN_MACHINE.test(new URL(baseUrl).hostname)) return undefined;
  const own = baseUrl.startsWith('https:') ? 'https_proxy' : 'http_proxy';
  const name = [own.toUpperCase(), own, 'ALL_PROXY', 'all_proxy'].find((variable) => environment[variable]);
  return (
    name &&
    `check the address and the network; the proxy of ${name} was not used: if it is needed, write client: { proxy: "\${env.${name}}" } in the profile`
  );
}
