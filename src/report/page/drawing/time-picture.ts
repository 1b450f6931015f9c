import type uPlot from 'uplot';

/** The y scale. */
export interface ValueScale {
  /** Minimum and maximum; called at each update. */
  bounds(): readonly [number, number];
  readonly logarithmic: boolean;
  readonly axis: uPlot.Axis;
}

/** Content and interaction of a chart over time. Instants are in seconds of run time. */
export interface TimePicture {
  /** In pixels; called at each update. */
  height(): number;
  /** Description for screen readers, to which the keys are appended; called at each update. */
  label(): string;
  readonly y: ValueScale;
  /** Whether space above the plot is needed. */
  headroom?(): boolean;
  /** Series of uPlot; absent: `draw` draws everything. */
  readonly series?: readonly uPlot.Series[];
  data?(): uPlot.AlignedData;
  /** Draws below the marks. */
  drawBelow?(u: uPlot): void;
  /** Draws the marks. */
  draw?(u: uPlot): void;
  /** Called when the pointer moves; the position is in CSS pixels of the plot. */
  hover?(u: uPlot, left: number, top: number, event: PointerEvent): void;
  leave?(u: uPlot): void;
  /** Called for the arrow keys: selects the next or previous mark. */
  step?(u: uPlot, by: 1 | -1): void;
}
