import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import { browser, describeInBrowser, textsOf } from '../../testing/browser.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { liveState } from '../../testing/live-state.ts';
import { clock, exchange, header, uuid } from '../exporters/journals.exam.ts';
import { LivePage, livePage } from './live-page.ts';

const profile = sandboxProfile();
const limits = { ...profile.limits, daily: { ...profile.limits.daily, scope: 'user' } };

/** A message of a user that is accepted. */
const accepted = (seq: number, user: string) =>
  exchange(seq, {
    operation: 'sendMessage',
    user,
    status: 202,
    conversation: uuid(1),
    turn: { id: uuid(100 + seq), status: 'queued' },
    message: { id: uuid(200 + seq), digest: `d${seq}` },
  });

/** Replaces the connection to the run by `tell`, which passes a message on to the page. */
const TELL = `
  let source;
  globalThis.EventSource = class extends EventTarget {
    constructor() {
      super();
      source = this;
    }
  };
  globalThis.tell = (message) => source.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
`;

describeInBrowser('what is drawn on the live page', () => {
  it('names the lines of the quota in the order in which they are drawn, whoever has sent more', async () => {
    const file = join(temporaryFolder(), 'live.html');
    writeFileSync(file, livePage({ scenario: 'ask', folder: 'out', id: 'r1' }).text);
    const page = await (await browser()).newPage();
    await page.addInitScript(TELL);
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('.uplot canvas');
    const live = new LivePage();
    const namesAfter = async (...users: readonly string[]) => {
      for (const user of users) live.add(accepted(seq++, user));
      await page.evaluate(`tell(${JSON.stringify(live.whole(liveState()))})`);
      return textsOf(page, '[data-picture=quota] .legend li');
    };
    let seq = 0;
    for (const record of [header({ profile: { ...profile, limits } }), clock]) live.add(record);
    expect(await namesAfter('u1', 'u2', 'u1')).toEqual(['a1/u1, 2026-11-21', 'a1/u2, 2026-11-21']);
    expect(await namesAfter('u2', 'u2')).toEqual(['a1/u2, 2026-11-21', 'a1/u1, 2026-11-21']);
  });
});
