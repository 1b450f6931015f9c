import type uPlot from 'uplot';

/** Room at the ends, in pixels: as wide as half a mark that the keyboard is at. */
const ROOM = 10;

/** The part of the run that is shown: the same in all pictures. */
class Range {
  duration = 1;
  /** Seconds; 0: there was none. */
  warmUp = 0;
  /** Of the plan; empty where there is but one. Seconds. */
  stages: readonly { readonly from: number; readonly name: string }[] = [];
  shown: readonly [number, number] | undefined;
  readonly #plots = new Set<uPlot>();

  add(u: uPlot): void {
    this.#plots.add(u);
  }

  /** What is shown; of the whole run with a little room at both ends, so that no mark is cut. */
  get now(): readonly [number, number] {
    const room = this.duration * this.#room();
    return this.shown ?? [-room, this.duration + room];
  }

  /** As a share of the run; the pictures are equally wide. */
  #room(): number {
    const [width] = [...this.#plots].map(({ bbox }) => bbox.width / devicePixelRatio);
    return Math.max(0.01, width ? ROOM / width : 0);
  }

  /** @param range `undefined` for the whole run */
  show(range: readonly [number, number] | undefined): void {
    const whole = range === undefined || range[1] - range[0] >= this.duration;
    this.shown = whole ? undefined : clamped(range, this.duration);
    this.apply();
  }

  zoom(factor: number): void {
    const [from, to] = this.now;
    const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
    this.show([middle - half, middle + half]);
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
