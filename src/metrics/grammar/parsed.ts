/** What is wrong with a text that somebody wrote. */
export interface Fault {
  /** Without a full stop. */
  readonly message: string;
  readonly hint?: string;
}

/** What a text says, or everything that is wrong with it. */
export type Parsed<T> = { readonly value: T } | { readonly faults: readonly Fault[] };

export const isParsed = <T>(parsed: Parsed<T>): parsed is { readonly value: T } => 'value' in parsed;
