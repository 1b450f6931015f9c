import { z } from 'zod';
import { isRecord, nearest, PARSED_ONCE } from '../../base/index.ts';
import { stepSchemas } from '../schema/steps.ts';
import { type Fault, MOST_TOLD, type Path, pathText, suggestion, valueAt, within } from './faults.ts';
import { k6KeyHint } from './k6-words.ts';
import { describeIssue, kindOnly, kindWithArticle, splitMessage, withoutQuotes, wrongHolder } from './kinds.ts';
import { objectsAt, withPlace } from './misplaced.ts';
import { holdsSecrets } from './secrets.ts';
import { shortened } from './shortened.ts';
import { answerlessHint, namedStep } from './step-shape.ts';
import { closestBranch, fittingBranches, kindOfIssue, literalsOf } from './unions.ts';
import { unknownVariantFaults, type Variants } from './variants.ts';

type Issue = z.core.$ZodIssue;
type UnionIssue = Extract<Issue, { code: 'invalid_union' }>;

const MISSING = 'is missing';

type ShapeResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** What is needed to turn issues into faults. */
interface Context {
  readonly schema: z.ZodType;
  /** The parsed value. */
  readonly root: unknown;
  /** Allowed keys of an object, by the issue's list of unknown keys. */
  readonly allowedKeys: WeakMap<readonly string[], readonly string[]>;
  /** The objects of a discriminated union, by the issue's list of their names. */
  readonly variants: WeakMap<readonly unknown[], Variants>;
}

/**
 * Validates a value and describes all faults in plain words. A union yields the faults of the branch that was probably meant, or
 * one fault if that is unclear.
 * @param most if there are too many faults: length at which the value's lists and maps are cut
 */
export function parseShape<T>(schema: z.ZodType<T>, value: unknown, most = 10_000): ShapeResult<T> {
  try {
    return parseWhole(schema, value);
  } catch (error) {
    // zod passes all issues of a member on as arguments of one call, and a call has room for some 120,000.
    if (!(error instanceof RangeError) || most < 1) throw error;
    const first = parseShape(schema, shortened(value, most), most / 100);
    const message = `has too many mistakes to look for all: those after item ${most} of a list or map are left out`;
    return { ok: false, faults: [{ path: [], message }, ...(first.ok ? [] : first.faults)] };
  }
}

function parseWhole<T>(schema: z.ZodType<T>, value: unknown): ShapeResult<T> {
  const allowedKeys: Context['allowedKeys'] = new WeakMap();
  const variants: Context['variants'] = new WeakMap();
  const parsed = schema.safeParse(value, {
    ...PARSED_ONCE,
    // The issue lists what is unknown, its schema what exists. Only here are both available.
    error: (issue) => {
      if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject)
        allowedKeys.set(issue.keys, Object.keys(issue.inst.shape));
      if (
        issue.code === 'invalid_union' &&
        issue.inst instanceof z.ZodDiscriminatedUnion &&
        Array.isArray(issue.options)
      )
        variants.set(issue.options, issue.inst.options as unknown as Variants);
      return wrongHolder(issue);
    },
  });
  if (parsed.success) return { ok: true, value: parsed.data };
  const context: Context = { schema, root: value, allowedKeys, variants };
  const faults = parsed.error.issues.flatMap((issue) => faultsOf(issue, [], context));
  const told = withoutMistyped(faults);
  const placed = told.slice(0, MOST_TOLD).map((fault) => withPlace(fault, schema, value));
  return { ok: false, faults: [...placed, ...told.slice(MOST_TOLD)] };
}

function faultsIn(schema: z.ZodType, value: unknown): readonly Fault[] {
  const parsed = parseShape<unknown>(schema, value);
  return parsed.ok ? [] : parsed.faults;
}

function faultsOf(issue: Issue, parent: Path, context: Context): readonly Fault[] {
  const path = [...parent, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path, context.allowedKeys.get(issue.keys) ?? [], context));
    case 'invalid_union':
      return unionFaults(issue, path, context);
    case 'invalid_key':
      return [
        {
          path,
          atKey: true,
          ...splitMessage(`"${String(path.at(-1))}" ${issue.issues[0]?.message ?? 'cannot be a key'}`),
        },
      ];
    case 'invalid_type':
    case 'invalid_value': {
      const value = valueAt(context.root, path);
      if (path.length === 0 && value === null)
        return [{ path, message: 'the file is empty', hint: 'spillway init writes files to start from' }];
      return [value === undefined ? missing(path, issue) : { path, ...wrongKind(issue, value, path) }];
    }
    default:
      return [{ path, ...describeIssue(issue) }];
  }
}

function unknownKey(key: string, path: Path, allowed: readonly string[], context: Context): Fault {
  const [only, ...others] = allowed;
  const certain = only !== undefined && others.length === 0 && valueAt(context.root, [...path, only]) === undefined;
  const fault = { path: [...path, key], atKey: true, message: `unknown key "${key}"` };
  const hint = certain ? `did you mean ${only}?` : (answerlessHint(key, allowed) ?? k6KeyHint(key));
  if (hint !== undefined) return { ...fault, hint };
  return { ...fault, hint: suggestion(key, allowed, 'allowed here:'), isVague: nearest(key, allowed) === undefined };
}

/** A mistyped key is reported once, as an unknown key, and not also as a missing one. */
function withoutMistyped(faults: readonly Fault[]): readonly Fault[] {
  const inHolder = (path: Path, hint = '') => `${pathText(path.slice(0, -1))} ${hint}`;
  const hinted = new Set(faults.map(({ path, hint }) => inHolder(path, hint)));
  const isMistyped = ({ path, message }: Fault) =>
    message === MISSING && hinted.has(inHolder(path, `did you mean ${String(path.at(-1))}?`));
  return faults.filter((fault) => !isMistyped(fault));
}

/** The custom message of a schema; undefined for zod's default messages. */
const ownMessage = (issue: Issue): Pick<Fault, 'message' | 'hint'> | undefined =>
  /^Invalid (input|option)/.test(issue.message) ? undefined : splitMessage(issue.message);

function missing(path: Path, issue: Issue): Fault {
  return { path, message: MISSING, hint: ownMessage(issue)?.hint ?? `write ${kindOfIssue(issue)}` };
}

function wrongKind(issue: Issue, value: unknown, path: Path): Pick<Fault, 'message' | 'hint'> {
  const own = ownMessage(issue);
  if (holdsSecrets(path))
    return {
      message: `${own?.message ?? `must be ${kindOfIssue(issue)}`}, not ${kindOnly(value)}`,
      hint: own?.hint ?? 'take it from the environment: "${env.NAME}"',
    };
  const message = `${own?.message ?? `must be ${kindOfIssue(issue)}`}, not ${kindWithArticle(value)}`;
  const near = typeof value === 'string' ? nearest(value, literalsOf(issue)) : undefined;
  const hint = near === undefined ? (own?.hint ?? kindHint(issue, value)) : `did you mean ${near}?`;
  return hint === undefined ? { message } : { message, hint };
}

function kindHint(issue: Issue, value: unknown): string | undefined {
  const kind = kindOfIssue(issue);
  // A duration without unit is ambiguous: seconds or milliseconds.
  if (typeof value === 'number' && value >= 0 && kind.startsWith('a duration')) return `write ${value}s or ${value}ms`;
  // The only object beside a duration is a distribution.
  if (kind.startsWith('a duration') && kind.endsWith(' or an object'))
    return 'write for example 2s, or { distribution: uniform, min: 1s, max: 3s }';
  if (kind === 'a list' && isRecord(value)) return 'write it as the one item of a list: [ { … } ]';
  if (typeof value === 'string' && /number/.test(kind) && /^-?\d+(\.\d+)?$/.test(value)) return withoutQuotes(value);
  if (kind === 'text' && (typeof value === 'number' || typeof value === 'boolean')) return `write "${value}"`;
  return kind === 'an object' && value === null ? 'write {} for an object without members' : undefined;
}

function stepFaults(value: unknown, path: Path): readonly Fault[] {
  const step = namedStep(value, path);
  if ('faults' in step) return step.faults;
  return within(path, faultsIn(stepSchemas[step.name], value));
}

function unionFaults(issue: UnionIssue, path: Path, context: Context): readonly Fault[] {
  if ('discriminator' in issue && issue.discriminator !== undefined && 'options' in issue) {
    const names = (issue.options ?? []).map(String);
    const variants = context.variants.get(issue.options ?? []) ?? [];
    return unknownVariantFaults(context.root, path, {
      discriminator: issue.discriminator,
      names,
      variants,
      faultsOf: faultsIn,
    });
  }
  const value = valueAt(context.root, path);
  if (path.at(-2) === 'steps' && typeof path.at(-1) === 'number') return stepFaults(value, path);
  if (value === undefined) return [missing(path, issue)];
  const fitting = fittingBranches(issue.errors);
  if (fitting.length === 0) return [{ path, ...wrongKind(issue, value, path) }];
  const meant = closestBranch(fitting, value);
  if (meant) return meant.flatMap((each) => faultsOf(each, path, context));
  const known = [...new Set(objectsAt(context.schema, path).flatMap(({ shape }) => Object.keys(shape)))];
  const keys = Object.keys(value as object);
  if (keys.length === 0) return [{ path, message: 'is empty', hint: `write one of ${known.join(', ')}` }];
  return keys.map((key) => unknownKey(key, path, known, context));
}
