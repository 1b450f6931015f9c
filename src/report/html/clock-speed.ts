import { hasOwnSpeed } from '../../collect/index.ts';
import { speedText } from '../formatters.ts';
import { html, type Markup } from './markup.ts';

/** Explains which times are on which clock, if their speeds differ. */
export const clockSpeed = (clockRate: number): Markup | undefined =>
  hasOwnSpeed(clockRate)
    ? html`<p class="intro">The service's clock ran ${speedText(clockRate)} as run time. Limits, windows, days and proofs are in the service's time; charts and latencies are in run time.</p>`
    : undefined;
