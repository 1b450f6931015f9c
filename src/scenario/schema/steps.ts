import { z } from 'zod';
import { DurationText, LatencyDistribution } from '../../api/index.ts';
import { implied } from '../real-time/implied.ts';
import { Expect } from './expect.ts';
import { FollowSettings, impliedByFollowing } from './follow-settings.ts';
import { Policy } from './policy.ts';
import { Identifier } from './values.ts';

/** See the table of names in scenarios/README.md. */
export const Template = z.string().min(1).describe('Text in which ${name} is replaced when it is sent.');
const Location = z
  .strictObject({ city: Template.optional(), commune: Template.optional() })
  .refine((place) => place.city !== undefined || place.commune !== undefined, 'needs city or commune');
/** Optional members of every step of an API operation. */
const operationStep = {
  name: z.string().min(1).optional().describe('Told after each of its expectations that was not met.'),
  capture: z
    .record(Identifier, z.string().min(1))
    .optional()
    .describe('Name → dotted path in the answer; used later as ${name}.'),
  expect: Expect.optional().describe(
    'What the answer must be. What is not met is recorded, and fails the run at its end.',
  ),
  onRefused: Policy.optional().describe("After a 429; default: the journey's, else the scenario's, else stop."),
  onError: Policy.optional().describe('After a missing answer or an error status; same default as onRefused.'),
  credentials: z
    .enum(['valid', 'none', 'invalid'])
    .optional()
    .describe('none sends no Authorization header, invalid sends a made-up one; default valid.'),
};

const IssueToken = z.strictObject({
  ...operationStep,
  issueToken: z
    .strictObject({
      locale: Template.optional().describe("Language and region. Absent: the user's own."),
      timezone: Template.optional().describe("Time zone. Absent: the user's own."),
    })
    .describe('A new token for the user. Without this step the first request issues one.'),
});

const NOT_A_CONVERSATION = 'must be new, chosen, resume or a name; write for example ${conversationId}';
const CreateConversation = z.strictObject({
  ...operationStep,
  createConversation: z
    .strictObject({
      conversation: z
        .union([z.enum(['new', 'chosen', 'resume']), z.string().regex(/^\$\{/, NOT_A_CONVERSATION)], {
          error: NOT_A_CONVERSATION,
        })
        .default('new')
        .describe(
          "new: the service chooses the id. chosen: the client does. resume: the journey's current conversation again. Or a ${name}.",
        ),
      title: Template.optional().describe('Absent: none is sent.'),
    })
    .describe('Creates a conversation, or takes one up again; it is the current one of the steps after it.'),
});

const messageContent = {
  message: Template.describe('Text of the message.'),
  location: Location.optional().describe('Where the user is: city, commune or both. Absent: not sent.'),
  nonce: z.boolean().default(true).describe('Append a nonce, so that no two messages have the same text.'),
};

const SendMessage = z.strictObject({
  ...operationStep,
  sendMessage: z
    .strictObject({
      ...messageContent,
      conversation: Template.optional().describe("Default: the journey's current conversation."),
      as: Template.optional().describe(
        'All messages of a run with the same name here are sent with the same client_message_id. Default: an id of its own.',
      ),
    })
    .describe('Sends a message, which begins a turn.'),
});

const Burst = z.strictObject({
  ...operationStep,
  burst: z
    .strictObject({
      of: z
        .enum(['sendMessage', 'readHistory', 'createConversation'])
        .default('sendMessage')
        .describe('Operation of the requests. message, location, nonce and follow are of sendMessage only.'),
      count: z.int().min(1).max(100_000).describe('Number of requests.'),
      gap: DurationText.prefault('0').describe('Time between two requests; 0 sends all at once.'),
      conversations: z
        .int()
        .min(1)
        .max(1_000)
        .default(1)
        .describe('Spread over this many conversations; those missing are created first.'),
      ...messageContent,
      message: messageContent.message.default('Message ${index} of a burst'),
      follow: FollowSettings.optional().describe(
        'Follow each turn from its acceptance on. Absent: turns are not followed by this step.',
      ),
    })
    .describe('Many requests at once, or `gap` apart.'),
});

const Resend = z.strictObject({
  ...operationStep,
  resend: z
    .strictObject({
      content: z
        .enum(['same', 'other'])
        .default('same')
        .describe('same: the message as it was first sent. other: another text under its client_message_id.'),
      message: Template.optional().describe('The other text; default: the first text with a remark.'),
      count: z.int().min(1).max(1_000).default(1).describe('How often.'),
      gap: DurationText.prefault('0').describe('Time between two requests; 0 sends all at once.'),
    })
    .describe('Sends the last accepted message again, under its client_message_id.'),
});

const FollowTurn = z.strictObject({
  ...operationStep,
  followTurn: FollowSettings.extend({
    turns: z
      .enum(['last', 'all'])
      .default('last')
      .describe('last: the newest accepted turn. all: every accepted turn not yet followed, in parallel.'),
  })
    // What extends a schema does not inherit what is registered of it.
    .register(implied, impliedByFollowing)
    .describe('Follows a turn until it has finished.'),
});

const ReadHistory = z.strictObject({
  ...operationStep,
  readHistory: z
    .strictObject({
      limit: z.int().min(1).max(100).optional().describe("Default: not sent, the service's own default applies."),
      offset: z.int().min(0).optional().describe('Messages to skip. Absent: 0, which is not sent.'),
      pages: z
        .union([z.literal('all'), z.int().min(1).max(1_000)])
        .default(1)
        .describe('Number of pages, at most 1000; all: until one is not full.'),
      conversation: Template.optional().describe("Default: the journey's current conversation."),
    })
    .describe('Reads the messages of a conversation.'),
});

const RateAnswer = z.strictObject({
  ...operationStep,
  rateAnswer: z
    .strictObject({
      rating: z.enum(['up', 'down']),
      message: Template.optional().describe('Default: the assistant message of the last completed turn.'),
    })
    .describe('Rates an answer.'),
});

const Pause = z.strictObject({
  pause: z.union([DurationText, LatencyDistribution]).describe('Waits: a duration, or one drawn from a distribution.'),
});

const Repeat = z.strictObject({
  repeat: z
    .strictObject({
      times: z.int().min(1).max(1_000_000),
      get steps() {
        return z.array(Step).min(1);
      },
    })
    .describe('Repeats steps; ${iteration} counts from 0.'),
});

/** The schema of each step, by name, in the order of the documentation. */
export const stepSchemas = {
  issueToken: IssueToken,
  createConversation: CreateConversation,
  sendMessage: SendMessage,
  burst: Burst,
  resend: Resend,
  followTurn: FollowTurn,
  readHistory: ReadHistory,
  rateAnswer: RateAnswer,
  pause: Pause,
  repeat: Repeat,
} as const;
export type StepName = keyof typeof stepSchemas;
export const stepNames = Object.keys(stepSchemas) as readonly StepName[];

/** One step of a journey: an object with exactly one of the step names as a member. */
export const Step = z.union(Object.values(stepSchemas));

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

/** The name of a step: its one member that is a step name. */
export function stepNameOf(step: Step): StepName {
  const name = stepNames.find((candidate) => candidate in step);
  if (name === undefined) throw new Error('a validated step has no step name');
  return name;
}
