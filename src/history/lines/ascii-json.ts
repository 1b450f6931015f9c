/**
 * Like JSON.stringify, but escapes all characters beyond visible ASCII. So control sequences from a service have no effect in a
 * terminal, one character is one byte, and reading is fastest.
 */
export const asciiJson = (value: unknown): string => JSON.stringify(value).replace(BEYOND_VISIBLE_ASCII, escaped);

const BEYOND_VISIBLE_ASCII = /[\u007f-\uffff]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
