import { afterEach } from 'vitest';

interface Closable {
  close(): Promise<void>;
}

/** Returns a function that registers opened resources, which are closed after the test that opened them. Call it once per file or suite. */
export function closedAfterEach(): <T extends Closable>(opening: Promise<T>) => Promise<T> {
  const closing: Closable[] = [];
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((opened) => opened.close()));
  });
  return async (opening) => {
    const opened = await opening;
    closing.push(opened);
    return opened;
  };
}
