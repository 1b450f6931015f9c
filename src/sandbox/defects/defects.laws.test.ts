import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type DefectId, defectIds, type SlotKind, slotKinds } from '../../api/index.ts';
import { type Random, seededRandom } from '../../base/index.ts';
import { runs } from '../../testing/share.ts';
import { problemsIn, type SandboxSettings, settle } from '../config.ts';
import { CoreClient } from '../core-client.exam.ts';
import { LibsqlStore } from '../stores/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-defects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const REQUESTS = runs(1_000, 150);
/** Minimal retention, so that everything is forgotten repeatedly. */
const retention = { time: '2min', turns: 15, conversations: 4, tokens: 3 };

/**
 * Conversations and messages that come again, users that come back, and waits from none at all to minutes.
 * @param looks whether somebody reads the truth before each request
 * @returns what each was answered
 */
function wander(client: CoreClient, random: Random, looks = false): number[] {
  const statuses: number[] = [];
  const pick = (count: number) => random.integer(count);
  let turn = '';
  let now = 0;
  for (let i = 0; i < REQUESTS; i++) {
    client.at(now);
    if (i % 25 === 0) client.token = client.login(`u${pick(3)}`);
    if (looks) client.core.truth(client.now);
    const conversation_id = `0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a0${pick(6)}`;
    const json = { client_message_id: `m${pick(8)}`, message: 'text' };
    const acts = [
      () => client.converse({ conversation_id }),
      () => client.call('sendMessage', { parameters: { conversation_id }, json }),
      () => client.call('sendMessage', { parameters: { conversation_id }, json }),
      () => client.call('sendMessage', { parameters: { conversation_id }, json: { ...json, message: '' } }),
      () => client.call('readHistory', { parameters: { conversation_id } }),
      () => client.turn(turn),
      () => client.stream(turn),
      () => client.rate(turn),
    ];
    const { status, body } = acts[pick(acts.length)]?.() ?? { status: 0, body: undefined };
    statuses.push(status);
    turn = body?.turn_id ?? body?.message?.assistant_message_id ?? turn;
    now += [0, 0.001, 5, 900, 7_000, 45_000][pick(6)] ?? 0;
  }
  expect(statuses.filter((status) => !(status > 0))).toEqual([]);
  return statuses;
}

/** The defect, with slots of either kind and one rate limit, where it works with them. */
function settingsFor(id: DefectId, random: Random): SandboxSettings {
  const settings = (slot: SlotKind, rate?: number): SandboxSettings => ({
    defects: [id],
    retention,
    failureShare: 0.2,
    tokenLifetime: '3min',
    limits: { ...(rate !== undefined && { rate }), concurrency: { max: 20, slot }, daily: 300 },
  });
  const usual = slotKinds[0];
  const slot = slotKinds[random.integer(slotKinds.length)] ?? usual;
  const candidates = [settings(slot, 30), settings(usual, 30), settings(usual, 1)];
  return candidates.find((each) => problemsIn(each).length === 0) ?? settings(usual);
}

describe('a defective sandbox', () => {
  it.each(defectIds)('%s: fails in its own way only, within its memory, and its store can be read again', (id) => {
    const random = seededRandom(1, 'wander', id);
    const settings = settingsFor(id, random);
    const { retention: kept, seed } = settle(settings);
    const file = join(folder, id);
    for (let process = 0; process < 2; process++) {
      const store = new LibsqlStore(file, kept, seed);
      const client = new CoreClient(settings, process, store);
      wander(client, random);
      store.expire(client.now);
      // One request's own may come on top of what is remembered; what is in process is never forgotten.
      const open = [...store.turns()].filter(({ schedule }) => schedule.finishedAt > client.now).length;
      expect(store.sizes.turns - open).toBeLessThanOrEqual(16);
      store.commit();
      store.close();
    }
    expect(() => new LibsqlStore(file, kept, seed).close()).not.toThrow();
  });

  it.each(defectIds)('%s: decides the same whether or not somebody reads the truth', (id) => {
    const play = (looks: boolean) => {
      const random = seededRandom(2, 'wander', id);
      // So few that most of what is sent at once is refused.
      const settings = settingsFor(id, random);
      const tight = { ...settings, limits: { ...(settings.limits as object), rate: 3 } } as SandboxSettings;
      const chosen = problemsIn(tight).length === 0 ? tight : settings;
      return wander(new CoreClient(chosen), random, looks);
    };
    expect(play(true)).toEqual(play(false));
  });
});
