import type { z } from 'zod';
import { isRecord, kindName } from '../../base/index.ts';

type Issue = z.core.$ZodIssue;
/** The issues of one alternative of a union. */
export type Branch = readonly Issue[];

/** The branches that accept a value of this kind: those without an issue at the root. */
export function fittingBranches(branches: readonly Branch[]): readonly Branch[] {
  return branches.filter((branch) => !branch.some(refusesWhole));
}

function refusesWhole(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return fittingBranches(issue.errors).length === 0;
  return issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_format';
}

/**
 * The branch that knows most keys of an object; if there are several, the one with the fewest issues.
 * @returns undefined if several are possible and none knows any key of the object
 */
export function closestBranch(branches: readonly Branch[], value: unknown): Branch | undefined {
  if (branches.length === 1 || !isRecord(value)) return branches[0];
  const unknownKeys = (branch: Branch) =>
    branch.flatMap((issue) => (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [])).length;
  const ranked = branches.toSorted((a, b) => unknownKeys(a) - unknownKeys(b) || a.length - b.length);
  const best = ranked[0];
  return best && unknownKeys(best) < Object.keys(value).length ? best : undefined;
}

/** The literal texts that are allowed. */
export function literalsOf(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_value') return issue.values.filter((value) => typeof value === 'string');
  if (issue.code !== 'invalid_union') return [];
  return issue.errors.flat().flatMap((each) => (each.path.length === 0 ? literalsOf(each) : []));
}

/** The kinds of value that the branches accept: `text, a number or an object`. */
function kindsOf(branches: readonly Branch[]): string {
  const whole = branches.flatMap((branch) => branch.filter((issue) => issue.path.length === 0));
  return alternatives([...new Set(whole.map(kindOfIssue))]);
}

/** `a, b or c` */
function alternatives(names: readonly string[]): string {
  const last = names.at(-1) ?? 'another kind of value';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** The kind of value that an issue expects. */
export function kindOfIssue(issue: Issue): string {
  if (issue.code === 'invalid_type') return kindName(issue.expected);
  if (issue.code === 'invalid_value') return alternatives(issue.values.map(String));
  if (issue.code !== 'invalid_union') return 'another kind of value';
  return isDuration(issue.errors) ? 'a duration such as 250ms, 1.5s or 2min' : kindsOf(issue.errors);
}

/** Whether the union is that of durations: text or the number 0. No other schema has this number. */
const isDuration = (branches: readonly Branch[]): boolean =>
  branches.some(([issue]) => issue?.code === 'invalid_value' && issue.values[0] === 0);
