/** A list of the items that are there: `listed(isTorn && 'torn', count > 0 && texts(count))`. */
export const listed = <T>(...items: readonly (T | false | undefined)[]): T[] =>
  items.filter((item): item is T => item !== false && item !== undefined);
