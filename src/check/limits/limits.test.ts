import { limitExam } from './limit.exam.ts';
import { dayWorld, slotWorld, type World } from './worlds.exam.ts';

/** Nothing lost and everything declared, so that what is wrong shows. */
const plain = {
  lost: 0,
  codes: true,
  sameTurn: true,
  tokens: 1,
  renewed: 0,
  declared: { slots: true, day: true },
} satisfies Partial<World>;
const slots = { ...plain, slots: 2, slot: 'accepted-to-finished', followed: 1 } satisfies Partial<World>;
const days = { ...plain, quota: 4, clockKnownUs: 1_500_000 } satisfies Partial<World>;
const undeclared = { slots: false, day: false };

limitExam({
  limit: 'concurrency',
  world: slotWorld,
  truth: ({ slot }) => slot,
  defects: {
    'one slot too many': {
      members: { ...slots, faults: { extraSlots: 1 } },
      convicted: 0.3,
      because: 'over-admission',
    },
    'one slot too many, whatever a slot is': {
      members: { ...slots, conversations: 1, declared: undeclared, faults: { extraSlots: 1 } },
      convicted: 0.2,
      because: 'over-admission',
    },
    'one slot too many for turns in process': {
      members: { ...slots, slot: 'processing-only', faults: { extraSlots: 1 } },
      convicted: 0.2,
      because: 'over-admission',
    },
    'a failed turn keeps its slot': {
      members: { ...slots, failing: 0.5, faults: { failedLeaks: true } },
      convicted: 0.5,
      because: 'wrongful-refusal',
    },
    'an invalid message keeps a slot': {
      members: { ...slots, invalid: 0.4, faults: { invalidLeaks: true } },
      convicted: 0.5,
      because: 'wrongful-refusal',
    },
    'slots released later than the declared grace': {
      members: { ...slots, faults: { lateUs: 2_000_000 } },
      convicted: 0.5,
      because: 'wrongful-refusal',
    },
  },
});

limitExam({
  limit: 'daily',
  world: dayWorld,
  truth: ({ day }) => day,
  defects: {
    'one message too many': {
      members: { ...days, faults: { extraQuota: 1 } },
      convicted: 0.5,
      because: 'over-admission',
    },
    'one message too few': {
      members: { ...days, faults: { extraQuota: -1 } },
      convicted: 0.7,
      because: 'wrongful-refusal',
    },
    'three times the quota, whatever a day is': {
      members: { ...days, declared: undeclared, faults: { extraQuota: 8 } },
      convicted: 0.6,
      because: 'over-admission',
    },
    'one message too few, whatever a day is': {
      members: { ...days, declared: undeclared, faults: { extraQuota: -1 } },
      convicted: 0.7,
      because: 'wrongful-refusal',
    },
    'a resend is charged': {
      members: { ...days, resent: 0.5, faults: { replayCharged: true } },
      convicted: 0.4,
      because: 'wrongful-refusal',
    },
    'an invalid message is charged': {
      members: { ...days, invalid: 0.4, faults: { invalidCharged: true } },
      convicted: 0.5,
      because: 'wrongful-refusal',
    },
    'the day never turns': {
      members: { ...days, faults: { neverResets: true } },
      convicted: 0.2,
      because: 'wrongful-refusal',
    },
  },
});
