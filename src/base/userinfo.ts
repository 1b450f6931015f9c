/** A text that is an address as a whole: URLs take spaces in passwords, and do without slashes, as prose does not. */
const ADDRESS = /^(\s*https?:[\\/]*)[^\\/?#]*@/i;
const IN_TEXT = /([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi;

/** `https://user:pass@host` → `https://host`, in every text of a value that JSON can be. */
export function withoutUserinfo<T>(value: T): T {
  return cleaned(value) as T;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(ADDRESS, '$1').replace(IN_TEXT, '$1');
  if (Array.isArray(value)) return value.map(cleaned);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, cleaned(member)]));
}
