// What the webhook keeps of a ServiceAccount: its name, its version, and the annotations that it reads. With fifty thousand of them in
// memory, a field more is megabytes more.
import { given } from '#base'
import type { StoredObject } from '#kube'
import type { Projection } from '#runtime'

const none: Readonly<Record<string, string>> = Object.freeze({})

/** Keeps only annotations `<prefix>/…` of these prefixes. */
export function keepAnnotations(prefixes: readonly string[]): Projection<StoredObject> {
  const starts = prefixes.map(prefix => `${prefix}/`)
  const project = ({ apiVersion, kind, metadata }: StoredObject): StoredObject => {
    const { namespace, name, uid, resourceVersion } = metadata
    let kept: Record<string, string> | undefined
    for (const key in metadata.annotations)
      if (starts.some(start => key.startsWith(start))) {
        kept ??= Object.create(null) as Record<string, string>
        kept[key] = metadata.annotations[key] as string
      }
    return {
      apiVersion,
      kind,
      metadata: {
        name,
        namespace: namespace ?? '',
        uid,
        resourceVersion,
        ...given({ annotations: kept }),
      },
    }
  }
  return Object.assign(project, { fieldManagers: [] })
}

export function annotationsOf(account: StoredObject): Readonly<Record<string, string>> {
  return account.metadata.annotations ?? none
}
