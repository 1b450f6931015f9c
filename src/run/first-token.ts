import { ExitCode, SpillwayError } from '../base/index.ts';
import type { Exchange } from '../history/index.ts';

/**
 * Watches for a target that cannot be used at all: until the first token was had, refused credentials or no answer end the
 * run (exit 12). Afterwards the same is an outcome like any other.
 */
export function firstTokenGuard(baseUrl: string): (exchange: Exchange) => SpillwayError | undefined {
  let had = false;
  return (exchange) => {
    if (had || exchange.operation !== 'issueToken') return undefined;
    const { status, outcome, failure } = exchange;
    if (status !== undefined && status >= 200 && status < 300) had = true;
    if (status === 401 || status === 403) return refusedCredentials(baseUrl, status);
    return outcome === 'failed' || outcome === 'censored' ? unreachable(baseUrl, failure ?? outcome) : undefined;
  };
}

const refusedCredentials = (baseUrl: string, status: number) =>
  new SpillwayError(
    'CREDENTIALS_REFUSED',
    `${baseUrl} refuses the credentials (${status} on the first token); check the client id and secret`,
    ExitCode.targetUnusable,
  );

export const unreachable = (baseUrl: string, failure: string) =>
  new SpillwayError(
    'TARGET_UNREACHABLE',
    `${baseUrl} cannot be reached: ${failure}; check the address, the network and the proxy`,
    ExitCode.targetUnusable,
  );
