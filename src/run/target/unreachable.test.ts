import { describe, expect, it } from 'vitest';
import { type Micros, realClock, VirtualClock } from '../../base/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { firstTokenGuard } from './first-token.ts';
import { requireReachable } from './transport.ts';
import { unreachable } from './unreachable.ts';

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
      'https://api.example cannot be reached: no answer within 5.94 s; check the address, the network and the proxy; if it serves one connection per process or thread (such as gunicorn), it may wait for a request on an idle one: then lower client.connections in the profile',
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
    expect(told('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')).toBe(
      'https://api.example cannot be reached: ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED; it asks for a client certificate: name its PEM file as client.certFile in the profile, beside client.keyFile',
    );
    expect(told('ERR_SSL_WRONG_VERSION_NUMBER')).toBe(
      'https://api.example cannot be reached: ERR_SSL_WRONG_VERSION_NUMBER; what answers there does not speak TLS: check the address, its port, whether it is http or https, and the same of client.proxy, if there is one',
    );
    expect(told('CERT_HAS_EXPIRED')).toContain('CERT_HAS_EXPIRED; check the address, the network and the proxy');
  });

  it('because the proxy refuses the tunnel is reported with the proxy, not with the service', () => {
    expect(told('proxy-refused', 'http://bob:hunter2@proxy.example')).toBe(
      'https://api.example cannot be reached through the proxy http://proxy.example: proxy-refused; check the credentials in client.proxy of the profile, and whether that proxy lets requests through to this address',
    );
  });

  it('while the environment names a proxy is told how to use it, as it is used only if the profile names it', () => {
    const [http, https] = ['http://api.example', 'https://api.example'];
    const hinted = (baseUrl: string, environment: Record<string, string>, failure = 'ENOTFOUND') =>
      /\$\{env\.(\w+)\}/.exec(unreachable(baseUrl, failure, undefined, environment).message)?.[1];
    const proxy = 'http://proxy.example:3128';
    expect(unreachable(https, 'ENOTFOUND', undefined, { HTTPS_PROXY: proxy }).message).toBe(
      'https://api.example cannot be reached: ENOTFOUND; check the address and the network; the proxy of HTTPS_PROXY was not used: if it is needed, write client: { proxy: "${env.HTTPS_PROXY}" } in the profile',
    );
    expect(hinted(https, { https_proxy: proxy }, 'no connection within 6 s')).toBe('https_proxy');
    expect(hinted(https, { http_proxy: proxy, all_proxy: proxy }, 'connect-timeout')).toBe('all_proxy');
    expect(hinted(http, { HTTPS_PROXY: proxy, http_proxy: proxy })).toBe('http_proxy');
    expect(hinted(https, { HTTPS_PROXY: '' })).toBe(undefined);
    for (const own of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080'])
      expect(hinted(`http://${own}`, { http_proxy: proxy }, 'ECONNREFUSED')).toBe(undefined);
    expect(hinted(https, { HTTPS_PROXY: proxy }, 'CERT_HAS_EXPIRED')).toBe(undefined);
    expect(unreachable(https, 'ENOTFOUND', proxy, { HTTPS_PROXY: proxy }).message).not.toContain('HTTPS_PROXY');
  });
});
