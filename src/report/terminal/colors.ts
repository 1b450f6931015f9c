import pc from 'picocolors';

/** Functions that colour text for a terminal, or return it unchanged. */
export type Colors = ReturnType<typeof pc.createColors>;

/** @param color whether to colour; the caller checks NO_COLOR and the terminal */
export const colorsFor = (color: boolean): Colors => pc.createColors(color);
