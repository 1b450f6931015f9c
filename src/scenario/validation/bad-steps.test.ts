import { describe, expect, test } from 'vitest';
import { stepNames } from '../schema/steps.ts';
import { at, problemsOf, sent, steps } from './bad-input.exam.ts';

describe('a step', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'a mistyped name',
      'sendMesage: { message: a }',
      [`${at(6, 9, 'journeys.ask.steps[0].sendMesage')}: there is no step "sendMesage"; did you mean sendMessage?`],
    ],
    [
      'an unknown name',
      'wait: 1s',
      [`${at(6, 9, 'journeys.ask.steps[0].wait')}: there is no step "wait"; write one of ${stepNames.join(', ')}`],
    ],
    [
      'no name',
      '{ expect: { status: 200 } }',
      [`${at(6, 9, 'journeys.ask.steps[0]')}: has no step name; write one of ${stepNames.join(', ')}`],
    ],
    [
      'two names',
      '{ pause: 1s, issueToken: {} }',
      [
        `${at(6, 11, 'journeys.ask.steps[0].pause')}: has two step names: issueToken and pause; write "- pause:" as a list item of its own`,
      ],
    ],
    [
      'a number',
      '5',
      [
        `${at(6, 9, 'journeys.ask.steps[0]')}: must be a step, not 5; write for example sendMessage: { message: Hello }`,
      ],
    ],
    [
      'a long text',
      `"${'x'.repeat(41)}"`,
      [`${at(6, 9, 'journeys.ask.steps[0]')}: must be a step, not this text; write one of ${stepNames.join(', ')}`],
    ],
    [
      'a bare name',
      'issueToken',
      [`${at(6, 9, 'journeys.ask.steps[0]')}: must be a step, not "issueToken"; write issueToken: {}`],
    ],
    [
      'nothing below the name',
      'issueToken:',
      [
        `${at(6, 20, 'journeys.ask.steps[0].issueToken')}: must be an object, not null; write {} for an object without members`,
      ],
    ],
    [
      'a slip of indentation',
      'sendMessage:\n        message: a',
      [
        `${at(7, 9, 'journeys.ask.steps[0].message')}: "message" belongs to sendMessage; indent it to put it below "sendMessage:"`,
      ],
    ],
    [
      'a missing member',
      'sendMessage: {}',
      [`${at(6, 22, 'journeys.ask.steps[0].sendMessage.message')}: is missing; write text`],
    ],
    [
      'a mistyped member',
      'sendMessage: { messag: a }',
      [`${at(6, 24, 'journeys.ask.steps[0].sendMessage.messag')}: unknown key "messag"; did you mean message?`],
    ],
    [
      'a mistyped key beside the name',
      '{ pause: 1s, nam: a }',
      [`${at(6, 22, 'journeys.ask.steps[0].nam')}: unknown key "nam"; allowed here: pause`],
    ],
    [
      'an empty text',
      'sendMessage: { message: "" }',
      [`${at(6, 33, 'journeys.ask.steps[0].sendMessage.message')}: must not be empty`],
    ],
    [
      'a number for a text',
      'sendMessage: { message: 5 }',
      [`${at(6, 33, 'journeys.ask.steps[0].sendMessage.message')}: must be text, not 5; write "5"`],
    ],
    [
      'a location of nowhere',
      'sendMessage: { message: a, location: {} }',
      [`${at(6, 46, 'journeys.ask.steps[0].sendMessage.location')}: needs city or commune`],
    ],
    [
      'a bare number for a duration',
      'pause: 5',
      [
        `${at(6, 16, 'journeys.ask.steps[0].pause')}: must be a duration such as 250ms, 1.5s or 2min or an object, not 5; write 5s or 5ms`,
      ],
    ],
    [
      'a mistyped member beside the name',
      'sendMessage: { message: a }\n        captur: { a: b }',
      [`${at(7, 9, 'journeys.ask.steps[0].captur')}: unknown key "captur"; did you mean capture?`],
    ],
    [
      'no duration',
      'pause: 5 seconds',
      [
        `${at(6, 16, 'journeys.ask.steps[0].pause')}: "5 seconds" is not a duration; write for example 250ms, 1.5s, 2min or 1h`,
      ],
    ],
    [
      'an unknown distribution',
      'pause: { distribution: gaussian }',
      [
        `${at(6, 32, 'journeys.ask.steps[0].pause.distribution')}: there is no distribution "gaussian"; write one of constant, uniform, lognormal, exponential`,
      ],
    ],
    [
      'a distribution without its mean',
      'pause: { distribution: exponential }',
      [`${at(6, 16, 'journeys.ask.steps[0].pause.mean')}: is missing; write a duration such as 250ms, 1.5s or 2min`],
    ],
    [
      'an impossible count',
      'burst: { count: 0 }',
      [`${at(6, 25, 'journeys.ask.steps[0].burst.count')}: must be at least 1`],
    ],
    [
      'a fraction for a count',
      'burst: { count: 1.5 }',
      [`${at(6, 25, 'journeys.ask.steps[0].burst.count')}: must be a whole number, not 1.5`],
    ],
    [
      'a quoted number',
      'burst: { count: "3" }',
      [`${at(6, 25, 'journeys.ask.steps[0].burst.count')}: must be a number, not "3"; write 3 without quotes`],
    ],
    [
      'a nested step',
      'repeat: { times: 2, steps: [{ pause: 1s }, { puase: 1s }] }',
      [`${at(6, 54, 'journeys.ask.steps[0].repeat.steps[1].puase')}: there is no step "puase"; did you mean pause?`],
    ],
    [
      'no nested steps',
      'repeat: { times: 2, steps: [] }',
      [`${at(6, 36, 'journeys.ask.steps[0].repeat.steps')}: needs at least 1 item`],
    ],
    [
      'a conversation of no kind',
      'createConversation: { conversation: newest }',
      [
        `${at(6, 45, 'journeys.ask.steps[0].createConversation.conversation')}: must be new, chosen, resume or a name; write for example \${conversationId}`,
      ],
    ],
    [
      'pages of no kind',
      'readHistory: { pages: alll }',
      [
        `${at(6, 31, 'journeys.ask.steps[0].readHistory.pages')}: must be all or a number, not "alll"; did you mean all?`,
      ],
    ],
    [
      'a limit too high',
      'readHistory: { limit: 101 }',
      [`${at(6, 31, 'journeys.ask.steps[0].readHistory.limit')}: must be at most 100`],
    ],
  ])('%s', async (_, line, problems) => {
    expect(await problemsOf({ 's.yaml': steps(line) })).toEqual(problems);
  });
});

describe('the order of steps', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      'a resend of nothing',
      ['resend: {}', sent],
      [
        `${at(6, 9, 'journeys.ask.steps[0].resend')}: comes before any message was sent in this journey; put a sendMessage or a burst before it`,
      ],
    ],
    [
      'following nothing',
      ['createConversation: {}', 'followTurn: {}'],
      [
        `${at(7, 9, 'journeys.ask.steps[1].followTurn')}: comes before any message was sent in this journey; put a sendMessage or a burst before it`,
      ],
    ],
    [
      'rating nothing',
      [sent, 'rateAnswer: { rating: up }'],
      [
        `${at(7, 9, 'journeys.ask.steps[1].rateAnswer')}: comes before any turn was followed in this journey; put a followTurn before it, or name the message`,
      ],
    ],
    [
      'following after a burst of reads',
      ['burst: { of: readHistory, count: 2 }', 'followTurn: {}'],
      [
        `${at(7, 9, 'journeys.ask.steps[1].followTurn')}: comes before any message was sent in this journey; put a sendMessage or a burst before it`,
      ],
    ],
    [
      'resuming nothing',
      ['createConversation: { conversation: resume }', 'createConversation: {}'],
      [
        `${at(6, 45, 'journeys.ask.steps[0].createConversation.conversation')}: comes before any conversation was created in this journey; put a createConversation before it, or write new`,
      ],
    ],
    ...['burst: { count: 1 }', 'createConversation: {}'].map(
      (first): [string, readonly string[], readonly string[]] => [
        `no fault in resuming what was created: ${first}`,
        [first, 'createConversation: { conversation: resume }'],
        [],
      ],
    ),
    [
      'a poll without end',
      [sent, 'followTurn: { deadline: 0 }'],
      [`${at(7, 33, 'journeys.ask.steps[1].followTurn.deadline')}: must be longer than 0; write for example 30s`],
    ],
    [
      'polls that would come closer together than their interval',
      [
        sent,
        'followTurn: { interval: 2s, maxInterval: 1s }',
        'burst: { count: 1, follow: { interval: 3s, maxInterval: 2s } }',
      ],
      [
        `${at(7, 50, 'journeys.ask.steps[1].followTurn.maxInterval')}: must not be below interval`,
        `${at(8, 65, 'journeys.ask.steps[2].burst.follow.maxInterval')}: must not be below interval`,
      ],
    ],
    ['a default that gives way to what is written', [sent, 'followTurn: { maxInterval: 500ms }'], []],
    ['the same interval throughout', [sent, 'followTurn: { interval: 2s, maxInterval: 2s }'], []],
    ['no fault', [sent, 'resend: {}', 'followTurn: {}', 'rateAnswer: { rating: up }'], []],
    [
      'no fault in a burst that follows',
      ['burst: { count: 2, message: "${index}", follow: {} }', 'rateAnswer: { rating: up }', 'followTurn: {}'],
      [],
    ],
    [
      'no fault in a repeat',
      [
        'repeat: { times: 2, steps: [{ sendMessage: { message: "${iteration}" } }] }',
        'resend: {}',
        'rateAnswer: { rating: down, message: "${turn}" }',
      ],
      [],
    ],
  ])('%s', async (_, lines, problems) => {
    expect(await problemsOf({ 's.yaml': steps(...lines) })).toEqual(problems);
  });
});

describe('a member without effect', () => {
  const unused = (column: number, path: string) => at(7, column, `journeys.ask.steps[1].${path}`);
  const ofReads = 'has no effect in a burst of readHistory; remove it, or write of: sendMessage';
  const byStream = 'has no effect by stream, without polls; remove it, or write by: poll or by: both';
  test.each<[string, readonly string[]]>([
    [
      'resend: { message: Other }',
      [`${unused(19, 'resend.message')}: is not sent: the content is the same; add content: other`],
    ],
    ['resend: { content: other, message: Other }', []],
    [
      'burst: { of: readHistory, count: 2, message: a, nonce: false, follow: {} }',
      [
        `${unused(45, 'burst.message')}: ${ofReads}`,
        `${unused(57, 'burst.nonce')}: ${ofReads}`,
        `${unused(71, 'burst.follow')}: ${ofReads}`,
      ],
    ],
    [
      'burst: { of: createConversation, count: 2, location: { city: Bern } }',
      [
        `${unused(52, 'burst.location')}: has no effect in a burst of createConversation; remove it, or write of: sendMessage`,
      ],
    ],
    ['burst: { count: 2, follow: { by: stream, backoff: 2 } }', [`${unused(50, 'burst.follow.backoff')}: ${byStream}`]],
    [
      'followTurn: { by: stream, interval: 2s, maxInterval: 3s }',
      [`${unused(35, 'followTurn.interval')}: ${byStream}`, `${unused(49, 'followTurn.maxInterval')}: ${byStream}`],
    ],
    ['followTurn: { by: both, interval: 2s }', []],
    [
      'followTurn: { maxInterval: 2s }',
      [
        `${unused(23, 'followTurn.maxInterval')}: has no effect on an interval that does not grow; add for example backoff: 2`,
      ],
    ],
    ['followTurn: { interval: 2s, backoff: 1.5, maxInterval: 3s }', []],
    ['followTurn: { by: stream, deadline: 2s }', []],
  ])('%s', async (line, problems) => {
    expect(await problemsOf({ 's.yaml': steps(sent, line) })).toEqual(problems);
  });
});
