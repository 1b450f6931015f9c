import { z } from 'zod';
import { isRecord } from '../../base/index.ts';
import { type StepName, stepNames, stepSchemas } from '../schema/steps.ts';
import { type Fault, type Path, suggestion } from './faults.ts';
import { k6KeyHint } from './k6-words.ts';
import { kindWithArticle } from './kinds.ts';

/** The one step name of a step, or the faults for which it has none. */
type NamedStep = { readonly name: StepName } | { readonly faults: readonly Fault[] };

/** Finds the step name, so that a step is validated against the schema of that name rather than the union of all steps. */
export function namedStep(value: unknown, path: Path): NamedStep {
  if (!isRecord(value)) return { faults: [{ path, ...notAStep(value) }] };
  const [name, ...others] = stepNames.filter((candidate) => Object.hasOwn(value, candidate));
  if (name === undefined) return { faults: [namelessStep(value, path)] };
  if (others.length > 0) return { faults: [twiceNamed(path, name, others)] };
  const faults = membersOutside(name, value).map((key) => ({
    path: [...path, key],
    atKey: true,
    message: `"${key}" belongs to ${name}`,
    hint: `indent it to put it below "${name}:"`,
  }));
  return faults.length > 0 ? { faults } : { name };
}

const twiceNamed = (path: Path, name: StepName, others: readonly StepName[]): Fault => ({
  path: [...path, ...others.slice(0, 1)],
  atKey: true,
  message: `has two step names: ${[name, ...others].join(' and ')}`,
  hint: `write "- ${others[0]}:" as a list item of its own`,
});

function notAStep(value: unknown): Pick<Fault, 'message' | 'hint'> {
  const message = `must be a step, not ${kindWithArticle(value)}`;
  if (typeof value !== 'string') return { message, hint: 'write for example sendMessage: { message: Hello }' };
  return {
    message,
    hint: (stepNames as readonly string[]).includes(value) ? `write ${value}: {}` : suggestion(value, stepNames),
  };
}

/** Optional members of the steps that send requests; each of these steps has them all. */
const ofSending: ReadonlySet<string> = new Set(
  Object.keys(stepSchemas.issueToken.shape).filter((key) => key !== 'issueToken'),
);

/**
 * Says of a member of steps with an answer that it is on one without: a place nearby that takes the key would be the wrong one.
 * @param allowed keys that the object with the member takes
 */
export function answerlessHint(key: string, allowed: readonly string[]): string | undefined {
  if (!ofSending.has(key)) return undefined;
  const isOf = (shape: object) => allowed.join() === Object.keys(shape).join();
  if (isOf(stepSchemas.pause.shape)) return `a pause sends nothing: ${key} belongs to a step that sends`;
  const { repeat } = stepSchemas.repeat.shape;
  if (!isOf(stepSchemas.repeat.shape) && !isOf(repeat.shape)) return undefined;
  return `a repeat has no answer of its own: ${key} belongs to one of its steps that sends`;
}

/** The fault of a step without a known step name, which is mistyped or missing. */
function namelessStep(value: Record<string, unknown>, path: Path): Fault {
  const common: readonly string[] = Object.keys(stepSchemas.issueToken.shape);
  const stranger = Object.keys(value).find((key) => !common.includes(key));
  if (stranger === undefined)
    return { path, message: 'has no step name', hint: `write one of ${stepNames.join(', ')}` };
  return {
    path: [...path, stranger],
    atKey: true,
    message: `there is no step "${stranger}"`,
    hint: k6KeyHint(stranger) ?? suggestion(stranger, stepNames),
  };
}

/** Keys next to the step name that belong below it: a common mistake of indentation. */
function membersOutside(name: StepName, value: Record<string, unknown>): readonly string[] {
  const shape: Readonly<Record<string, z.ZodType>> = stepSchemas[name].shape;
  const inner = shape[name];
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.keys(value).filter((key) => !Object.hasOwn(shape, key) && Object.hasOwn(inner.shape, key));
}
