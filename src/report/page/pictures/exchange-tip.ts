import type { PageState } from '../page-state.ts';
import type { Tip } from '../tip.ts';
import { classWords, countText, durationText, instantText } from '../words.ts';

/** Tooltip of an exchange. */
export function exchangeTip(state: PageState, index: number): Tip | undefined {
  const { marks } = state;
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
      ...admittedBefore(state, index, at, kind.application, kind.counted || kind.class === 'rate'),
      ...(marks.named.has(index) ? ['part of a proof'] : []),
    ],
  };
}

/** Number of requests admitted during one window length before it; only if all exchanges are drawn and share one bucket. */
function admittedBefore(
  { marks, pictures }: PageState,
  index: number,
  at: number,
  application: string,
  counts: boolean,
): string[] {
  const { windows } = pictures;
  if (!windows?.comparable || !marks.whole || !counts) return [];
  const length = (windows.list[1] ?? 0) - (windows.list[0] ?? 0);
  const before = marks.countedWithin(application, at - length, at, index);
  return [`${countText(before)} admitted requests were sent in the ${durationText(windows.windowUs)} before it`];
}
