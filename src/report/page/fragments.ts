/** Contents that came while somebody was at their element with the keyboard, by its id. */
const waiting = new Map<string, string>();

/** Replaces what an element holds; where somebody is at it with the keyboard, as soon as they leave. The markup is the server's own, made inert there. */
export function fill(id: string, markup: string): void {
  const element = document.getElementById(id);
  if (element?.contains(document.activeElement)) waiting.set(id, markup);
  else replace(id, markup);
}

/** Puts in what waits, and gives the focus to what stands where it was: of a run that is over nothing may stay as it was. */
export function fillAll(): void {
  for (const [id, markup] of [...waiting]) {
    const place = stopsIn(id).indexOf(document.activeElement as HTMLElement);
    replace(id, markup);
    const stops = stopsIn(id);
    stops[Math.min(place, stops.length - 1)]?.focus({ preventScroll: true });
  }
}

function replace(id: string, markup: string): void {
  waiting.delete(id);
  const element = document.getElementById(id);
  if (element) element.innerHTML = markup;
}

const stopsIn = (id: string): HTMLElement[] => [
  ...(document.getElementById(id)?.querySelectorAll<HTMLElement>('[tabindex], summary') ?? []),
];

/** Call once. */
export function fillWhenLeft(): void {
  document.addEventListener('focusout', ({ relatedTarget }) => {
    for (const [id, markup] of [...waiting]) {
      const element = document.getElementById(id);
      // A window that is left keeps its active element.
      const isAt = (node: EventTarget | null) => node instanceof Node && element?.contains(node);
      if (!isAt(relatedTarget) && !isAt(document.activeElement)) replace(id, markup);
    }
  });
}
