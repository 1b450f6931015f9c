import type { ApiReply } from '../../api/index.ts';
import type { Redact } from './free-texts.ts';

export type Answer = Extract<ApiReply, { kind: 'answer' }>;

/** A search for secrets in answers. */
export interface Search {
  /** Whether a text may contain any of them. */
  isIn(text: string): boolean;
  readonly redact: Redact;
}

/** Replaces the texts of headers and body that may be kept by the results of the given functions. */
export type WithTexts = (answer: Answer, ofHeaders: Redact, ofBody: Redact) => Answer;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** A known error code is not a secret, even if it contains one: refusals are judged by it. */
export const sparing =
  (codes: ReadonlySet<string>, redact: Redact): Redact =>
  (text, spared) =>
    codes.has(text) ? text : redact(text, spared);

/** Longer texts are cut: the journal keeps 256 characters of a text. */
const LONGEST_TEXT = 4_096;

/** Limit for all texts of one body; later ones become empty. An answer may have megabytes, and a service must not determine the cost. */
const MOST_CHARACTERS = 16_384;

/** An answer without the secrets searched for. Nearly all contain none, which one search of all texts together shows. */
export function cleaned(answer: Answer, withTexts: WithTexts, { isIn, redact }: Search): Answer {
  const texts: string[] = [];
  const collect: Redact = (text) => {
    if (text !== '') texts.push(text);
    return text;
  };
  const bounded = withTexts(answer, collect, boundedBy(collect));
  const together = texts.join('\n');
  // ASCII texts can be searched together with the same result as separately: no escape contains a line break.
  const isInAny = NOT_ASCII.test(together) ? texts.some((text) => isIn(text)) : isIn(together);
  // Returns the same headers object, by which readers recognize it.
  return isInAny ? withTexts(bounded, redact, redact) : { ...bounded, headers: answer.headers };
}

const NOT_ASCII = /[^\0-\x7f]/;

function boundedBy(redact: Redact): Redact {
  let left = MOST_CHARACTERS;
  return (text, spared) => {
    const cut = text.length > Math.min(left, LONGEST_TEXT) ? text.slice(0, Math.min(left, LONGEST_TEXT)) : text;
    left -= cut.length;
    return redact(cut, spared);
  };
}
