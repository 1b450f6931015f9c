import { expect, it } from 'vitest';
import { VirtualClock } from '../../base/index.ts';
import { ConnectionPool } from '../sockets/pool.ts';
import type { CallConnection } from './call-connection.ts';
import { sent } from './exam/setting.exam.ts';
import { PooledLease } from './pooled-lease.ts';

it('a call that is stopped while its closed connection is replaced is not sent', async () => {
  const stopping = new AbortController();
  const sends: string[] = [];
  const closed: string[] = [];
  const named = (name: string): CallConnection => ({
    usable: true,
    close: () => void closed.push(name),
    send: (_call, _signal, listener) => {
      sends.push(name);
      listener.replied(undefined);
    },
  });
  const connections = [named('first'), named('second')];
  const clock = new VirtualClock();
  const pool = new ConnectionPool<CallConnection>(clock, 1, async () => {
    if (connections.length === 1) stopping.abort();
    const connection = connections.shift();
    return connection ? { connection } : { failure: 'no third one' };
  });
  const lent = await pool.acquire();
  const connection = lent && 'connection' in lent ? lent.connection : undefined;
  const lease = new PooledLease(pool, clock, connection, undefined);
  const reply = await sent(lease, {}, stopping.signal);
  expect([reply, sends, closed]).toMatchObject([{ kind: 'censored', failure: 'stopped' }, ['first'], ['first']]);
});
