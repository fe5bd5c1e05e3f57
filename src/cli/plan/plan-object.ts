// What would become of an object that AWS is not asked about: created or changed on the hub, where its operator takes over.
import type { KubeObject, StoredObject } from '#kube'

export interface ObjectChange {
  readonly verb: 'create' | 'update' | 'none'
  readonly details: readonly string[]
}

const valueLengthMax = 300

/** Compares the fields that the manifest states. A field that only the server has stays as it is. */
export function planObject(manifest: KubeObject, live: StoredObject | undefined): ObjectChange {
  const wanted = leaves(specOf(manifest), 'spec')
  if (live === undefined) return { verb: 'create', details: wanted.map(([path, value]) => `${path}: ${valueText(value)}`) }
  const held = new Map(leaves(specOf(live), 'spec'))
  const changed = wanted.filter(([path, value]) => JSON.stringify(held.get(path)) !== JSON.stringify(value))
  const gone = [...held].filter(([path]) => isReplaced(path, wanted))
  const details = [
    ...changed.map(([path, value]) => `${path}: ${valueText(held.get(path))} -> ${valueText(value)}`),
    ...gone.map(([path, value]) => `${path}: ${valueText(value)} -> nothing`),
  ]
  return { verb: details.length > 0 ? 'update' : 'none', details }
}

function specOf(object: object): unknown {
  return (object as { readonly spec?: unknown }).spec
}

type Leaf = readonly [path: string, value: unknown]

/** Objects by their fields; a list is one value, since its order and length are part of it. */
function leaves(value: unknown, path: string): readonly Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value === undefined ? [] : [[path, value]]
  const entries = Object.entries(value)
  return entries.length === 0 ? [[path, value]] : entries.flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
}

/** A field below one that the manifest gives as a whole, or empty. */
function isReplaced(path: string, wanted: readonly Leaf[]): boolean {
  return wanted.some(([above]) => path.startsWith(`${above}.`))
}

function valueText(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}… (${text.length} characters)` : text
}
