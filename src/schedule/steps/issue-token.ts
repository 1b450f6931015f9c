import type { IssueTokenStep } from '../../scenario/index.ts';
import { adoptToken, issueTokenRequest } from '../exchanges/access.ts';
import type { JourneyState, StepListener, StepStart } from '../journeys/journey-state.ts';
import { renderAll } from '../journeys/scope.ts';
import { oneRequest } from './operation.ts';

/** Issues a new token, even if the user has one, and replaces it. */
export function issueToken(journey: JourneyState, step: IssueTokenStep, listener: StepListener): StepStart {
  const rendered = renderAll(journey, step.issueToken);
  if (rendered.kind === 'stop') return { ...rendered, operation: 'issueToken' };
  const where = rendered.texts;
  const request = issueTokenRequest(journey, where, step);
  return oneRequest(journey, step, request, listener, (sent) => adoptToken(journey, where, sent.reply));
}
