import type { LiveMessage } from '../html/page-data.ts';
import { fill, fillAll, fillWhenLeft } from './fragments.ts';

/**
 * State of the connection; the style sheet shows the heading that belongs to it.
 * `on`: connected. `lost`: disconnected, reconnecting. `other`: the server serves another run. `over`: the run has ended.
 */
type State = 'on' | 'lost' | 'other' | 'over';

/** The age of the data is shown from this age on. */
const SHOW_AGE_FROM_MS = 2_500;

/**
 * Follows a run: calls `apply` with every message of the server's event stream until the run is over.
 * @param run the server's id of the run, because a later run may be served at the same address
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

/** Shows the heading of a state and announces it to screen readers. */
function show(state: State): void {
  const { dataset } = document.documentElement;
  if (dataset.live === state) return;
  dataset.live = state;
  const heading = [...document.querySelectorAll('h1')].find((one) => one.offsetParent !== null);
  const announcement = document.getElementById('live-told');
  if (announcement) announcement.textContent = heading?.textContent ?? '';
}

function tellAge(ms: number): void {
  const element = document.getElementById('live-age');
  if (element) element.textContent = ms < SHOW_AGE_FROM_MS ? '' : `As of ${Math.round(ms / 1_000)} s ago.`;
}
