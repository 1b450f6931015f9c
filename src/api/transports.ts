/** The transports, one file each in `client/transports`; `auto` chooses between them. */
const transportNames = ['wire', 'undici', 'http2'] as const;
export type TransportName = (typeof transportNames)[number];

export const transportChoices = ['auto', ...transportNames] as const;
export type TransportChoice = (typeof transportChoices)[number];
