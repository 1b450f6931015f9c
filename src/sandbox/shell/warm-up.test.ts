import { describe, expect, it } from 'vitest';
import { warmUp } from './warm-up.ts';

const ALL_SUCCEED = {
  issueToken: 201,
  createConversation: 201,
  sendMessage: 202,
  readTurn: 200,
  readHistory: 200,
  rateAnswer: 200,
  openStream: 101,
};

describe('warming up', () => {
  it('goes through every operation', async () => {
    expect(await warmUp({})).toEqual(ALL_SUCCEED);
  });

  it('gets through the strictest limits too', async () => {
    expect(await warmUp({ limits: { rate: 2, daily: 1, concurrency: 1 }, failureShare: 1 })).toEqual({
      issueToken: 201,
      createConversation: 201,
      sendMessage: 202,
      readTurn: 429,
      readHistory: 429,
      rateAnswer: 429,
      openStream: 429,
    });
  });

  it('does not wait where each request would wait its turn for an hour', async () => {
    const rate = { algorithm: 'leaky-queue', max: 20, window: '20h' } as const;
    expect(await warmUp({ limits: { rate } })).toEqual(ALL_SUCCEED);
  });

  it('says what is wrong with the settings, all at once', async () => {
    await expect(warmUp({ port: -1, limits: { rate: 0 } } as never)).rejects.toThrow(/^port: .*\nlimits\.rate/);
  });
});
