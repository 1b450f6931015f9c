/** A tooltip for the mark that is selected by pointer or keyboard. */
export interface Tip {
  readonly title: string;
  readonly lines: readonly string[];
}

const element = document.getElementById('tip') ?? document.createElement('div');

/** Shows a tooltip next to a point of the window. The element is a live region, so screen readers announce it. */
export function showTip({ title, lines }: Tip, x: number, y: number): void {
  const heading = document.createElement('b');
  heading.textContent = title;
  element.replaceChildren(
    heading,
    ...lines.map((line) => {
      const span = document.createElement('span');
      span.textContent = line;
      return span;
    }),
  );
  element.classList.add('shown');
  const { width, height } = element.getBoundingClientRect();
  const left = x + 14 + width > innerWidth - 8 ? x - 14 - width : x + 14;
  element.style.left = `${Math.max(8, left)}px`;
  element.style.top = `${Math.max(8, Math.min(y + 14, innerHeight - height - 8))}px`;
}

export const hideTip = (): void => element.classList.remove('shown');

/** Shows the tooltips of SVG elements with a `data-tip` attribute. */
export function watchTips(): void {
  document.addEventListener('pointermove', (event) => {
    const mark = event.target instanceof Element ? event.target.closest('[data-tip]') : null;
    if (!(mark instanceof SVGElement)) return;
    const [title = '', ...rest] = (mark.dataset.tip ?? '').split(': ');
    showTip({ title, lines: rest.join(': ').split(/[,;] /) }, event.clientX, event.clientY);
    mark.addEventListener('pointerleave', hideTip, { once: true });
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hideTip();
  });
  document.addEventListener('scroll', hideTip, { passive: true });
}
