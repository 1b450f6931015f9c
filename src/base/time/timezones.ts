/** Whether Intl knows the time zone: an IANA name or alias, in any case. */
export function isTimezone(name: string): boolean {
  // Without Intl, whose first use in a process takes as long as twenty modules.
  if (name === 'UTC') return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
