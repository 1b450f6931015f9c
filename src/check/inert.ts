/** Makes text of a service or a file harmless for a terminal: control characters become visible, long text is cut. */
export function inert(text: string): string {
  const visible = text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return visible.length > 500 ? `${visible.slice(0, 500)}…` : visible;
}
