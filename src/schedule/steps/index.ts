import { rememberedOf } from '../../base/index.ts';
import { type Step, type StepName, stepNameOf } from '../../scenario/index.ts';
import type { JourneyState, StepListener, StepStart } from '../journeys/journey-state.ts';
import { burst } from './burst.ts';
import { createConversation } from './create-conversation.ts';
import { followTurn } from './follow-turn.ts';
import { issueToken } from './issue-token.ts';
import { pause } from './pause.ts';
import { rateAnswer } from './rate-answer.ts';
import { readHistory } from './read-history.ts';
import { type RunSteps, repeat } from './repeat.ts';
import { resend } from './resend.ts';
import { sendMessage } from './send-message.ts';

export type StepRunner<S> = (journey: JourneyState, step: S, listener: StepListener) => StepStart;

/** Every kind of step. If the schema has a step that is missing here, the code does not compile. */
type Runners = { readonly [Name in StepName]: StepRunner<Extract<Step, Record<Name, unknown>>> };

/**
 * What starts one step. A step's runner is looked up once: a step may run a hundred thousand times a second.
 * @param runSteps for steps that consist of steps
 */
export function stepStarter(runSteps: RunSteps): StepRunner<Step> {
  const runners: Runners = {
    issueToken,
    createConversation,
    sendMessage,
    burst,
    resend,
    followTurn,
    readHistory,
    rateAnswer,
    pause,
    repeat: repeat(runSteps),
  };
  // The only cast: TypeScript cannot correlate a record's value with its key's type.
  const runnerOf = rememberedOf((step: Step) => runners[stepNameOf(step)] as StepRunner<Step>);
  return (journey, step, listener) => runnerOf(step)(journey, step, listener);
}
