import { describe, expect, it } from 'vitest';
import { type Micros, realClock, VirtualClock } from '../../base/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { firstTokenGuard, unreachable } from './first-token.ts';
import { requireReachable } from './transport.ts';

const told = (failure: string, proxy?: string) => unreachable('https://api.example', failure, proxy).message;

describe('a target that cannot be reached', () => {
  it('because a proxy refuses is reported with the proxy, without its credentials', async () => {
    const proxy = 'http://bob:hunter2@127.0.0.1:1';
    const { profile } = loadedFrom({
      profile: { client: { proxy } },
      journeys: { a: { steps: [{ createConversation: {} }] } },
      load: { model: 'burst', count: 1 },
    } as never);
    const message = await requireReachable(profile, 'http://api.example', realClock()).then(
      () => 'reached',
      (error: Error) => error.message,
    );
    expect(message).toBe(
      'http://api.example cannot be reached through the proxy http://127.0.0.1:1: ECONNREFUSED; check client.proxy of the profile',
    );
  });

  it('because no token came is reported with how long it was awaited at least, in three digits', async () => {
    const guard = firstTokenGuard('https://api.example');
    guard.see({ kind: 'sent', seq: 0, operation: 'issueToken', at: 0 as Micros });
    const clock = new VirtualClock();
    const spentUs = 55_650 as Micros;
    const error = await clock.run(() => guard.watch(clock, spentUs, new AbortController().signal));
    expect(error?.message).toBe(
      'https://api.example cannot be reached: no answer within 5.94 s; check the address, the network and the proxy',
    );
  });

  it('because of its certificate or protocol is reported with a remedy', () => {
    const hint =
      'no authority that is trusted vouches for its certificate: name the PEM file of the one that does as client.caFile in the profile';
    expect(told('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toBe(
      `https://api.example cannot be reached: UNABLE_TO_VERIFY_LEAF_SIGNATURE; ${hint}`,
    );
    expect(told('DEPTH_ZERO_SELF_SIGNED_CERT', 'http://proxy.example')).toContain(
      `api.example cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT; ${hint}`,
    );
    expect(told('no-http2')).toBe(
      'https://api.example cannot be reached: no-http2; it does not speak HTTP/2: choose another transport',
    );
    expect(told('CERT_HAS_EXPIRED')).toContain('CERT_HAS_EXPIRED; check the address, the network and the proxy');
  });
});
