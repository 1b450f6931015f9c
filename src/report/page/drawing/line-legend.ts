export interface Line {
  readonly label: string;
  /** Name of a CSS variable. */
  readonly color: string;
  readonly dash?: readonly number[];
}

/** A legend with a sample of each line. */
export function lineLegend(lines: readonly Line[]): HTMLUListElement {
  const list = document.createElement('ul');
  list.className = 'legend';
  list.append(...lines.map(itemOf));
  return list;
}

function itemOf({ label, color, dash = [] }: Line): HTMLLIElement {
  const item = document.createElement('li');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('width', '26');
  svg.setAttribute('height', '10');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
  const attributes = {
    x1: 1,
    x2: 25,
    y1: 5,
    y2: 5,
    'stroke-width': 2.5,
    stroke: `var(--${color})`,
    'stroke-dasharray': dash.join(' '),
  };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, String(value));
  svg.append(line);
  item.append(svg, label);
  return item;
}
