/** Updates that arrived while the focus was inside their element, by element id. */
const pending = new Map<string, string>();

/**
 * Replaces the content of an element, or, while the focus is inside it, as soon as the focus leaves. The server has escaped the
 * markup.
 */
export function fill(id: string, markup: string): void {
  const element = document.getElementById(id);
  if (element?.contains(document.activeElement)) pending.set(id, markup);
  else replace(id, markup);
}

/** Applies all pending updates and restores the focus by position. For the end of a run, after which nothing may be outdated. */
export function fillAll(): void {
  for (const [id, markup] of [...pending]) {
    const place = focusableIn(id).indexOf(document.activeElement as HTMLElement);
    replace(id, markup);
    const focusable = focusableIn(id);
    focusable[Math.min(place, focusable.length - 1)]?.focus({ preventScroll: true });
  }
}

function replace(id: string, markup: string): void {
  pending.delete(id);
  const element = document.getElementById(id);
  if (element) element.innerHTML = markup;
}

const focusableIn = (id: string): HTMLElement[] => [
  ...(document.getElementById(id)?.querySelectorAll<HTMLElement>('[tabindex], summary') ?? []),
];

/** Applies pending updates when the focus leaves their element. To be called once. */
export function fillWhenLeft(): void {
  document.addEventListener('focusout', ({ relatedTarget }) => {
    for (const [id, markup] of [...pending]) {
      const element = document.getElementById(id);
      // If the window loses the focus, its active element stays the same.
      const isAt = (node: EventTarget | null) => node instanceof Node && element?.contains(node);
      if (!isAt(relatedTarget) && !isAt(document.activeElement)) replace(id, markup);
    }
  });
}
