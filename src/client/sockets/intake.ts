import type { OnReadOpts } from 'node:net';

/** Bytes from a socket, up to `length`; the memory is reused for the next read. */
export type BytesListener = (bytes: Buffer, length: number) => void;

/** How a socket reads into a shared buffer, so that a read neither allocates nor passes through a stream. */
export interface Intake {
  readonly options: { readonly onread: OnReadOpts };
  listen(listener: BytesListener): void;
}

/**
 * Node passes on each read in the turn in which it was made, so one buffer serves every socket of a thread.
 * @param buffer its size is that of the largest read
 */
export function intakeInto(buffer: Buffer): Intake {
  let listener: BytesListener | undefined;
  const early: Buffer[] = [];
  return {
    options: {
      onread: {
        buffer,
        callback: (length) => {
          if (listener) listener(buffer, length);
          else early.push(Buffer.from(buffer.subarray(0, length)));
          return true;
        },
      },
    },
    listen(wanted) {
      listener = wanted;
      for (const bytes of early.splice(0)) wanted(bytes, bytes.length);
    },
  };
}
