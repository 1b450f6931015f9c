import { html, type Markup } from './markup.ts';

/** Whether the service's clock runs so differently that its times are not the run's. @param clockRate service seconds per run second */
export const hasOwnSpeed = (clockRate: number): boolean => Math.abs(clockRate - 1) > 0.01;

/** `10 times as fast` */
export const speedText = (clockRate: number): string => `${Number(clockRate.toPrecision(3))} times as fast`;

/** Which times are whose: said once, before the first of them. */
export const clockSpeed = (clockRate: number): Markup | undefined =>
  hasOwnSpeed(clockRate)
    ? html`<p class="intro">The service's clock ran ${speedText(clockRate)} as the run's. Limits, windows, days and proofs count its time; pictures and latencies are in the run's.</p>`
    : undefined;
