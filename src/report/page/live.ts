import type { LiveMessage } from '../html/page-data.ts';
import { fill, fillAll, fillWhenLeft } from './fragments.ts';

/**
 * How it stands with the run; the page's style shows the heading for it.
 * `lost`: nothing is heard, and it is tried again; `other`: who answers knows nothing of this run.
 */
type State = 'on' | 'lost' | 'other' | 'over';

/** Younger numbers are called present. */
const PRESENT_MS = 2_500;

/**
 * Follows a run: calls `apply` with every message of the server's stream, until the run is over.
 * @param run as the server names it: the next one may be served under the same address
 */
export function follow(run: string, apply: (message: LiveMessage) => void): void {
  const source = new EventSource(`events?run=${run}`);
  let heardAt = Date.now();
  const take = ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as LiveMessage;
    for (const [id, markup] of Object.entries(message.fragments)) fill(id, markup);
    apply(message);
    heardAt = Date.now();
  };
  const age = setInterval(() => tellAge(Date.now() - heardAt), 1_000);
  fillWhenLeft();
  source.addEventListener('message', take);
  source.addEventListener('end', (event) => {
    source.close();
    clearInterval(age);
    take(event);
    fillAll();
    show('over');
  });
  source.addEventListener('open', () => show('on'));
  source.addEventListener('error', () => show(source.readyState === EventSource.CLOSED ? 'other' : 'lost'));
}

/** The heading that is shown now is read out, too. */
function show(state: State): void {
  const { dataset } = document.documentElement;
  if (dataset.live === state) return;
  dataset.live = state;
  const heading = [...document.querySelectorAll('h1')].find((one) => one.offsetParent !== null);
  const told = document.getElementById('live-told');
  if (told) told.textContent = heading?.textContent ?? '';
}

function tellAge(ms: number): void {
  const element = document.getElementById('live-age');
  if (element) element.textContent = ms < PRESENT_MS ? '' : `As of ${Math.round(ms / 1_000)} s ago.`;
}
