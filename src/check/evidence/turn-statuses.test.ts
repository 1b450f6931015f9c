import { expect, it } from 'vitest';
import { profileWords } from '../../history/index.ts';
import { turnStatuses } from './turn-statuses.ts';

const meaning = (members: object) => ({
  open: false,
  queued: false,
  processing: false,
  completed: false,
  failed: false,
  ...members,
});

it('a status means what the profile says, and in process it is only where that is open', () => {
  const turns = { open: ['queued', 'running'], completed: ['done', 'in_progress'], failed: ['lost', 'done'] };
  const of = turnStatuses(profileWords({ turns }));
  expect(of('queued')).toEqual(meaning({ open: true, queued: true }));
  expect(of('running')).toEqual(meaning({ open: true, processing: true }));
  expect(of('in_progress')).toEqual(meaning({ completed: true }));
  expect(of('done')).toEqual(meaning({ completed: true, failed: true }));
  expect(of('lost')).toEqual(meaning({ failed: true }));
});

it('the profile says with which a turn waits and with which it is in process; with others it may do either', () => {
  const turns = { open: ['new', 'queued', 'running', 'busy'], queued: ['new'], processing: ['busy', 'gone'] };
  const of = turnStatuses(profileWords({ turns }));
  expect(of('new')).toEqual(meaning({ open: true, queued: true }));
  expect(of('busy')).toEqual(meaning({ open: true, processing: true }));
  for (const either of ['queued', 'running']) expect(of(either)).toEqual(meaning({ open: true }));
  expect(of('gone')).toEqual(meaning({}));
});

it('a usual word that the profile has in one list is not in the other, and one in both may be either', () => {
  const open = ['queued', 'running'];
  expect(turnStatuses(profileWords({ turns: { open, queued: ['running'] } }))('running')).toEqual(
    meaning({ open: true, queued: true }),
  );
  expect(turnStatuses(profileWords({ turns: { open, processing: ['queued'] } }))('queued')).toEqual(
    meaning({ open: true, processing: true }),
  );
  const both = turnStatuses(profileWords({ turns: { open, queued: ['running'], processing: ['running'] } }));
  expect(both('running')).toEqual(meaning({ open: true }));
});

it.each(['processing', 'Queued', '', '__proto__', 'constructor'])(
  'of %j, which no list has, nothing is known',
  (status) => {
    expect(turnStatuses(profileWords({ turns: { open: ['queued'], completed: [], failed: [] } }))(status)).toEqual(
      meaning({}),
    );
  },
);
