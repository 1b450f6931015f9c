import { inertText } from '../../base/index.ts';

/** Maximum characters of a line, so that a service cannot inflate the file. */
const LINE_CHARACTERS = 2_000;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that `inertText` allows, but XML 1.0 (section 2.2) does not. */
const NO_CHARACTERS = /[\ufffe\uffff]/g;

/**
 * Escapes text for an element or attribute, on one line; controls and characters that XML does not allow are written as `\u{…}`.
 */
const xmlText = (text: string): string =>
  inertText(text, LINE_CHARACTERS)
    .replace(NO_CHARACTERS, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`)
    .replace(/[&<>"']/g, (c) => ENTITIES[c] ?? c);

/** Escapes several lines for the text of an element. */
export const xmlLines = (lines: readonly string[]): string => lines.map(xmlText).join('\n');

/** An element. @param content XML; absent: an empty element */
export function element(name: string, attributes: Readonly<Record<string, string | number>>, content?: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(String(value))}"`);
  return content === undefined ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}
