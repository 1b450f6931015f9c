/**
 * Runs something that is not ours, and waits until promises that it left to themselves have been told of.
 * @throws what it throws, or else what the first promise was rejected with that nobody waits for
 */
export async function withRejections<T>(run: () => Promise<T>): Promise<T> {
  const rejected: unknown[] = [];
  const onRejection = (reason: unknown) => void rejected.push(reason);
  process.on('unhandledRejection', onRejection);
  try {
    const value = await run();
    // They are told after the turn in which they were rejected.
    await new Promise((resolve) => setImmediate(resolve));
    if (rejected.length > 0) throw rejected[0];
    return value;
  } finally {
    process.off('unhandledRejection', onRejection);
  }
}
