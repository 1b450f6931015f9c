/**
 * Runs foreign code and also catches unhandled rejections of promises that it did not await.
 * @throws the error of `run`; otherwise the reason of the first unhandled rejection
 */
export async function withRejections<T>(run: () => Promise<T>): Promise<T> {
  const rejected: unknown[] = [];
  const onRejection = (reason: unknown) => void rejected.push(reason);
  process.on('unhandledRejection', onRejection);
  try {
    const value = await run();
    // Node reports unhandled rejections after the turn in which they occurred.
    await new Promise((resolve) => setImmediate(resolve));
    if (rejected.length > 0) throw rejected[0];
    return value;
  } finally {
    process.off('unhandledRejection', onRejection);
  }
}
