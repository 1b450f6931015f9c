import { expect, it } from 'vitest';
import { liveState } from '../../testing/live-state.ts';
import { sampleRun } from '../exporters/journals.exam.ts';
import { LivePage } from './live-page.ts';

it('says of a journal without its end that it is being written, as long as the run goes on', () => {
  const page = new LivePage();
  for (const record of sampleRun.slice(0, -1)) page.add(record);
  expect(page.whole(liveState()).fragments.footer).toContain('being written, ');
  expect(page.whole(undefined).fragments.footer).toContain('incomplete: cut off, its last line is missing, ');
});
