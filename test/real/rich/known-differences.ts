/** By kind, which forms of its object both servers answer differently. */
export const knownDifferences: Readonly<Record<string, readonly string[]>> = {}
