import type { RateAnswerStep } from '../../scenario/index.ts';
import { requestOf } from '../exchanges/request.ts';
import type { JourneyState, StepListener, StepStart } from '../journeys/journey-state.ts';
import { renderAll } from '../journeys/scope.ts';
import { oneRequest } from './operation.ts';

/** Rates an answer: the last completed turn's, or the one that the step names. */
export function rateAnswer(journey: JourneyState, step: RateAnswerStep, listener: StepListener): StepStart {
  const rendered = renderAll(journey, { message: step.rateAnswer.message });
  if (rendered.kind === 'stop') return { ...rendered, operation: 'rateAnswer' };
  const message = rendered.texts.message ?? journey.answer;
  if (message === undefined)
    return {
      kind: 'stop',
      operation: 'rateAnswer',
      because: 'no answer to rate: no turn was seen to complete before this step',
    };
  const body = { rating: step.rateAnswer.rating };
  const request = requestOf({ operation: 'rateAnswer', parameters: { message_id: message }, body }, step);
  return oneRequest(journey, step, request, listener);
}
