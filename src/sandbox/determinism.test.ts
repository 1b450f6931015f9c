import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { answerOf, piecesOf } from './answers.ts';
import { settle } from './config.ts';
import { CoreClient, noon } from './core-client.exam.ts';
import { drawSchedule } from './turns.ts';

const limits = { rate: { max: 1_000 }, concurrency: { max: 1_000 }, daily: { max: 1_000 } };

/** Every answer of a small journey with random latencies. */
function journey(seed: number): string {
  const defaults = settle({}).latency;
  const client = new CoreClient({ seed, limits, latency: defaults, failureShare: 0.2 });
  const seen: unknown[] = [client.converse()];
  const turns = Array.from({ length: 20 }, (_, i) => client.send(`m${i}`));
  for (const ms of [500, 2_000, 60_000])
    seen.push(client.at(ms).history({ limit: '100' }), ...turns.map((turn) => client.turn(turn.body.turn_id)));
  seen.push(...turns.map((turn) => client.stream(turn.body.turn_id)), client.core.truth(client.now));
  return JSON.stringify(seen);
}

describe('the seed', () => {
  it('and the requests determine every byte of every answer', () => {
    expect(journey(3)).toBe(journey(3));
    expect(journey(3)).not.toBe(journey(4));
  });

  it('gives the same turns with or without a refused message before them', () => {
    const finished = (refusals: number) => {
      const client = new CoreClient({ limits: { ...limits, concurrency: { max: 1 } }, latency: settle({}).latency });
      client.converse();
      client.send('m1');
      for (let i = 0; i < refusals; i++) expect(client.send(`x${i}`).status).toBe(429);
      client.at(120_000).send('m2');
      return client.core.truth(client.now).turns.map((turn) => turn.finishedAt);
    };
    expect(finished(3)).toEqual(finished(0));
  });

  it('draws state durations with the configured medians, within 5 %', () => {
    const config = settle({ latency: { queued: { distribution: 'exponential', mean: '300ms' } } });
    const schedules = Array.from({ length: 5_000 }, (_, i) => drawSchedule(config, seededRandom(1, 'turn', i), noon));
    const median = (values: number[]) => values.sort((a, b) => a - b)[2_500] ?? 0;
    expect(
      Math.abs(median(schedules.map((s) => s.processingAt - s.acceptedAt)) / (300_000 * Math.LN2) - 1),
    ).toBeLessThan(0.05);
    expect(Math.abs(median(schedules.map((s) => s.finishedAt - s.processingAt)) / 2_000_000 - 1)).toBeLessThan(0.05);
    expect(schedules.every((s) => s.acceptedAt < s.processingAt && s.processingAt < s.finishedAt)).toBe(true);
  });

  it('gives answers of both types, with sources and suggestions; the streamed pieces join to the text', () => {
    const answers = Array.from({ length: 200 }, (_, i) => answerOf(9, i));
    expect(answers[7]).toEqual(answerOf(9, 7));
    expect(new Set(answers.map((answer) => answer.text)).size).toBeGreaterThan(190);
    for (const part of ['cards', 'visualizations', 'sources', 'suggestedActions'] as const) {
      const filled = answers.filter((answer) => answer[part].length > 0).length;
      expect(filled).toBeGreaterThan(50);
      expect(filled).toBeLessThan(190);
    }
    for (const { text } of answers) expect(piecesOf(text).join('')).toBe(text);
  });
});
