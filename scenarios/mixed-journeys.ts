// Scenarios can be TypeScript: one shape with the YAML files, completion from the types, and code where code helps.
// Costs 156 to 161 requests, 6 tokens, 7 to 8 new messages a day.
//   spillway run scenarios/mixed-journeys.ts
// Two applications, users with a language and a time zone each, and three kinds of journeys by weight; two of them differ
// only in what they do after a 429, so that one run compares the policies.
import { scenario } from 'spillway';

const people = [
  { id: 'ada', locale: 'en-GB', timezone: 'Europe/London' },
  { id: 'blaise', locale: 'fr-FR', timezone: 'Europe/Paris' },
  { id: 'clara', locale: 'de-CH', timezone: 'Europe/Zurich' },
];

const ask = [
  { createConversation: { conversation: 'chosen' as const } },
  { sendMessage: { message: 'A question by ${user.id}' } },
  { followTurn: { by: 'stream' as const, deadline: '20s' } },
];

export default scenario({
  name: 'mixed-journeys',
  description: 'Readers, and writers with two ways to take a refusal, of two applications.',
  seed: 5,
  sandbox: {
    clockRate: 30,
    startTime: '2026-01-15T09:00:00Z',
    latency: {
      queued: { distribution: 'constant', value: '1s' },
      processing: { distribution: 'exponential', mean: '12s' },
    },
    failureShare: 0.1,
  },
  applications: { shop: null, office: null },
  users: people.flatMap((person) => [
    { ...person, application: 'shop' },
    { ...person, id: `${person.id}-at-work`, application: 'office' },
  ]),
  journeys: {
    reader: {
      weight: 2,
      steps: [
        { createConversation: {} },
        {
          repeat: { times: 3, steps: [{ readHistory: {} }, { pause: { distribution: 'exponential', mean: '100ms' } }] },
        },
      ],
    },
    patient: {
      weight: 1,
      onRefused: { retry: { max: 4, backoff: { first: '200ms', jitter: 0.25 }, afterwards: 'continue' } },
      onError: 'continue',
      steps: ask,
    },
    hasty: { weight: 1, onRefused: 'stop', onError: 'continue', steps: ask },
  },
  load: [
    // More at once than there are slots: both kinds of writers are refused some.
    { model: 'burst', count: 6, journeys: ['patient'] },
    { model: 'burst', count: 6, journeys: ['hasty'] },
    { model: 'constant-rate', rate: '10/s', start: '500ms', duration: '5s' },
  ],
  deadline: '30s',
});
