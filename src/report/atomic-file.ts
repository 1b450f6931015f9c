import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

/**
 * A file that appears whole or not at all: text goes to a neighbour (`name.PID.partial`) that takes the name when it is
 * complete and on the disk. Never holds more than one write's text in memory: a writer waits for the disk.
 *
 * | state | write | complete | commit | abandon |
 * |---|---|---|---|---|
 * | open | stays | complete: all is on the disk | – | gone |
 * | complete | – | stays | committed: the file is replaced | gone |
 * | committed | – | – | – | stays: what others may have read is not taken back |
 */
export class AtomicFile {
  readonly #file: string;
  readonly #partial: string;
  readonly #stream: WriteStream;
  readonly #done: Promise<void>;

  /** Opens the neighbour; that it cannot be opened is told by `write` or `complete`. */
  constructor(file: string) {
    this.#file = file;
    this.#partial = `${file}.${process.pid}.partial`;
    this.#stream = createWriteStream(this.#partial, { flush: true });
    this.#done = finished(this.#stream);
    // Told where it is awaited, in write and complete.
    this.#done.catch(() => undefined);
  }

  /** Resolves when the file can take more. @throws the disk's error */
  async write(text: string): Promise<void> {
    if (this.#stream.errored) throw this.#stream.errored;
    if (text !== '' && !this.#stream.write(text)) await Promise.race([once(this.#stream, 'drain'), this.#done]);
  }

  /** Everything written is on the disk. @throws the disk's error */
  async complete(): Promise<void> {
    this.#stream.end();
    await this.#done;
  }

  /** Replaces the file; after `complete`. @throws the disk's error; the file is then as it was */
  async commit(): Promise<void> {
    await rename(this.#partial, this.#file);
  }

  /** Forgets what was not committed. Never throws. */
  async abandon(): Promise<void> {
    this.#stream.destroy();
    await this.#done.catch(() => undefined);
    await rm(this.#partial, { force: true }).catch(() => undefined);
  }
}

/** Removes what processes that are no more left of files that never became whole. Never throws. */
export async function removeLeftOver(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const left = names.filter((name) => isOfTheDead(/\.(\d+)\.partial$/.exec(name)?.[1]));
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true }).catch(() => undefined)));
}

function isOfTheDead(pid: string | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // Of somebody else's process it is EPERM.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Writes a file from pieces, whole or not at all. @throws the disk's error */
export async function writeFileAtomically(file: string, pieces: Iterable<string>): Promise<void> {
  const target = new AtomicFile(file);
  try {
    for (const piece of pieces) await target.write(piece);
    await target.complete();
    await target.commit();
  } catch (error) {
    await target.abandon();
    throw error;
  }
}
