/**
 * `https://user:pass@host` → `https://host`, in every text of a value: what is written down of an address never holds credentials.
 * @param value of plain data; returned anew
 */
export function withoutUserinfo<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, '$1') as T;
  if (Array.isArray(value)) return value.map(withoutUserinfo) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutUserinfo(member)])) as T;
}
