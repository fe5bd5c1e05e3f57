// An operator in one file: a ConfigMap labelled `mirror.example.com/source: "true"` is copied into the namespaces that its annotation
// `mirror.example.com/to` names, kept equal there, and the copies go when it goes. The status stands in an annotation, so that there
// is no kind to install: it works on any cluster as it is. docs/guides/write-an-operator.md walks through it.
import {
  type Action,
  type AnyController,
  type ClaimKey,
  defineController,
  indexBy,
  type KubeObject,
  kinds,
  type Plan,
  type Reads,
  type StoredObject,
} from 'vouch/runtime'

const { configMaps, namespaces } = kinds
const domain = 'mirror.example.com'
const ownerLabel = `${domain}/owner-uid`
const finalizer = `${domain}/copies`

type ConfigMap = StoredObject & { readonly data?: Readonly<Record<string, string>> }

/** Everything that a decision needs, and nothing else. What is not there is `undefined`. */
export interface Seen {
  readonly source: ConfigMap | undefined
  readonly copies: readonly ConfigMap[]
}

/** Reads, and judges nothing. */
export function observe(key: ClaimKey, world: Reads): Seen {
  const source = world.find<ConfigMap>(configMaps, key)
  return { source, copies: source === undefined ? [] : world.byIndex<ConfigMap>(configMaps, 'owner', source.metadata.uid) }
}

/** Judges, and touches nothing: the same input gives the same plan, so that its test is a table. */
export function decide({ source, copies }: Seen): Plan {
  const done = { conditions: [], next: { kind: 'await-change' } } as const
  if (source === undefined || (!isSource(source) && !hasFinalizer(source))) return { actions: [], ...done }
  const wanted = isSource(source) && source.metadata.deletionTimestamp === undefined ? targetsOf(source) : []
  const surplus = copies.filter(copy => !wanted.includes(copy.metadata.namespace ?? ''))
  const remove = surplus.map((object): Action => ({ kind: 'delete', type: configMaps, object }))
  if (wanted.length === 0) {
    // The finalizer goes last, in the pass that finds every copy gone.
    const release: Action = { kind: 'remove-finalizer', type: configMaps, object: source, finalizer }
    return { actions: surplus.length > 0 ? remove : hasFinalizer(source) ? [release] : [], ...done }
  }
  const hold: Action = { kind: 'add-finalizer', type: configMaps, object: source, finalizer }
  // Copies do not wait for one another: a namespace that is missing holds up its own only.
  const copy: Action = { kind: 'together', branches: wanted.map(namespace => [copyInto(source, namespace)]) }
  const message = `copied into ${wanted.join(', ')}`
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Copied', message }] as const
  return { ...done, actions: [hold, ...remove, copy], conditions }
}

function copyInto(source: ConfigMap, namespace: string): Action {
  const labels = { [ownerLabel]: source.metadata.uid }
  const metadata = { namespace, name: source.metadata.name, labels }
  const object: Omit<ConfigMap, 'metadata'> & KubeObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: source.data ?? {},
  }
  // A ConfigMap of that name without our mark belongs to somebody else, and is left alone.
  return { kind: 'apply', type: configMaps, object, mark: { labels } }
}

const isSource = ({ metadata }: StoredObject): boolean => metadata.labels?.[`${domain}/source`] === 'true'
const hasFinalizer = ({ metadata }: StoredObject): boolean => metadata.finalizers?.includes(finalizer) ?? false
const keyOf = ({ metadata }: StoredObject) => ({ namespace: metadata.namespace ?? '', name: metadata.name })

function targetsOf({ metadata }: ConfigMap): readonly string[] {
  const names = (metadata.annotations?.[`${domain}/to`] ?? '').split(',').map(name => name.trim())
  return [...new Set(names.filter(name => name !== '' && name !== metadata.namespace))]
}

/** What to watch, and whom a change concerns. */
export const configMapMirror: AnyController = defineController<Seen>({
  name: 'configmap-mirror',
  claims: {
    type: configMaps,
    indexes: {
      owner: indexBy(({ metadata }) => Object.entries(metadata.labels ?? {}).flatMap(([k, v]) => (k === ownerLabel ? [v] : []))),
      uid: indexBy(({ metadata }) => [metadata.uid]),
    },
  },
  watches: [
    {
      type: configMaps,
      // A copy that somebody changed or deleted concerns its source.
      toClaims: (copy, world) => world.byIndex(configMaps, 'uid', copy.metadata.labels?.[ownerLabel] ?? '').map(keyOf),
    },
    {
      type: namespaces,
      metadataOnly: true,
      // A namespace that appears may be one that a source waits for.
      toClaims: (_namespace, world) => world.list(configMaps).filter(isSource).map(keyOf),
    },
  ],
  status: { kind: 'annotation', name: `${domain}/status` },
  reconciler: { observe, decide },
})
