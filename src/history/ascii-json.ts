/**
 * Like JSON.stringify, with every character beyond visible ASCII escaped: a terminal that shows a journal does not act on what a
 * service sent, each character is a byte, and pure ASCII is read fastest.
 */
export const asciiJson = (value: unknown): string => JSON.stringify(value).replace(BEYOND_VISIBLE_ASCII, escaped);

const BEYOND_VISIBLE_ASCII = /[\u007f-\uffff]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
