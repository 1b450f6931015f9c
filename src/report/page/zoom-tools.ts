import { range } from './range.ts';

/** Adds zoom buttons; the same is possible by mouse and keyboard. */
export function zoomTools(hosts: Iterable<HTMLElement>): void {
  for (const host of hosts) {
    const tools = document.createElement('div');
    tools.className = 'tools';
    const button = (text: string, act: () => void) => {
      const element = document.createElement('button');
      element.type = 'button';
      element.textContent = text;
      element.addEventListener('click', act);
      tools.append(element);
    };
    button('Zoom in', () => range.zoom(0.5));
    button('Zoom out', () => range.zoom(2));
    button('Whole run', () => range.show(undefined));
    const hint = document.createElement('span');
    hint.textContent = 'or drag to select a range';
    tools.append(hint);
    host.append(tools);
  }
}
