import { ExitCode, SpillwayError } from '../../base/index.ts';

/** Where requests go: the parsed address of the service, and of the proxy. */
export interface Target {
  /** `http://host:port`, without path or credentials. */
  readonly origin: string;
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** Value of the Host header; with the port only if it is not the scheme's default. */
  readonly hostHeader: string;
  /** Prefix of every operation's path; empty or `/…` without a slash at the end. */
  readonly prefix: string;
  readonly proxy?: ProxyAddress;
}

export interface ProxyAddress {
  readonly origin: string;
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** Value of Proxy-Authorization; absent if the address has no credentials. A secret. */
  readonly authorization?: string;
}

const unusable = (what: string, hint: string) =>
  new SpillwayError('TARGET_ADDRESS_INVALID', `${what}; ${hint}`, ExitCode.invalidConfiguration);

/**
 * Reads the addresses of service and proxy.
 * @throws SpillwayError TARGET_ADDRESS_INVALID, which never quotes an address, because it may hold credentials
 */
export function targetOf(baseUrl: string, proxyUrl?: string): Target {
  const url = httpUrl(baseUrl, 'base address');
  if (url.username !== '' || url.password !== '') {
    throw unusable('the base address holds credentials', 'give them in environment variables, as the profile says');
  }
  if (url.search !== '' || url.hash !== '')
    throw unusable('the base address has a query or a fragment', 'leave them out');
  const { secure, host, port } = endpoint(url);
  const target = {
    origin: url.origin,
    secure,
    host,
    port,
    hostHeader: url.host,
    prefix: url.pathname.replace(/\/+$/, ''),
  };
  return proxyUrl === undefined ? target : { ...target, proxy: proxyOf(proxyUrl) };
}

function proxyOf(text: string): ProxyAddress {
  const url = httpUrl(text, 'proxy address');
  const plain = { origin: url.origin, ...endpoint(url) };
  const pair = pairOf(url);
  if (pair === undefined) return plain;
  const joined = `${pair.user}:${pair.password}`;
  return { ...plain, authorization: `Basic ${Buffer.from(joined, 'utf8').toString('base64')}` };
}

/** User and password in an address, decoded. */
interface AddressPair {
  readonly user: string;
  readonly password: string;
}

function pairOf({ username, password }: URL): AddressPair | undefined {
  if (username === '' && password === '') return undefined;
  return { user: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw unusable('the credentials in the address of the proxy are not percent-encoded', 'write % as %25, @ as %40');
  }
}

/** The secret texts in a proxy's address; empty if it has no credentials or there is no proxy. */
export function secretsOfProxy(text: string | undefined): string[] {
  const pair = text === undefined || !URL.canParse(text) ? undefined : pairOf(new URL(text));
  if (pair === undefined) return [];
  // A user without a password is a key; with one it is a name, which may occur in other texts.
  return pair.password === '' ? [pair.user, `${pair.user}:`] : [pair.password, `${pair.user}:${pair.password}`];
}

function httpUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw unusable(`the ${what} is not an http or https address`, 'write for example https://api.example.com');
}

function endpoint(url: URL): { secure: boolean; host: string; port: number } {
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { secure, host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port) };
}
