// Casts: `x as T` says to the checker what nobody proved. How many each room has left stands here; the numbers only go down. A parser, a
// guard (`isRecord`) or a better type takes the place of one.

/** Casts left in the programs of a room, tests aside. A room that is not named has none. */
export const castsLeft: Readonly<Record<string, number>> = {
  apiserver: 256,
  aws: 9,
  'aws/client': 29,
  base: 44,
  cli: 45,
  cloud: 3,
  crdgen: 64,
  emulator: 146,
  fleet: 1,
  kube: 16,
  'kube/client': 24,
  manifests: 12,
  operators: 164,
  runtime: 58,
  schema: 186,
  simulator: 21,
}

/** Texts and comments hold the word as well, and an import gives another name by it. `as const` is no cast. */
export function castsIn(source: string): number {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '$1')
    .replaceAll(/^(?:import|export) [^;]*?from ['"][^'"]+['"]/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replaceAll(template, text => [...text.matchAll(/\$\{([^{}]*)\}/g)].map(([, expression]) => `(${expression})`).join(' '))
  return [...code.matchAll(/[\w)\]}'`!] as (?!const\b)[\w({['`]/g)].length
}

/** A template without another one inside; of it only what is computed is code. */
const template = /`(?:[^`\\$]|\\.|\$(?!\{)|\$\{[^`{}]*\})*`/g
