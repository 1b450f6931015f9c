import { describe, expect, it } from 'vitest';
import { defects, problemsIn } from '../index.ts';
import { conversation_id, root, startWithUser } from './http-client.exam.ts';

describe('a sandbox with defects, over sockets', () => {
  it('shows them, and the control plane says what they are', async () => {
    const { request } = await startWithUser({
      control: true,
      defects: ['H1', 'O24'],
      startTime: '2026-11-21T12:00:01Z',
    });
    const config = (await request('GET', '/_sandbox/config')).body;
    expect(config.defects).toEqual(['H1', 'O24']);
    expect(config.defectsSay).toEqual({
      H1: 'Retry-After is in milliseconds: 60000 instead of 60 for a minute.',
      O24: defects.find(({ id }) => id === 'O24')?.says,
    });
    expect(problemsIn(config)).toEqual([]);
    const path = `${root}/conversations/${conversation_id}/messages`;
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await request('GET', path)).status);
    expect(statuses).toEqual(Array(21).fill(404));
    const refused = await request('GET', path);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_000);
  });

  it('races where requests come at once: O1 admits all of a burst that its lag covers', async () => {
    const statusesOf = async (defects: string[]) => {
      const { request } = await startWithUser({ defects, defectLag: '1h', startTime: '2026-11-21T12:00:01Z' });
      const path = `${root}/conversations/${conversation_id}/messages`;
      const answers = await Promise.all(Array.from({ length: 40 }, () => request('GET', path)));
      return answers.filter(({ status }) => status === 429).length;
    };
    expect([await statusesOf(['O1']), await statusesOf([])]).toEqual([0, 20]);
  });

  it('does not mention defects if there are none', async () => {
    const { request } = await startWithUser({ control: true });
    expect((await request('GET', '/_sandbox/config')).body).not.toHaveProperty('defectsSay');
  });
});
