import type { DataRow, DataValue } from './reading/data-rows.ts';

/** The values of `${…}` at one moment of a journey. Absent members are not known yet, or not defined there. */
export interface TemplateScope {
  /** Environment variables that the scenario mentions. */
  readonly env: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string | number>>;
  /** The row of each table for this arrival. */
  readonly data: Readonly<Record<string, DataRow>>;
  /** `id` is the external user id; `index` counts from 0. */
  readonly user: { readonly id: string; readonly index: number };
  /** Label of the user's application. */
  readonly application: string;
  /** Index of the arrival, from 0. */
  readonly arrival: number;
  /** Iteration of the innermost repeat, from 0; absent outside a repeat. */
  readonly iteration?: number | undefined;
  /** Index of the message within its burst, from 0; absent outside a burst. */
  readonly index?: number | undefined;
  /** The journey's current conversation. */
  readonly conversation?: string | undefined;
  /** The last accepted turn. */
  readonly turn?: string | undefined;
  /** The assistant message of the last completed turn. */
  readonly answer?: string | undefined;
  /** Captured values by name. Only strings, numbers and booleans can be inserted into a text. */
  readonly captured: Readonly<Record<string, unknown>>;
}

type TemplatePart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'name'; readonly name: string };

/** A parsed text. `malformed`: what is wrong with it; `at`: where the fault starts (0-based). */
export type CompiledTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly malformed: string; readonly at: number };

/** The text, or the names without a value, each with the reason. Reasons never contain text of the service. */
export type Rendered =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: readonly { readonly name: string; readonly because: string }[] };

/**
 * Parses `Hello ${user.id}`. `$${` is a literal `${`; any other `$` is literal. Names may contain spaces, for columns of data, but
 * not `}` or `{`.
 */
export function compileTemplate(text: string): CompiledTemplate {
  const parts: TemplatePart[] = [];
  let rest = 0;
  for (const match of text.matchAll(/\$\$\{|\$\{/g)) {
    if (match.index < rest) continue;
    if (match.index > rest) parts.push({ kind: 'text', text: text.slice(rest, match.index) });
    rest = match.index + match[0].length;
    if (match[0] === '$${') {
      parts.push({ kind: 'text', text: '${' });
      continue;
    }
    const end = text.indexOf('}', rest);
    if (end < 0) return { ok: false, at: match.index, malformed: '"${" without its "}"' };
    const name = text.slice(rest, end).trim();
    if (name === '' || name.includes('{'))
      return { ok: false, at: match.index, malformed: `"\${${name}}" holds no name` };
    parts.push({ kind: 'name', name });
    rest = end + 1;
  }
  if (rest < text.length) parts.push({ kind: 'text', text: text.slice(rest) });
  return { ok: true, parts };
}

/** The unique names in a text, in order; empty if it is malformed. */
export function namesIn(text: string): readonly string[] {
  const compiled = compileTemplate(text);
  return compiled.ok ? [...new Set(compiled.parts.flatMap((part) => (part.kind === 'name' ? [part.name] : [])))] : [];
}

/** Replaces every name by its value in the scope. Values are not expanded again: `${` in a value stays as it is. */
export function renderTemplate(template: string | CompiledTemplate, scope: TemplateScope): Rendered {
  const compiled = typeof template === 'string' ? compileTemplate(template) : template;
  if (!compiled.ok) return { ok: false, missing: [{ name: '', because: compiled.malformed }] };
  const missing: { name: string; because: string }[] = [];
  const text = compiled.parts.map((part) => {
    if (part.kind === 'text') return part.text;
    const value = namedValue(part.name, scope);
    if (value.ok) return value.text;
    missing.push({ name: part.name, because: value.because });
    return '';
  });
  return missing.length === 0 ? { ok: true, text: text.join('') } : { ok: false, missing };
}

type Value = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly because: string };

function namedValue(name: string, scope: TemplateScope): Value {
  const { group, member, column } = splitName(name);
  if (group === 'env' && member !== undefined) return own(scope.env, member, 'the environment variable is not set');
  if (group === 'vars' && member !== undefined) return own(scope.vars, member, 'no such variable');
  if (group === 'data' && member !== undefined && column !== undefined) {
    const row = Object.hasOwn(scope.data, member) ? scope.data[member] : undefined;
    return row === undefined ? { ok: false, because: 'no such data' } : own(row, column, 'the row has no value there');
  }
  if (name === 'user.id') return { ok: true, text: scope.user.id };
  if (name === 'user.index') return { ok: true, text: String(scope.user.index) };
  if (!isMoment(name)) return own(scope.captured, name, 'nothing was captured under this name');
  const value = scope[name];
  return value === undefined ? { ok: false, because: moments[name] } : { ok: true, text: String(value) };
}

/** The names of one word, which are members of the scope, and why one has no value. */
const moments = {
  application: '',
  arrival: '',
  iteration: 'defined only inside a repeat',
  index: 'defined only inside a burst',
  conversation: 'the journey has no conversation yet',
  turn: 'no message was accepted yet',
  answer: 'no turn was seen completed yet',
} as const satisfies Partial<Record<keyof TemplateScope, string>>;
export const momentNames: readonly string[] = Object.keys(moments);

const isMoment = (name: string): name is keyof typeof moments => Object.hasOwn(moments, name);

function own(values: Readonly<Record<string, unknown>>, name: string, absent: string): Value {
  const value: unknown = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || value === null) return { ok: false, because: absent };
  if (isDataValue(value)) return { ok: true, text: String(value) };
  return {
    ok: false,
    because: Array.isArray(value)
      ? 'an array cannot be written into a text'
      : 'an object cannot be written into a text',
  };
}

const isDataValue = (value: unknown): value is NonNullable<DataValue> =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** `data.cities.name of it` → data, cities, "name of it". A column may contain dots. */
export function splitName(name: string): { group: string; member?: string; column?: string } {
  const [group = '', member, ...column] = name.split('.');
  if (member === undefined) return { group };
  return column.length === 0 ? { group, member } : { group, member, column: column.join('.') };
}

/** Describes missing names for the journal. */
export function describeMissing(missing: Extract<Rendered, { ok: false }>['missing']): string {
  return missing.map(({ name, because }) => (name === '' ? because : `\${${name}}: ${because}`)).join('; ');
}
