import type { ApiCall, ApiReply, StreamEvent } from '../../api/index.ts';
import { formatWire, secondsText } from '../../client/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import type { EchoGuard, Lease, Sender, StreamLease } from '../../schedule/index.ts';
import type { Target } from '../target/target.ts';

/** Where the wire is shown. */
export type DebugSink = (text: string) => void;

/** What the secrets of a run are known from. */
interface SecretsKnown {
  readonly loaded: LoadedScenario;
  readonly target: Pick<Target, 'baseUrl' | 'credentials' | 'gateway'>;
  /** The guard that replies pass afterwards; it knows the tokens of earlier ones. */
  readonly echoes: EchoGuard;
}

/** A Sender that prints each exchange as it was on the wire, with every secret removed. */
export function debugSender(sender: Sender, show: DebugSink, { loaded, target, echoes }: SecretsKnown): Sender {
  const secrets = [
    ...Object.values(loaded.secrets),
    ...[...target.credentials.values()].flatMap(({ clientId, clientSecret }) => [clientId, clientSecret]),
  ];
  const streamPath = loaded.profile.stream?.path;
  const wire: ShowExchange = (call, reply) =>
    show(
      formatWire(call, reply, {
        baseUrl: target.baseUrl,
        secrets,
        headers: target.gateway.headers,
        clean: (text) => echoes.text(call, text),
        ...(streamPath !== undefined && { streamPath }),
      }),
    );
  return {
    tryAcquire() {
      const lease = sender.tryAcquire();
      return lease && shownLease(lease, wire);
    },
    async acquire(signal) {
      const lease = await sender.acquire(signal);
      return lease && shownLease(lease, wire);
    },
    async acquireStream(signal) {
      const lease = await sender.acquireStream(signal);
      return lease && shownStream(lease, wire, show);
    },
  };
}

type ShowExchange = (call: ApiCall, reply: ApiReply) => void;

const shownLease = (lease: Lease, wire: ShowExchange): Lease => ({
  release: () => lease.release(),
  send: (call, abort, done) =>
    lease.send(call, abort, (reply) => {
      wire(call, reply);
      done(reply);
    }),
});

const shownStream = (lease: StreamLease, wire: ShowExchange, show: DebugSink): StreamLease => ({
  release: () => lease.release(),
  async open(call, options) {
    const onEvent = (event: StreamEvent) => {
      const number = event.sequence === undefined ? '' : ` #${event.sequence}`;
      show(`   stream ${event.event}${number} at ${secondsText(event.at)}`);
      options.onEvent(event);
    };
    const opened = await lease.open(call, { ...options, onEvent });
    wire(call, opened.reply);
    return opened;
  },
});
