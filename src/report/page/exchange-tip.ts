import type { Shown } from './shown.ts';
import type { Tip } from './tip.ts';
import { classWords, countText, durationText, instantText } from './words.ts';

/** What is said of an exchange. */
export function exchangeTip(shown: Shown, index: number): Tip | undefined {
  const { marks } = shown;
  const kind = marks.kindAt(index);
  if (!kind) return undefined;
  const [at, service, waited] = [marks.sentAt[index] ?? 0, marks.service[index] ?? 0, marks.waited[index] ?? 0];
  const worker = marks.worker[index] ?? -1;
  const name = worker < 0 ? `${marks.seq[index]}` : `${worker}:${marks.seq[index]}`;
  return {
    title: `Exchange ${name}: ${kind.operation}, ${kind.answer}`,
    lines: [
      `${classWords[kind.class]}, sent at ${instantText(at)}`,
      `service time ${durationText(service)}, response time ${durationText(service + waited)}`,
      `journey ${kind.journey}, user ${marks.users[marks.user[index] ?? -1] ?? '?'}${kind.attempt > 1 ? `, attempt ${kind.attempt}` : ''}`,
      ...(kind.retryAfter === undefined ? [] : [`Retry-After ${kind.retryAfter}`]),
      ...lookBack(shown, index, at, kind.application, kind.counted || kind.class === 'rate'),
      ...(marks.named.has(index) ? ['part of a proof'] : []),
    ],
  };
}

/** How many were admitted in the window's length before it: told where all are drawn and one bucket has them all. */
function lookBack(
  { marks, pictures }: Shown,
  index: number,
  at: number,
  application: string,
  counts: boolean,
): string[] {
  const { windows } = pictures;
  if (!windows?.comparable || !marks.whole || !counts) return [];
  const length = (windows.list[1] ?? 0) - (windows.list[0] ?? 0);
  const before = marks.countedWithin(application, at - length, at, index);
  return [`${countText(before)} admitted ones were sent in the ${durationText(windows.windowUs)} before it`];
}
