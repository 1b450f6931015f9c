import { z } from 'zod';
import type { Fault } from './faults.ts';

/** Describes a value, for "must be …, not …". Short texts and numbers are quoted, because they come from the user's own file. */
export function kindWithArticle(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value.length <= 40 ? JSON.stringify(value) : 'this text';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** The same for a value that may be a secret. */
export function kindOnly(value: unknown): string {
  if (typeof value === 'string') return 'this text';
  return typeof value === 'number' || typeof value === 'boolean' ? `a ${typeof value}` : kindWithArticle(value);
}

/** Describes a violated bound, format or custom check in plain words. */
export function describeIssue(issue: z.core.$ZodIssue): Pick<Fault, 'message' | 'hint'> {
  switch (issue.code) {
    case 'too_small':
      return { message: tooSmall(issue) };
    case 'too_big':
      return { message: tooBig(issue) };
    case 'invalid_format':
      if (issue.format !== 'url') return splitMessage(issue.message);
      return issue.path.at(-1) === 'proxy'
        ? { message: 'must be the address of an HTTP proxy', hint: 'write for example http://proxy.example:3128' }
        : { message: 'must be an address', hint: 'write for example https://api.example.com' };
    default:
      return splitMessage(issue.message);
  }
}

function tooBig({ origin, maximum, inclusive }: Extract<z.core.$ZodIssue, { code: 'too_big' }>): string {
  const most = origin === 'array' ? counted(maximum) : maximum;
  return `must be ${inclusive === false ? 'below' : 'at most'} ${most}`;
}

/** The only bound of texts is that they are not empty. */
function tooSmall({ origin, minimum, inclusive }: Extract<z.core.$ZodIssue, { code: 'too_small' }>): string {
  if (origin === 'string') return 'must not be empty';
  if (origin === 'array') return `needs at least ${counted(minimum)}`;
  return `must be ${inclusive === false ? 'above' : 'at least'} ${minimum}`;
}

const counted = (items: number | bigint): string => `${items} item${Number(items) === 1 ? '' : 's'}`;

/** What a list or an object holds, for a value that is neither; only the schema knows it. undefined for other issues. */
export function wrongHolder({ code, inst, input }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'invalid_type' || input === undefined) return undefined;
  if (inst instanceof z.ZodDiscriminatedUnion) return `must be an object; write ${variantOf(inst, input)}`;
  if (input === null) return undefined;
  const item = inst instanceof z.ZodArray ? inst.element : undefined;
  if (item instanceof z.ZodString) return 'must be a list; write texts in brackets, for example [a, b]';
  if (item instanceof z.ZodNumber && typeof input === 'number') return `must be a list; write [${input}]`;
  if (item instanceof z.ZodEnum) return `must be a list; write for example [${item.options[0]}]`;
  if (inst instanceof z.ZodRecord) return 'must be an object; write { NAME: … }';
  if (inst instanceof z.ZodObject) return `must be an object; it takes ${Object.keys(inst.shape).join(', ')}`;
  return undefined;
}

/** What an object begins with that is told apart by one member: `{ model: burst, … }`. */
function variantOf({ def }: z.ZodDiscriminatedUnion, input: unknown): string {
  const names = def.options.flatMap((option) => {
    const name = option instanceof z.ZodObject ? option.shape[def.discriminator] : undefined;
    return name instanceof z.ZodLiteral ? [String(name.value)] : [];
  });
  const meant = names.find((name) => name === input);
  if (meant !== undefined) return `{ ${def.discriminator}: ${meant}, … }`;
  return `{ ${def.discriminator}: …, … }, with one of ${names.join(', ')}`;
}

/** Splits a message of a schema: `what is wrong; what to write`. */
export function splitMessage(text: string): Pick<Fault, 'message' | 'hint'> {
  const [message = '', ...hint] = text.split('; ');
  return hint.length === 0 ? { message } : { message, hint: hint.join('; ') };
}

/** The hint for a number that is written as a text. */
export const withoutQuotes = (digits: string): string => `write ${digits} without quotes`;
