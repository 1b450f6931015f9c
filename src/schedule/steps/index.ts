import { rememberedOf } from '../../base/index.ts';
import { type Step, type StepName, stepNameOf } from '../../scenario/index.ts';
import type { JourneyState, StepListener, StepStart } from '../journey-state.ts';
import { burst } from './burst.ts';
import { createConversation } from './create-conversation.ts';
import { followTurn } from './follow-turn.ts';
import { issueToken } from './issue-token.ts';
import { pause } from './pause.ts';
import { rateAnswer } from './rate-answer.ts';
import { readHistory } from './read-history.ts';
import { repeat } from './repeat.ts';
import { resend } from './resend.ts';
import { sendMessage } from './send-message.ts';

export type StepRunner<S> = (journey: JourneyState, step: S, told: StepListener) => StepStart;

/** Every kind of step: one that the schema names and this record lacks does not compile. */
const runners: { readonly [Name in StepName]: StepRunner<Extract<Step, Record<Name, unknown>>> } = {
  issueToken,
  createConversation,
  sendMessage,
  burst,
  resend,
  followTurn,
  readHistory,
  rateAnswer,
  pause,
  repeat,
};

/**
 * What runs a step, found once: a step may run a hundred thousand times a second. The one cast: a record's value and its key's
 * type cannot be correlated otherwise.
 */
const runnerOf = rememberedOf((step: Step) => runners[stepNameOf(step)] as StepRunner<Step>);

/** Starts one step. */
export const runStep: StepRunner<Step> = (journey, step, told) => runnerOf(step)(journey, step, told);
