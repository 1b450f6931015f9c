import { expect, it } from 'vitest';
import type { StepName } from '../../scenario/index.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { ask, once, seconds } from '../whole/small-runs.exam.ts';

/** What a step sends, and how long it takes. */
interface StepExam<Name extends StepName> {
  readonly step: Readonly<Record<Name, unknown>>;
  /** Operation, seconds since the step began, and status. A request travels for 0.01 s, and so does its answer. */
  readonly sends: readonly string[];
  readonly lasts: number;
}

/** After a conversation whose only turn has ended. A step that is missing here does not compile. */
const exams: { readonly [Name in StepName]: StepExam<Name> } = {
  issueToken: { step: { issueToken: {} }, sends: ['issueToken 0 201'], lasts: 0.02 },
  createConversation: { step: { createConversation: {} }, sends: ['createConversation 0 201'], lasts: 0.02 },
  sendMessage: { step: { sendMessage: { message: 'Another' } }, sends: ['sendMessage 0 202'], lasts: 0.02 },
  burst: {
    step: { burst: { count: 2, gap: '100ms' } },
    sends: ['sendMessage 0 202', 'sendMessage 0.1 202'],
    lasts: 0.12,
  },
  resend: {
    step: { resend: { count: 2, gap: '1s' } },
    sends: ['sendMessage 0 202', 'sendMessage 1 202'],
    lasts: 1.02,
  },
  // Nothing is left to follow: the turn before it was.
  followTurn: { step: { followTurn: {} }, sends: [], lasts: 0 },
  readHistory: {
    step: { readHistory: { limit: 1, pages: 'all' } },
    sends: ['readHistory 0 200', 'readHistory 0.02 200', 'readHistory 0.04 200'],
    lasts: 0.06,
  },
  rateAnswer: { step: { rateAnswer: { rating: 'up' } }, sends: ['rateAnswer 0 200'], lasts: 0.02 },
  pause: { step: { pause: '3s' }, sends: [], lasts: 3 },
  repeat: {
    step: { repeat: { times: 2, steps: [{ sendMessage: { message: 'Again' } }, { followTurn: { interval: '2s' } }] } },
    sends: [
      ...['sendMessage 0 202', 'readTurn 0.02 200', 'readTurn 2.02 200', 'readTurn 4.02 200', 'readTurn 6.02 200'],
      ...['sendMessage 6.04 202', 'readTurn 6.06 200', 'readTurn 8.06 200', 'readTurn 10.06 200', 'readTurn 12.06 200'],
    ],
    lasts: 12.08,
  },
};

type Journeys = Parameters<typeof runVirtualScenario>[0]['journeys'];

async function played(steps: readonly unknown[]) {
  const journeys = { a: { steps } } as unknown as Journeys;
  const { exchanges, journeys: ended } = await runVirtualScenario({ journeys, load: once });
  const [journey] = ended;
  if (!journey) throw new Error('the journey has no record');
  return { exchanges, journey };
}

it.each(Object.entries(exams))('%s sends what it should, when it should', async (_, { step, sends, lasts }) => {
  const before = await played(ask);
  const { exchanges, journey } = await played([...ask, step]);
  const since = before.journey.endedAt;
  const told = exchanges
    .slice(before.exchanges.length)
    .map(({ operation, intendedAt, status }) => `${operation} ${seconds(intendedAt - since)} ${status}`);
  expect([told, seconds(journey.endedAt - since), journey.outcome]).toEqual([sends, lasts, 'completed']);
});
