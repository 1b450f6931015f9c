import { expect, it } from 'vitest';
import { sandboxProfile, TargetProfileSchema } from '../../api/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { sandboxNotes } from './sandbox-notes.ts';

const { scenario } = loadedFrom({
  journeys: { a: { steps: [{ createConversation: {} }] } },
  load: { model: 'burst', count: 1 },
});
const notesOf = (profile: object) => sandboxNotes({ scenario, profile: TargetProfileSchema.parse(profile) });
const lacks = (words: string) => [
  `the embedded sandbox has its own words, which the profile does not have (${words}), so its answers will be misunderstood; name the service that has the profile's words with --target, or leave these out of the profile`,
];

it.each<[object, string]>([
  [{ errorCodes: { rate: ['slow_down'] } }, 'errorCodes.rate: rate_limited'],
  [{ success: { sendMessage: [200] } }, 'success.sendMessage: 202'],
  [{ turns: { open: ['running'], completed: ['done'] } }, 'turns.open: queued, processing; turns.completed: completed'],
  [{ turns: { open: ['queued', 'running'] } }, 'turns.open: processing'],
  [{ stream: { path: '/live/{turn_id}' } }, 'stream.path: /api/partners/v1/turns/{turn_id}/stream'],
  [{ stream: { events: { delta: ['piece'] } } }, 'stream.events.delta: answer.delta'],
  [{ history: { offsetParameter: 'skip' } }, 'history.offsetParameter: offset'],
])("of a profile with other words, the sandbox's are told: %j", (profile, words) => {
  expect(notesOf(profile)).toEqual(lacks(words));
});

it.each([
  {},
  { stream: null, success: { issueToken: [201] }, turns: { open: ['queued', 'processing', 'retrying'] } },
  { errorCodes: { daily: ['spent', 'daily_quota_exceeded'] } },
])("nothing is told of a profile that has the sandbox's words, and perhaps more: %j", (profile) => {
  expect(notesOf(profile)).toEqual([]);
});

it('nor of the default profile', () => {
  expect(sandboxNotes({ scenario, profile: sandboxProfile() })).toEqual([]);
});
