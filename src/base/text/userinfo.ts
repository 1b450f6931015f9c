/**
 * A text that is one URL. As a URL may contain spaces in its password and omit the slashes, this pattern is laxer than the next.
 */
const WHOLE_URL = /^(\s*https?:[\\/]*)[^\\/?#]*@/i;
const URL_IN_TEXT = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi;

/** Removes user names and passwords from URLs in all strings of a JSON value: `https://user:pass@host` → `https://host`. */
export function withoutUserinfo<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(WHOLE_URL, '$1').replace(URL_IN_TEXT, '$1');
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member)]));
}
