import { z } from 'zod';
import type { SandboxRequest } from './request.ts';

/** A valid value, or a sentence with all problems. */
type Validated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

/** The shapes of the inputs of an operation. */
export interface Shapes<Parameters, Query, Body> {
  readonly parameters: z.ZodType<Parameters>;
  readonly query: z.ZodType<Query>;
  readonly body: z.ZodType<Body> | 'none';
}

export interface Input<Parameters, Query, Body> {
  readonly parameters: Parameters;
  readonly query: Query;
  readonly body: Body;
}

/** No parameters, or no query. Unknown names are refused, because ignoring them would hide mistakes. */
export const nothing = z.strictObject({});
const NONE = Object.freeze({});

/** Bounds the length of an answer, whatever was sent. Enough for ordinary mistakes. */
const MAX_PROBLEM_LENGTH = 600;

/** Checks path, query and body, and reports all problems together. */
export function validate<P, Q, B>(request: SandboxRequest, shapes: Shapes<P, Q, B>): Validated<Input<P, Q, B>> {
  const problems: string[] = [];
  const check = <T>(shape: z.ZodType<T>, value: unknown, prefix: string): T | undefined => {
    // Most requests have no query: that there is nothing needs no parser.
    if ((shape as z.ZodType) === nothing && value === NONE) return NONE as T;
    const result = shape.safeParse(value);
    if (result.success) return result.data;
    problems.push(...result.error.issues.map((issue) => describe(issue, prefix)));
    return undefined;
  };
  const parameters = check(shapes.parameters, request.route?.parameters ?? NONE, '');
  const query = check(shapes.query, request.query ?? NONE, 'query');
  let body: B | undefined;
  if (shapes.body !== 'none') {
    const json = readJson(request);
    if (json.ok) body = check(shapes.body, json.value, 'body');
    else problems.push(json.problem);
  }
  if (problems.length > 0) return { ok: false, problem: shorten(problems.join('; ')) };
  return { ok: true, value: { parameters: parameters as P, query: query as Q, body: body as B } };
}

const shorten = (text: string) => (text.length > MAX_PROBLEM_LENGTH ? `${text.slice(0, MAX_PROBLEM_LENGTH)} …` : text);

function describe(issue: z.core.$ZodIssue, prefix: string): string {
  const where = [prefix, ...issue.path.map(String)].filter((part) => part !== '').join('.');
  return where === '' ? issue.message : `${where}: ${issue.message}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readJson({ body, contentType, contentEncoding }: SandboxRequest): Validated<unknown> {
  const wrong = (problem: string) => ({ ok: false, problem }) as const;
  if (body.kind === 'json') return { ok: true, value: body.value };
  if (body.kind !== 'bytes' || body.bytes.length === 0) return wrong('body: a JSON body is required');
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) return wrong('content-type: must be application/json');
  // Refused rather than ignored, so that a client that names an encoding without using it learns about the mistake.
  if (!/^(identity)?$/i.test(contentEncoding ?? '')) return wrong('content-encoding: must be identity, or absent');
  let text: string;
  try {
    text = utf8.decode(body.bytes);
  } catch {
    return wrong('body: is not valid UTF-8');
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    // The parser's own message quotes the text, which must not appear in an answer.
    return wrong('body: is not valid JSON');
  }
}
