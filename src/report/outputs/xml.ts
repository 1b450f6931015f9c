import { inertText } from '../inert-text.ts';

/** Longest line of a text, in characters: a service must not be able to swell the file. */
const LINE_CHARACTERS = 2_000;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Of what `inertText` leaves, these are no characters of XML 1.0 (section 2.2). */
const NO_CHARACTERS = /[\ufffe\uffff]/g;

/** Text for an element or an attribute, on one line; controls and what is no character of XML are spelled out. */
export const xmlText = (text: string): string =>
  inertText(text, LINE_CHARACTERS)
    .replace(NO_CHARACTERS, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`)
    .replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

/** Text of several lines for an element. */
export const xmlLines = (lines: readonly string[]): string => lines.map(xmlText).join('\n');

/** An element. @param content of XML already; absent: an empty element */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, content?: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  return content === undefined ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}
