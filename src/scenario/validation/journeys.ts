import { isRecord } from '../../base/index.ts';
import { stepNames } from '../schema/steps.ts';
import { compileTemplate, namesIn } from '../template.ts';
import { type Fault, itemsOf, membersOf, namesOf, type Path, valueAt } from './faults.ts';
import { idleMemberFaults } from './idle-members.ts';
import { type KnownNames, nameFault, reservedNames } from './names.ts';
import { templateMembers } from './template-members.ts';

/** The names that a scenario defines outside its journeys. */
export type ScenarioNames = Pick<KnownNames, 'environment' | 'variables' | 'tables'>;

/** What a journey may have done before the current step. */
interface Progress {
  readonly names: ScenarioNames;
  readonly captured: Set<string>;
  /** Names captured anywhere in the journey. */
  readonly capturedEver: ReadonlySet<string>;
  created: boolean;
  sent: boolean;
  followed: boolean;
}

/**
 * Certain faults in the order of a journey's steps and in the names of its texts. Reads the document as written, so that these
 * faults are reported together with those of the shape, and ignores parts of a wrong shape.
 */
export function journeyFaults(journeys: unknown, names: ScenarioNames): readonly Fault[] {
  return membersOf(journeys).flatMap(([journey, value]) => {
    const steps = valueAt(value, ['steps']);
    const progress: Progress = {
      names,
      captured: new Set(),
      capturedEver: new Set(capturesIn(steps)),
      created: false,
      sent: false,
      followed: false,
    };
    return stepListFaults(steps, ['journeys', journey, 'steps'], progress, false);
  });
}

function capturesIn(steps: unknown): readonly string[] {
  return itemsOf(steps).flatMap((step) => {
    const nested = capturesIn(valueAt(step, ['repeat', 'steps']));
    return [...namesOf(valueAt(step, ['capture'])), ...nested];
  });
}

function stepListFaults(steps: unknown, path: Path, progress: Progress, inRepeat: boolean): readonly Fault[] {
  return itemsOf(steps).flatMap((step, index) => {
    const at = [...path, index];
    const name = isRecord(step) ? stepNames.find((candidate) => Object.hasOwn(step, candidate)) : undefined;
    if (!isRecord(step) || name === undefined) return [];
    const body = isRecord(step[name]) ? step[name] : {};
    if (name === 'repeat') return stepListFaults(body.steps, [...at, 'repeat', 'steps'], progress, true);
    const known: KnownNames = { ...progress.names, ...progress, inRepeat, inBurst: name === 'burst' };
    const faults = [
      ...orderFaults(name, body, at, progress),
      ...idleMemberFaults(name, body, [...at, name]),
      ...textsOf(body, [...at, name]).flatMap((text) => textFaults(text, known)),
      ...captureFaults(step.capture, [...at, 'capture']),
      ...expectationFaults(step.expect, [...at, 'expect']),
    ];
    advance(progress, name, body, step);
    return faults;
  });
}

function advance(progress: Progress, name: string, body: Record<string, unknown>, step: Record<string, unknown>): void {
  const sends = name === 'sendMessage' || (name === 'burst' && (body.of === undefined || body.of === 'sendMessage'));
  if (name === 'createConversation' || name === 'burst') progress.created = true;
  if (sends) progress.sent = true;
  if (name === 'followTurn' || (sends && body.follow !== undefined)) progress.followed = true;
  for (const captured of namesOf(step.capture)) progress.captured.add(captured);
}

/** Reports a step that needs something which no earlier step of its journey can have done. */
function orderFaults(
  name: string,
  body: Record<string, unknown>,
  at: Path,
  { created, sent, followed }: Progress,
): readonly Fault[] {
  const fault = (message: string, hint: string): readonly Fault[] => [
    { path: [...at, name], atKey: true, message, hint },
  ];
  if (name === 'createConversation' && body.conversation === 'resume' && !created) {
    const message = 'comes before any conversation was created in this journey';
    const hint = 'put a createConversation before it, or write new';
    return [{ path: [...at, name, 'conversation'], message, hint }];
  }
  if ((name === 'resend' || name === 'followTurn') && !sent) {
    return fault('comes before any message was sent in this journey', 'put a sendMessage or a burst before it');
  }
  if (name === 'rateAnswer' && body.message === undefined && !followed) {
    return fault(
      'comes before any turn was followed in this journey',
      'put a followTurn before it, or name the message',
    );
  }
  return [];
}

interface PlacedText {
  readonly path: Path;
  readonly text: string;
}

/** The templates of a step. */
function textsOf(value: unknown, path: Path): readonly PlacedText[] {
  if (typeof value === 'string') return [{ path, text: value }];
  return membersOf(value).flatMap(([key, member]) => (templateMembers.has(key) ? textsOf(member, [...path, key]) : []));
}

function textFaults({ path, text }: PlacedText, known: KnownNames): readonly Fault[] {
  const compiled = compileTemplate(text);
  if (!compiled.ok) return [{ path, message: compiled.malformed, hint: 'write ${name}, or $${ for a literal ${' }];
  return namesIn(text).flatMap((name) => {
    const fault = nameFault(name, known);
    return fault ? [{ path, ...fault }] : [];
  });
}

function captureFaults(capture: unknown, path: Path): readonly Fault[] {
  return membersOf(capture).flatMap(([name, from]): readonly Fault[] => {
    const at = [...path, name];
    return [
      ...(reservedNames.includes(name) ? [{ path: at, atKey: true, ...reserved(name) }] : []),
      ...(isTemplate(from) ? [{ path: at, ...NOT_IN_PATHS }] : []),
    ];
  });
}

const reserved = (name: string) => ({
  message: `"${name}" is a reserved name in texts`,
  hint: 'capture it under another name',
});

function expectationFaults(expect: unknown, path: Path): readonly Fault[] {
  const body = valueAt(expect, ['body']);
  if (isEmpty(expect)) return [expectsNothing(path, 'status: 200, or body: { title: Hello }')];
  if (isEmpty(body)) return [expectsNothing([...path, 'body'], 'body: { title: Hello }')];
  return templatesIn(body, [...path, 'body']);
}

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;

const expectsNothing = (path: Path, example: string): Fault => ({
  path,
  atKey: true,
  message: 'expects nothing',
  hint: `write for example ${example}`,
});

/** Expected values are literal, so an expectation with a template could never be met. */
const templatesIn = (body: unknown, path: Path): readonly Fault[] =>
  membersOf(body).flatMap(([member, expected]): readonly Fault[] => {
    const at = [...path, member];
    const listed = itemsOf(valueAt(expected, ['oneOf']));
    return [
      ...(isTemplate(member) ? [{ path: at, atKey: true, ...NOT_IN_PATHS }] : []),
      ...(isTemplate(expected) ? [{ path: at, ...LITERAL }] : []),
      ...listed.flatMap((value, index) => (isTemplate(value) ? [{ path: [...at, 'oneOf', index], ...LITERAL }] : [])),
    ];
  });

const isTemplate = (value: unknown): boolean => typeof value === 'string' && namesIn(value).length > 0;

const LITERAL = {
  message: 'is compared literally: names are not replaced in expectations',
  hint: 'write a literal, or matches: with a pattern',
};

const NOT_IN_PATHS = {
  message: 'is a path in which names are not replaced',
  hint: 'write it out, for example messages.0.role',
};
