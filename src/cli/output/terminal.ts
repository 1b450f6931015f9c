import { liveView } from '../../report/index.ts';
import type { Terminal } from '../../run/index.ts';
import { print, tell } from './print.ts';

/** Whether to use colours: on a terminal, unless NO_COLOR (no-color.org) is set. */
const colorsWanted = (stream: NodeJS.WriteStream): boolean =>
  (process.env.NO_COLOR ?? '') === '' && stream.isTTY === true && process.env.TERM !== 'dumb';

/** Where results are shown to people, and in what form: on stdout, unless JSON goes there. */
export function forPeople(json: boolean) {
  const stream = json ? process.stderr : process.stdout;
  return { stream, shown: { columns: stream.columns || 100, color: colorsWanted(stream) } };
}

/** The progress output of a run, on stderr: stdout is for results. */
export async function runTerminal({
  quiet,
  debug,
}: {
  readonly quiet: boolean;
  readonly debug: boolean;
}): Promise<Terminal> {
  const stream = process.stderr;
  const redraw = stream.isTTY === true && !debug && process.env.TERM !== 'dumb';
  const view = quiet ? undefined : await liveView({ stream, isTTY: redraw, color: colorsWanted(stream) });
  return {
    tell,
    ...(view && { show: (state) => view.update(state) }),
    finish: () => view?.finish(),
    ...(debug ? { debug: (text: string) => print(stream, `${text}\n`) } : {}),
  };
}
