import type uPlot from 'uplot';

/** Padding at both ends in pixels: half the width of a selected mark. */
const PADDING = 10;

/** The visible part of the run, shared by all charts. */
class Range {
  duration = 1;
  /** Length of the warm-up in seconds; 0: none. */
  warmUp = 0;
  /** Stages of the plan, with starts in seconds; empty if there is only one. */
  stages: readonly { readonly from: number; readonly name: string }[] = [];
  visible: readonly [number, number] | undefined;
  readonly #plots = new Set<uPlot>();

  add(u: uPlot): void {
    this.#plots.add(u);
  }

  /** The visible range in seconds. The whole run is padded at both ends, so that no mark is cut. */
  get now(): readonly [number, number] {
    const padding = this.duration * this.#padding();
    return this.visible ?? [-padding, this.duration + padding];
  }

  /** As a share of the run; all charts have the same width. */
  #padding(): number {
    const [width] = [...this.#plots].map(({ bbox }) => bbox.width / devicePixelRatio);
    return Math.max(0.01, width ? PADDING / width : 0);
  }

  /** @param range `undefined` for the whole run */
  show(range: readonly [number, number] | undefined): void {
    const whole = range === undefined || range[1] - range[0] >= this.duration;
    this.visible = whole ? undefined : clamped(range, this.duration);
    this.apply();
  }

  zoom(factor: number): void {
    const [from, to] = this.now;
    const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
    this.show([middle - half, middle + half]);
  }

  /** Moves to an instant, in seconds, that is not visible. */
  reveal(at: number): void {
    const [from, to] = this.now;
    if (at < from || at > to) this.show([at - (to - from) / 2, at + (to - from) / 2]);
  }

  apply(): void {
    const [min, max] = this.now;
    for (const u of this.#plots) if (u.scales.x?.min !== min || u.scales.x.max !== max) u.setScale('x', { min, max });
  }
}

function clamped([from, to]: readonly [number, number], duration: number): readonly [number, number] {
  const length = Math.max(1e-4, to - from);
  const begin = Math.min(Math.max(0, from), duration - length);
  return [begin, begin + length];
}

export const range = new Range();
