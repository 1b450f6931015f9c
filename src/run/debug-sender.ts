import type { ApiCall, ApiReply } from '../api/index.ts';
import { formatWire, secondsText } from '../client/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import type { EchoGuard, Lease, Sender } from '../schedule/index.ts';
import type { Target } from './target.ts';

/** Where the wire is shown. */
export type DebugSink = (text: string) => void;

/**
 * A Sender that prints each exchange as it was on the wire, with every secret removed.
 * @param echoes the guard that replies pass afterwards; it knows the tokens of earlier ones
 */
export function debugSender(
  sender: Sender,
  show: DebugSink,
  { loaded, target, echoes }: { readonly loaded: LoadedScenario; readonly target: Target; readonly echoes: EchoGuard },
): Sender {
  const secrets = [
    ...Object.values(loaded.secrets),
    ...[...target.credentials.values()].flatMap(({ clientId, clientSecret }) => [clientId, clientSecret]),
  ];
  const wire = (call: ApiCall, reply: ApiReply) =>
    show(
      formatWire(call, reply, {
        baseUrl: target.baseUrl,
        secrets,
        headers: target.gateway.headers,
        bodies: true,
        clean: (text) => echoes.text(call, text),
      }),
    );
  const shownLease = (lease: Lease): Lease => ({
    release: () => lease.release(),
    send: (call, abort, done) =>
      lease.send(call, abort, (reply) => {
        wire(call, reply);
        done(reply);
      }),
  });
  return {
    tryAcquire() {
      const lease = sender.tryAcquire();
      return lease && shownLease(lease);
    },
    async acquire(signal) {
      const lease = await sender.acquire(signal);
      return lease && shownLease(lease);
    },
    async acquireStream(signal) {
      const lease = await sender.acquireStream(signal);
      if (!lease) return undefined;
      return {
        release: () => lease.release(),
        async open(call, options) {
          const opened = await lease.open(call, {
            ...options,
            onEvent: (event) => {
              show(
                `   stream ${event.event}${event.sequence === undefined ? '' : ` #${event.sequence}`} at ${secondsText(event.at)}`,
              );
              options.onEvent(event);
            },
          });
          wire(call, opened.reply);
          return opened;
        },
      };
    },
  };
}
