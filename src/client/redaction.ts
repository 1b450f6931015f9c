import { bytesOf, type Span, spanOf, type View, viewsOf } from './echo-views.ts';
import { formsOfSecret, knownOf, SHORTEST_SECRET } from './secret-forms.ts';
import { SHORTEST_RUN, SharedRuns } from './shared-runs.ts';

/** Replaces a secret. */
export const REDACTED = '[redacted]';

/**
 * Makes a function that replaces every occurrence of the given secrets, in any case and any writing (`viewsOf`): plain,
 * percent-encoded, form-encoded, inside a JSON string or in HTML; also as hexadecimal digits, and inside base64 or base64url of
 * any longer text (Basic credentials), for which the three alignments of RFC 4648 section 4 are searched.
 * @param partsOf texts of which any 16 consecutive bytes are replaced as well, for services that abbreviate what they echo; in
 * the form given here (`formsOfSecret`, and `formsOfBasic` for a client's credentials)
 */
export function redactor(secrets: readonly string[], partsOf: readonly string[] = []): (text: string) => string {
  const sought = soughtSecrets(secrets, partsOf);
  return (text) => {
    const views = viewsOf(text);
    return sought.isIn(views) ? withoutSpans(text, sought.spansIn(views)) : text;
  };
}

/** What `redactor` looks for. */
export const soughtSecrets = (secrets: readonly string[], partsOf: readonly string[] = []): Sought =>
  new Sought(secrets.filter(({ length }) => length >= SHORTEST_SECRET).flatMap(formsOfSecret), partsOf);

/** The texts that are searched for. */
export class Sought {
  readonly #wholes: readonly string[];
  /** Texts of which at least one is present if any other is present as a whole. */
  readonly #telling: readonly string[];
  readonly #parts: SharedRuns;

  /**
   * @param wholes texts that are found as a whole
   * @param partsOf texts of which any 16 consecutive bytes are found
   */
  constructor(wholes: readonly string[], partsOf: readonly string[]) {
    this.#parts = new SharedRuns(partsOf.map((text) => bytesOf(knownOf(text))));
    this.#wholes = [...new Set(wholes.map(bytesOf))];
    this.#telling = this.#wholes.filter((whole) => !this.#parts.isIn({ bytes: whole }));
  }

  /** Whether any of them is in a text; much cheaper than finding where. */
  isIn(views: readonly View[]): boolean {
    return views.some((view) => this.#telling.some((whole) => view.bytes.includes(whole)) || this.#parts.isIn(view));
  }

  spansIn(views: readonly View[]): Span[] {
    return views.flatMap((view) => [...this.#wholesIn(view), ...this.#partsIn(view)]);
  }

  *#wholesIn(view: View): Generator<Span> {
    const { bytes } = view;
    for (const whole of this.#wholes)
      for (let at = bytes.indexOf(whole); at >= 0; at = bytes.indexOf(whole, at + 1))
        yield spanOf(view, at, at + whole.length);
  }

  *#partsIn(view: View): Generator<Span> {
    for (const at of this.#parts.in(view)) yield spanOf(view, at, at + SHORTEST_RUN);
  }
}

/** @param spans in any order; overlapping ones are replaced together */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  let kept = '';
  let behind = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (from >= behind) kept += text.slice(behind, from) + REDACTED;
    behind = Math.max(behind, to);
  }
  return kept + text.slice(behind);
}
