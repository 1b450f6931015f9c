import { type MarkClass, markClasses } from '../html/page-data.ts';
import { theme } from './theme.ts';

type Draw = (path: Path2D, x: number, y: number, r: number) => void;

const polygon =
  (...points: readonly (readonly [number, number])[]): Draw =>
  (path, x, y, r) => {
    points.forEach(([dx, dy], i) => {
      if (i === 0) path.moveTo(x + dx * r, y + dy * r);
      else path.lineTo(x + dx * r, y + dy * r);
    });
    path.closePath();
  };

const cross: Draw = (path, x, y, r) => {
  path.moveTo(x - r, y - r);
  path.lineTo(x + r, y + r);
  path.moveTo(x - r, y + r);
  path.lineTo(x + r, y - r);
};

const circle: Draw = (path, x, y, r) => {
  path.moveTo(x + r, y);
  path.arc(x, y, r, 0, 2 * Math.PI);
};

interface Shape {
  readonly draw: Draw;
  readonly filled: boolean;
}

/** A shape per outcome: told apart without colours. */
const shapes: Readonly<Record<MarkClass, Shape>> = {
  success: { draw: circle, filled: true },
  rate: { draw: polygon([0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]), filled: true },
  concurrency: { draw: polygon([-1.2, -1], [1.2, -1], [0, 1.3]), filled: true },
  daily: { draw: polygon([-1.2, 1], [1.2, 1], [0, -1.3]), filled: true },
  unattributed: { draw: polygon([0, -1.35], [1.35, 0], [0, 1.35], [-1.35, 0]), filled: false },
  error: { draw: polygon([-1, -1], [1, -1], [1, 1], [-1, 1]), filled: true },
  failed: { draw: cross, filled: false },
  censored: { draw: circle, filled: false },
};

/** Collects marks of all outcomes and draws each outcome in one go, successes first. */
export class ShapeBatch {
  readonly #paths = new Map<MarkClass, Path2D>();
  readonly #radius: number;
  /** Where there are very many, squares: they cost a tenth. */
  readonly #plain: boolean;

  constructor(radius: number, plain: boolean) {
    this.#radius = radius;
    this.#plain = plain;
  }

  add(kind: MarkClass, x: number, y: number): void {
    let path = this.#paths.get(kind);
    if (!path) {
      path = new Path2D();
      this.#paths.set(kind, path);
    }
    const r = this.#radius;
    if (this.#plain && kind === 'success') path.rect(x - r, y - r, 2 * r, 2 * r);
    else shapes[kind].draw(path, x, y, r);
  }

  draw(context: CanvasRenderingContext2D): void {
    context.lineWidth = Math.max(1, this.#radius / 2);
    for (const kind of markClasses) {
      const path = this.#paths.get(kind);
      if (path) paint(context, path, kind, this.#plain ? 0.5 : 0.85);
    }
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
  context.globalAlpha = 1;
}

/** A small picture of an outcome's shape, for the legend; drawn again when the colours change. */
export function swatch(kind: MarkClass): { readonly element: HTMLCanvasElement; readonly draw: () => void } {
  const element = document.createElement('canvas');
  const ratio = devicePixelRatio;
  element.width = element.height = 14 * ratio;
  element.style.width = element.style.height = '14px';
  element.setAttribute('aria-hidden', 'true');
  const draw = () => {
    const context = element.getContext('2d');
    if (!context) return;
    context.clearRect(0, 0, element.width, element.height);
    const path = new Path2D();
    shapes[kind].draw(path, 7 * ratio, 7 * ratio, 4 * ratio);
    context.lineWidth = 1.8 * ratio;
    paint(context, path, kind, 1);
  };
  draw();
  return { element, draw };
}
