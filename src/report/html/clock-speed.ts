import { hasOwnSpeed } from '../../collect/index.ts';
import { speedText } from '../formatters.ts';
import { html, type Markup } from './markup.ts';

/** Which times are whose: said once, before the first of them. */
export const clockSpeed = (clockRate: number): Markup | undefined =>
  hasOwnSpeed(clockRate)
    ? html`<p class="intro">The service's clock ran ${speedText(clockRate)} as the run's. Limits, windows, days and proofs count its time; pictures and latencies are in the run's.</p>`
    : undefined;
