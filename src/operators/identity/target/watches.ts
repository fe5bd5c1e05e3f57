// What is watched of the runtime in every target: an edit or a removal there is an event for the config that wants it.
import { namespaces, secrets, serviceAccounts } from '#kube'
import { keepIdentity, type Targets, type Watch } from '#runtime'
import { serviceAccountSource } from './annotation.ts'
import { caSecretName, isManaged, managedSelector, runtimeName } from './kinds.ts'
import { runtimeTypes } from './runtime.ts'

/** Most clusters have an issuer of their own and no runtime of ours: their API servers keep no stream for it. */
const onlyWhereRead = { whenRead: true } as const

/** Only what carries our labels is kept, besides ServiceAccounts and the names of namespaces: the runtime waits for one to appear. */
export function runtimeWatches(configOf: (cluster: string) => Targets): readonly Watch[] {
  return runtimeTypes.map((type): Watch => {
    if (type === serviceAccounts) {
      return {
        ...serviceAccountSource,
        on: 'targets',
        ...onlyWhereRead,
        toClaims: (object, _world, cluster) => (isManaged(object) ? configOf(cluster) : []),
      }
    }
    if (type === namespaces) {
      return {
        type,
        metadataOnly: true,
        project: keepIdentity,
        on: 'targets',
        ...onlyWhereRead,
        toClaims: (_object, _world, cluster) => configOf(cluster),
      }
    }
    // Secrets by their names, so that the right to list and watch them can be given for these and no others.
    const only = type === secrets ? { names: [runtimeName, caSecretName] } : { labelSelector: managedSelector }
    return { type, ...only, on: 'targets', ...onlyWhereRead, toClaims: (_object, _world, cluster) => configOf(cluster) }
  })
}
