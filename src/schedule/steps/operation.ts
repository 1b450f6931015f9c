import type { OperationId } from '../../api/index.ts';
import { type Micros, microsFromMillis } from '../../base/index.ts';
import { captureFrom, type Policy } from '../../scenario/index.ts';
import type { Sent } from '../exchanges/attempt.ts';
import type { Request, RequestSettings } from '../exchanges/request.ts';
import { interrupted, type JourneyState, next, type StepEnd, type StepListener } from '../journeys/journey-state.ts';
import { policiesOf } from '../policies/decision.ts';
import { type Settled, startWithPolicy } from '../policies/policy.ts';

/** Members that every step of an operation may have. */
export interface OperationStep extends RequestSettings {
  readonly capture?: Readonly<Record<string, string>> | undefined;
  readonly onRefused?: Policy | undefined;
  readonly onError?: Policy | undefined;
}

/** Why a step that needs a conversation stops its journey. */
export const NO_CONVERSATION = 'no conversation: none was created before this step';

/** Runs a step that is one request: sends by the policy, captures, and sets the journey's clock to its end. */
export function oneRequest(
  journey: JourneyState,
  step: OperationStep,
  request: Request,
  listener: StepListener,
  onSuccess?: (sent: Sent) => void,
): undefined {
  startWithPolicy(journey, request, journey.cursor, policiesOf(journey, step), {
    settled: (settled) => listener.ended(settle(journey, step, request.operation, settled, onSuccess)),
    failed: (defect) => listener.failed(defect),
  });
}

/** Turns the policy's result into the end of the step. */
export function settle(
  journey: JourneyState,
  step: Pick<OperationStep, 'capture'>,
  operation: OperationId,
  settled: Settled,
  onSuccess?: (sent: Sent) => void,
): StepEnd {
  if (settled.kind === 'interrupted') return settled;
  if (settled.kind === 'stop') return { kind: 'stop', operation, because: settled.because };
  const endedAt = settled.sent?.reply.receivedAt ?? journey.world.clock.now();
  journey.cursor = Math.max(journey.cursor, endedAt) as Micros;
  if (settled.kind === 'done') {
    capture(journey, step.capture, settled.sent.reply.kind === 'answer' ? settled.sent.reply.body : undefined);
    onSuccess?.(settled.sent);
  }
  return next;
}

/**
 * Sends `count` requests at once, or `gap` apart. Each has its own policy; the step ends like the first request that did not go on.
 */
export async function sideBySide(
  journey: JourneyState,
  { count, gap }: { readonly count: number; readonly gap: number },
  send: (index: number, intendedAt: Micros) => Promise<StepEnd>,
): Promise<StepEnd> {
  const { stop, world, cursor: start } = journey;
  const ends = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const intendedAt = (start + index * microsFromMillis(gap)) as Micros;
      await world.clock.sleepUntil(intendedAt, stop.finish);
      return stop.finish.aborted ? interrupted : send(index, intendedAt);
    }),
  );
  return ends.find((end) => end.kind !== 'next') ?? next;
}

/** Stores what the step captures. If the answer lacks a path, the name stays unset, and its use reports that. */
export function capture(journey: JourneyState, wanted: OperationStep['capture'], body: unknown): void {
  if (!wanted) return;
  const { values, absent } = captureFrom(wanted, body);
  Object.assign(journey.captured, values);
  for (const name of absent) delete journey.captured[name];
}
