import { z } from 'zod';
import { DurationText, LatencyDistribution } from '../api/index.ts';

/** Text in which `${name}` is replaced at the moment of sending; see the README's table of names. */
const Template = z.string().min(1);
const Location = z.strictObject({ city: Template.optional(), commune: Template.optional() });

const Backoff = z.strictObject({
  first: DurationText.prefault('500ms').describe('Wait before the first retry.'),
  factor: z.number().min(1).max(10).default(2).describe('Each further wait is this many times the one before.'),
  ceiling: DurationText.prefault('30s').describe('No wait is longer.'),
  jitter: z.number().min(0).max(1).default(0).describe('Share of the wait that is drawn at random (seeded): 0.25 waits 75 to 100 %.'),
});

/** What a step does after a refusal (429) or an error. */
export const Policy = z.union([
  z.enum(['stop', 'continue']),
  z.strictObject({
    retry: z.strictObject({
      max: z.int().min(1).max(100).default(3).describe('Retries after the first attempt.'),
      obeyRetryAfter: z.boolean().default(true).describe('Wait as long as Retry-After says, when it says so.'),
      retryAfterCeiling: DurationText.prefault('5min').describe('Advice above this is not waited for: the retries end.'),
      backoff: Backoff.prefault({}),
      then: z.enum(['stop', 'continue']).default('stop').describe('When the retries are used up.'),
    }),
  }),
]);
export type Policy = z.infer<typeof Policy>;

/** What a member of the answer must be: a literal, or one of the checks. */
export const BodyExpectation = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ exists: z.boolean() }),
  z.strictObject({ type: z.enum(['string', 'number', 'boolean', 'array', 'object', 'null']) }),
  z.strictObject({ matches: z.string() }),
  z.strictObject({ oneOf: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1) }),
  z.strictObject({ min: z.number().optional(), max: z.number().optional() }),
  z.strictObject({ minLength: z.int().min(0).optional(), maxLength: z.int().min(0).optional() }),
]);
export type BodyExpectation = z.infer<typeof BodyExpectation>;

const Expect = z.strictObject({
  status: z.union([z.int().min(100).max(599), z.array(z.int().min(100).max(599)).min(1)]).optional(),
  body: z.record(z.string(), BodyExpectation).optional().describe('Dotted paths in the answer, for example messages.0.role.'),
});
export type Expect = z.infer<typeof Expect>;

/** Members that every step of an API operation may have. */
const operationStep = {
  name: z.string().min(1).optional().describe('Name in reports of expectations.'),
  capture: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().min(1)).optional().describe('Name → dotted path in the answer; used later as ${name}.'),
  expect: Expect.optional(),
  onRefused: Policy.optional().describe('After a 429; default: the journey\'s, else the scenario\'s, else stop.'),
  onError: Policy.optional().describe('After no answer, or another status than success; default as above.'),
  credentials: z.enum(['valid', 'none', 'invalid']).optional().describe('none sends no Authorization header, invalid a made-up one; default valid.'),
};

const IssueToken = z.strictObject({
  ...operationStep,
  issueToken: z.strictObject({ locale: Template.optional(), timezone: Template.optional() }),
});

const CreateConversation = z.strictObject({
  ...operationStep,
  createConversation: z.strictObject({
    conversation: z
      .union([z.enum(['new', 'chosen', 'resume']), z.string().startsWith('${')])
      .default('new')
      .describe('new: the service chooses the id. chosen: the client does. resume: the journey\'s current conversation again. Or a ${name}.'),
    title: Template.optional(),
  }),
});

const messageContent = {
  message: Template,
  location: Location.optional(),
  nonce: z.boolean().default(true).describe('Append a nonce, so that no two messages have the same text.'),
};

const SendMessage = z.strictObject({
  ...operationStep,
  sendMessage: z.strictObject({ ...messageContent, conversation: Template.optional().describe('Default: the journey\'s current conversation.') }),
});

const Burst = z.strictObject({
  ...operationStep,
  burst: z.strictObject({
    of: z.enum(['sendMessage', 'readHistory', 'createConversation']).default('sendMessage'),
    count: z.int().min(1).max(100_000),
    gap: DurationText.prefault('0').describe('Time between two; 0 sends all at once.'),
    conversations: z.int().min(1).max(1_000).default(1).describe('Spread over this many conversations; those missing are created first.'),
    message: Template.default('Message ${index} of a burst'),
    location: Location.optional(),
    nonce: z.boolean().default(true),
  }),
});

const Resend = z.strictObject({
  ...operationStep,
  resend: z.strictObject({
    content: z.enum(['same', 'other']).default('same'),
    message: Template.optional().describe('The other text; default: the first text with a remark.'),
    count: z.int().min(1).max(1_000).default(1),
    gap: DurationText.prefault('0'),
  }),
});

const FollowTurn = z.strictObject({
  ...operationStep,
  followTurn: z.strictObject({
    by: z.enum(['poll', 'stream', 'both']).default('poll'),
    turns: z.enum(['last', 'all']).default('last').describe('last: the newest accepted turn. all: every accepted turn not yet followed, side by side.'),
    interval: DurationText.prefault('1s').describe('Planned time between two polls.'),
    backoff: z.number().min(1).max(10).default(1).describe('Each interval is this many times the one before.'),
    maxInterval: DurationText.prefault('30s'),
    deadline: DurationText.prefault('60s').describe('Stop following this long after the step began; the turn is then censored.'),
  }),
});

const ReadHistory = z.strictObject({
  ...operationStep,
  readHistory: z.strictObject({
    limit: z.int().min(1).max(100).optional().describe('Default: none sent, the service\'s own.'),
    offset: z.int().min(0).optional(),
    pages: z.union([z.literal('all'), z.int().min(1).max(1_000)]).default(1).describe('all: until a page is not full.'),
    conversation: Template.optional(),
  }),
});

const RateAnswer = z.strictObject({
  ...operationStep,
  rateAnswer: z.strictObject({
    rating: z.enum(['up', 'down']),
    message: Template.optional().describe('Default: the assistant message of the last completed turn.'),
  }),
});

const Pause = z.strictObject({ pause: z.union([DurationText, LatencyDistribution]) });

const Repeat = z.strictObject({
  repeat: z.strictObject({
    times: z.int().min(1).max(1_000_000),
    get steps() {
      return z.array(Step).min(1);
    },
  }),
});

/** One step of a journey: an object with exactly one of the step names, and the members that go with it. */
export const Step = z.union([
  IssueToken,
  CreateConversation,
  SendMessage,
  Burst,
  Resend,
  FollowTurn,
  ReadHistory,
  RateAnswer,
  Pause,
  Repeat,
]);

export type IssueTokenStep = z.infer<typeof IssueToken>;
export type CreateConversationStep = z.infer<typeof CreateConversation>;
export type SendMessageStep = z.infer<typeof SendMessage>;
export type BurstStep = z.infer<typeof Burst>;
export type ResendStep = z.infer<typeof Resend>;
export type FollowTurnStep = z.infer<typeof FollowTurn>;
export type ReadHistoryStep = z.infer<typeof ReadHistory>;
export type RateAnswerStep = z.infer<typeof RateAnswer>;
export type PauseStep = z.infer<typeof Pause>;
export type RepeatStep = z.infer<typeof Repeat>;
export type Step = z.infer<typeof Step>;

/** Every step name, in the order of the documents. */
export const stepNames = [
  'issueToken',
  'createConversation',
  'sendMessage',
  'burst',
  'resend',
  'followTurn',
  'readHistory',
  'rateAnswer',
  'pause',
  'repeat',
] as const;
export type StepName = (typeof stepNames)[number];

/** The name of a step: its one member that is a step name. */
export function stepNameOf(step: Step): StepName {
  const name = stepNames.find((candidate) => candidate in step);
  if (name === undefined) throw new Error('a validated step has no step name');
  return name;
}
