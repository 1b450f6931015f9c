import type { ApiReply } from '../api/index.ts';
import type { Redact } from './free-texts.ts';

export type Answer = Extract<ApiReply, { kind: 'answer' }>;

/** What answers are searched for. */
export interface Search {
  /** Whether a text may hold anything of it. */
  isIn(text: string): boolean;
  readonly redact: Redact;
}

/** An answer with each of its texts that may be kept as it is given back, of headers and of the body. */
export type WithTexts = (answer: Answer, ofHeaders: Redact, ofBody: Redact) => Answer;

/** What is longer is cut: the journal keeps 256 characters of a text. */
const LONGEST_TEXT = 4_096;

/** Of the texts of one body; what comes after them is empty. An answer may have megabytes, and what it costs is not for a service to say. */
const MOST_CHARACTERS = 16_384;

/** An answer without what is searched for. Nearly all hold nothing of it: one look at all of their texts together says so. */
export function cleaned(answer: Answer, withTexts: WithTexts, { isIn, redact }: Search): Answer {
  const texts: string[] = [];
  const collect: Redact = (text) => {
    if (text !== '') texts.push(text);
    return text;
  };
  const bounded = withTexts(answer, collect, boundedBy(collect));
  const together = texts.join('\n');
  // Texts of ASCII can be read together as each of them can: no escape has a line break in it.
  const isInAny = NOT_ASCII.test(together) ? texts.some((text) => isIn(text)) : isIn(together);
  // The same headers again, which their readers know by.
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
