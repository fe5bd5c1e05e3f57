// A list of objects as people write it in a flag: `namespace/name`, `namespace/*` for all of a namespace, `*` for all that there are.
import type { ObjectKey } from './objects.ts'

export interface NamedObjects {
  /** Every one, wherever it is. */
  readonly all: boolean
  /** The names in each namespace, or `all` where every object of the namespace is meant. */
  readonly within: ReadonlyMap<string, 'all' | readonly string[]>
}

/** An entry that names no object. */
export class NamedObjectsError extends Error {
  override readonly name = 'NamedObjectsError'
}

const entryForm = /^([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/(\*|[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)$/

/** Throws `NamedObjectsError`. */
export function parseNamedObjects(entries: readonly string[]): NamedObjects {
  const within = new Map<string, 'all' | readonly string[]>()
  for (const entry of entries.filter(each => each !== '*')) {
    const [, namespace, name] = entryForm.exec(entry) ?? []
    if (namespace === undefined || name === undefined)
      throw new NamedObjectsError(`${JSON.stringify(entry.slice(0, 320))} is no namespace/name, namespace/* or *`)
    const before = within.get(namespace) ?? []
    if (name === '*' || before === 'all') within.set(namespace, 'all')
    else if (!before.includes(name)) within.set(namespace, [...before, name])
  }
  return entries.includes('*') ? { all: true, within: new Map() } : { all: false, within }
}

export function isNamed({ all, within }: NamedObjects, { namespace, name }: ObjectKey): boolean {
  const names = within.get(namespace)
  return all || names === 'all' || names?.includes(name) === true
}
