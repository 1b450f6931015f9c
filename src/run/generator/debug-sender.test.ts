import { expect, it } from 'vitest';
import type { ApiCall, ApiReply } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { noEchoes, type Sender } from '../../schedule/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { debugSender } from './debug-sender.ts';

it('shows the handshake of a stream at the path that the profile names', async () => {
  const at = 0 as Micros;
  const reply: ApiReply = {
    kind: 'failed',
    failure: 'ECONNRESET',
    sentAt: at,
    receivedAt: at,
    bytes: { sent: 0, received: 0 },
  };
  const sender: Sender = {
    tryAcquire: () => undefined,
    acquire: async () => undefined,
    acquireStream: async () => ({ open: async () => ({ reply }), release: () => undefined }),
  };
  const shown: string[] = [];
  const debug = debugSender(sender, (text) => shown.push(text), {
    loaded: loadedFrom({
      profile: { stream: { path: '/live/{turn_id}' } },
      journeys: { a: { steps: [{ createConversation: {} }] } },
    }),
    target: { baseUrl: 'https://api.example/v', credentials: new Map(), gateway: { headers: {}, secrets: [] } },
    echoes: noEchoes,
  });
  const call: ApiCall = {
    operation: 'openStream',
    credentials: { kind: 'none' },
    parameters: { turn_id: 't1' },
    deadlineUs: at,
  };
  const { signal } = new AbortController();
  const lease = await debug.acquireStream(signal);
  await lease?.open(call, { signal, deadlineAt: at, onEvent: () => undefined });
  expect(shown[0]).toContain('> GET /v/live/t1\n');
});
