import { type MarkClass, type Marks, markClasses } from '../../html/page-data.ts';
import { swatch } from '../drawing/shapes.ts';
import { classWords, countText } from '../words.ts';

/** The legend of outcomes with shapes and counts; each entry is a button that hides or shows the outcome. */
export class OutcomeLegend {
  readonly #hidden = new Set<MarkClass>();
  readonly #list = document.createElement('ul');
  readonly #swatches: ((many: boolean) => void)[] = [];
  readonly #changed: () => void;
  #many = false;

  constructor(host: HTMLElement, changed: () => void) {
    this.#changed = changed;
    this.#list.className = 'legend';
    host.append(this.#list);
  }

  hides(kind: MarkClass): boolean {
    return this.#hidden.has(kind);
  }

  /** Redraws with new counts and the current colours. */
  update(counts: Marks['counts']): void {
    for (const kind of markClasses.filter((one) => counts[one] > 0)) {
      const text = `${classWords[kind]} ${countText(counts[kind])}`;
      const known = this.#list.querySelector(`[data-kind="${kind}"] span`);
      if (known) known.textContent = text;
      else this.#list.append(this.#item(kind, text));
    }
    for (const draw of this.#swatches) draw(this.#many);
  }

  /** @param many whether the chart draws bars instead of shapes */
  follow(many: boolean): void {
    if (many === this.#many) return;
    this.#many = many;
    for (const draw of this.#swatches) draw(many);
  }

  #item(kind: MarkClass, text: string): HTMLLIElement {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const label = document.createElement('span');
    const { element, draw } = swatch(kind);
    this.#swatches.push(draw);
    label.textContent = text;
    button.type = 'button';
    button.dataset.kind = kind;
    button.setAttribute('aria-pressed', 'true');
    button.append(element, label);
    button.addEventListener('click', () => {
      if (!this.#hidden.delete(kind)) this.#hidden.add(kind);
      button.setAttribute('aria-pressed', String(!this.#hidden.has(kind)));
      this.#changed();
    });
    item.append(button);
    return item;
  }
}
