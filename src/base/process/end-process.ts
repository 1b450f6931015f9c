/** How long what is still open may take to close by itself. */
const GRACE_MS = 1_000;

/**
 * Sets the exit code, and ends the process even if something keeps it open, such as a timer of a TypeScript scenario. Output that a
 * slow reader has not taken is waited for.
 */
export function endProcess(exitCode: number): void {
  process.exitCode = exitCode;
  const hasOutput = () => process.stdout.writableLength + process.stderr.writableLength > 0;
  // Not referenced: without anything open the process ends at once, by itself.
  setInterval(() => {
    if (!hasOutput()) process.exit();
  }, GRACE_MS).unref();
}
