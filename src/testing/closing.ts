import { afterEach } from 'vitest';

interface Closable {
  close(): Promise<void>;
}

/** For a file or a family of tests: what keeps each thing that was opened, to be closed after the test that opened it. */
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
