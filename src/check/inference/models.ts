/** Ideal limiters of N per W, one per reading, to predict what a proposed experiment would show. No verdict rests on them. */

export interface RateNumbers {
  readonly max: number;
  readonly windowUs: number;
}

/** Whether a request at an instant is admitted; must be called in rising order. */
export type Model = (now: number) => boolean;

/** @param phaseUs where windows begin, for models whose windows have a phase */
export type MakeModel = (numbers: RateNumbers, phaseUs: number) => Model;

const log =
  (countsRefused: boolean): MakeModel =>
  ({ max, windowUs }) => {
    let kept: number[] = [];
    return (now) => {
      kept = kept.filter((at) => at > now - windowUs);
      const admit = kept.length < max;
      if (admit || countsRefused) kept.push(now);
      return admit;
    };
  };

/** @param ticks whether tokens come back one at a time, at ticks; otherwise they come back evenly */
const bucket =
  (ticks: boolean): MakeModel =>
  ({ max, windowUs }, phaseUs) => {
    const tokenUs = windowUs / max;
    let [tokens, at] = [max, Number.NEGATIVE_INFINITY];
    return (time) => {
      const now = ticks ? Math.floor((time - phaseUs) / tokenUs) * tokenUs + phaseUs : time;
      if (now > at) {
        tokens = Math.min(max, tokens + (now - at) / tokenUs);
        at = now;
      }
      if (tokens < 1 - 1e-9) return false;
      tokens -= 1;
      return true;
    };
  };

const fixedWindow: MakeModel = ({ max, windowUs }, phaseUs) => {
  let [window, count] = [Number.NEGATIVE_INFINITY, 0];
  return (now) => {
    const index = Math.floor((now - phaseUs) / windowUs);
    if (index !== window) [window, count] = [index, 0];
    if (count >= max) return false;
    count += 1;
    return true;
  };
};

const anchored =
  (penalty: boolean): MakeModel =>
  ({ max, windowUs }) => {
    let [begun, count, blockedUntil] = [Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY];
    return (now) => {
      if (now < blockedUntil) return false;
      if (now >= begun + windowUs) [begun, count] = [now, 0];
      if (count < max) {
        count += 1;
        return true;
      }
      if (penalty) blockedUntil = now + windowUs;
      return false;
    };
  };

const counter: MakeModel = ({ max, windowUs }, phaseUs) => {
  let [window, before, count] = [Number.NEGATIVE_INFINITY, 0, 0];
  return (now) => {
    const index = Math.floor((now - phaseUs) / windowUs);
    if (index !== window) [before, count, window] = [index === window + 1 ? count : 0, 0, index];
    const passed = (now - phaseUs) / windowUs - index;
    if (before * (1 - passed) + count + 1 > max) return false;
    count += 1;
    return true;
  };
};

export interface ModelKind {
  readonly make: MakeModel;
  /** Whether what it admits depends on the phase. */
  readonly hasPhase: boolean;
}

const phased = (make: MakeModel): ModelKind => ({ make, hasPhase: true });
const phaseless = (make: MakeModel): ModelKind => ({ make, hasPhase: false });
const window = phased(fixedWindow);

/** By name of the rate reading; readings that differ only in phase share one. */
export const models: Readonly<Record<string, ModelKind>> = {
  'sliding-log': phaseless(log(false)),
  'sliding-log-counting-refused': phaseless(log(true)),
  'token-bucket': phaseless(bucket(false)),
  'interval-refill': phased(bucket(true)),
  'fixed-window-aligned': window,
  'fixed-window': window,
  'fixed-window-anchored': phaseless(anchored(false)),
  'fixed-window-penalty': phaseless(anchored(true)),
  'sliding-counter': phased(counter),
};
