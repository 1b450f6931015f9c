import type { LiveMessage } from '../html/page-data.ts';
import { fill, fillAll, fillWhenLeft } from './fragments.ts';

/** Follows a run: calls `apply` with every message of the server's stream, until the run is over. */
export function follow(apply: (message: LiveMessage) => void): void {
  const source = new EventSource('events');
  const take = ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as LiveMessage;
    for (const [id, markup] of Object.entries(message.fragments)) fill(id, markup);
    apply(message);
  };
  fillWhenLeft();
  source.addEventListener('message', take);
  source.addEventListener('end', (event) => {
    source.close();
    take(event);
    fillAll();
    document.documentElement.dataset.live = 'over';
  });
  source.addEventListener('open', () => {
    document.documentElement.dataset.live = 'on';
  });
  source.addEventListener('error', () => {
    document.documentElement.dataset.live = 'lost';
    const status = document.getElementById('live-status');
    if (status) status.textContent = 'The connection to the run is lost.';
  });
}
