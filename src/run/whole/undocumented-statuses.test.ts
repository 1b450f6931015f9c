import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shipped, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { answer, serveBadly, someCredentials } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';

it('smoke passes at a service that answers a token with 200 and a rating with 201', async () => {
  const shown = (role: string) => ({ message_id: randomUUID(), role, content: 'Hello' });
  const conversation = { conversation_id: randomUUID(), title: 'Smoke test', created_at: '2026-01-15T09:00:00Z' };
  const service = await serveBadly({
    issueToken: (asked) => answer(asked, 200, { access_token: 'token-1' }),
    createConversation: (asked) =>
      answer(asked, 201, { ...conversation, ...(asked.body as Partial<typeof conversation>) }),
    readHistory: (asked) => answer(asked, 200, { messages: [shown('user'), shown('assistant')] }),
    rateAnswer: (asked) => answer(asked, 201, { success: true, feedback: { rating: 'down' } }),
  });
  const out = join(temporaryFolder(), 'out');
  const args = ['run', shipped('smoke.yaml'), '--target', service.url, '--out', out, '--quiet'];
  await typed(args, undefined, someCredentials);
  await service.close();
  const { summary, journeys, exchanges } = resultsIn(out);
  expect(exchanges.filter(({ operation }) => operation === 'issueToken').map(({ status }) => status)).toEqual([200]);
  expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  expect(summary().expectations.examples).toEqual([]);
});
