import pc from 'picocolors';

/** Colours of a terminal, or functions that leave text as it is. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Always told whether to colour: looking at NO_COLOR and at the terminal is the caller's. */
export const colorsFor = (color: boolean): Colors => pc.createColors(color);
