/** An error in a text that a user wrote. */
export interface Fault {
  /** Without a full stop. */
  readonly message: string;
  readonly hint?: string;
}

/** The parsed value, or all errors of the text. */
export type Parsed<T> = { readonly value: T } | { readonly faults: readonly Fault[] };

export const isParsed = <T>(parsed: Parsed<T>): parsed is { readonly value: T } => 'value' in parsed;
