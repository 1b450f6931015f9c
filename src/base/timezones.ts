/** Whether calendars know it: an IANA name, an alias of one, or an offset such as `+02:00`. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
