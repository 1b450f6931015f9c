import { type MarkClass, markClasses } from '../../html/page-data.ts';
import { inlineCanvas } from './canvas.ts';
import { theme } from './theme.ts';

type Draw = (path: Path2D, x: number, y: number, r: number) => void;

function polygon(...points: readonly (readonly [number, number])[]): Draw {
  return (path, x, y, r) => {
    for (const [i, [dx, dy]] of points.entries()) {
      if (i === 0) path.moveTo(x + dx * r, y + dy * r);
      else path.lineTo(x + dx * r, y + dy * r);
    }
    path.closePath();
  };
}

const cross: Draw = (path, x, y, r) => {
  path.moveTo(x - r, y - r);
  path.lineTo(x + r, y + r);
  path.moveTo(x - r, y + r);
  path.lineTo(x + r, y - r);
};

const square = polygon([-1, -1], [1, -1], [1, 1], [-1, 1]);

const circle: Draw = (path, x, y, r) => {
  path.moveTo(x + r, y);
  path.arc(x, y, r, 0, 2 * Math.PI);
};

interface Shape {
  readonly draw: Draw;
  readonly filled: boolean;
  /**
   * Half the width and height, in radii, of the rectangle that replaces the shape if there are many marks; it costs a hundredth.
   */
  readonly small: readonly [number, number];
}

/** One shape per outcome, so that outcomes differ without colours. */
const shapes: Readonly<Record<MarkClass, Shape>> = {
  success: { draw: circle, filled: true, small: [1, 1] },
  rate: { draw: polygon([0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]), filled: true, small: [0.6, 2.4] },
  concurrency: { draw: polygon([-1.2, -1], [1.2, -1], [0, 1.3]), filled: true, small: [2.4, 0.6] },
  daily: { draw: polygon([-1.2, 1], [1.2, 1], [0, -1.3]), filled: true, small: [1.2, 2.4] },
  unattributed: { draw: polygon([0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]), filled: false, small: [0.4, 3] },
  expected: { draw: square, filled: false, small: [1.2, 1.2] },
  error: { draw: square, filled: true, small: [1.8, 1.8] },
  failed: { draw: cross, filled: false, small: [3, 0.5] },
  censored: { draw: circle, filled: false, small: [2.4, 1] },
};

/** Collects marks and draws them grouped by outcome, successes first. */
export class ShapeBatch {
  readonly #points = new Map<MarkClass, number[]>();
  readonly #radius: number;
  readonly #many: boolean;

  constructor(radius: number, many: boolean) {
    this.#radius = radius;
    this.#many = many;
  }

  add(kind: MarkClass, x: number, y: number): void {
    const points = this.#points.get(kind);
    if (points) points.push(x, y);
    else this.#points.set(kind, [x, y]);
  }

  draw(context: CanvasRenderingContext2D): void {
    for (const kind of markClasses) {
      const points = this.#points.get(kind);
      if (!points) continue;
      if (this.#many) this.#drawMany(context, kind, points);
      else this.#drawEach(context, kind, points);
    }
    context.globalAlpha = 1;
  }

  #drawMany(context: CanvasRenderingContext2D, kind: MarkClass, points: readonly number[]): void {
    const [width, height] = shapes[kind].small.map((half) => half * this.#radius) as [number, number];
    context.fillStyle = theme[kind];
    context.globalAlpha = kind === 'success' ? 0.5 : 0.85;
    for (let i = 0; i < points.length; i += 2)
      context.fillRect((points[i] ?? 0) - width, (points[i + 1] ?? 0) - height, 2 * width, 2 * height);
  }

  #drawEach(context: CanvasRenderingContext2D, kind: MarkClass, points: readonly number[]): void {
    const path = new Path2D();
    for (let i = 0; i < points.length; i += 2)
      shapes[kind].draw(path, points[i] ?? 0, points[i + 1] ?? 0, this.#radius);
    context.lineWidth = Math.max(1, this.#radius / 2);
    paint(context, path, kind, 0.85);
  }
}

function paint(context: CanvasRenderingContext2D, path: Path2D, kind: MarkClass, alpha: number): void {
  context.globalAlpha = alpha;
  if (shapes[kind].filled) {
    context.fillStyle = theme[kind];
    context.fill(path);
  } else {
    context.strokeStyle = theme[kind];
    context.stroke(path);
  }
}

/** Draws the rectangle of an outcome for the legend, at twice its size in the chart. */
function drawBar(context: CanvasRenderingContext2D, kind: MarkClass, ratio: number): void {
  const [width, height] = shapes[kind].small.map((half) => 2 * half * ratio) as [number, number];
  context.globalAlpha = 1;
  context.fillStyle = theme[kind];
  context.fillRect(7 * ratio - width, 7 * ratio - height, 2 * width, 2 * height);
}

/** A legend swatch of an outcome. To be redrawn if the colours change or if rectangles replace the shapes. */
export function swatch(kind: MarkClass): {
  readonly element: HTMLCanvasElement;
  readonly draw: (many: boolean) => void;
} {
  const element = inlineCanvas(14, 14);
  const ratio = devicePixelRatio;
  const draw = (many: boolean) => {
    const context = element.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, element.width, element.height);
    if (many) return drawBar(context, kind, ratio);
    const path = new Path2D();
    shapes[kind].draw(path, 7 * ratio, 7 * ratio, 4 * ratio);
    context.lineWidth = 1.8 * ratio;
    paint(context, path, kind, 1);
  };
  draw(false);
  return { element, draw };
}
