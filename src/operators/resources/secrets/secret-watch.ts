// Secrets that claims name, watched so that one which appears or is rotated wakes its claims at once. Only metadata crosses the wire and
// only names are kept: what a Secret holds is read by the pass that needs it, and by nobody else.
import { given } from '#base'
import { type NamedObjects, type ResourceType, renderKey, type StoredObject, secrets } from '#kube'
import { indexBy, type Projection, type SourceIndex, type Watch } from '#runtime'
import type { Resource } from '../api.ts'
import type { DeviatingKind } from '../kinds/deviation.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Settings } from '../options.ts'
import { mayNameSecrets, secretsNamed } from './named-secrets.ts'

/** Whether objects of the kind can name a Secret, to read from or to write to. */
export function namesSecrets({ model, deviation }: DeviatingKind): boolean {
  return mayNameSecrets(model) || deviation.output !== undefined
}

export function secretIndexName({ id }: KindModel): string {
  return `secrets of ${id}`
}

export function secretIndex(model: KindModel): SourceIndex {
  return indexBy<Resource>(claim => secretsNamed(model, claim).map(renderKey))
}

export interface SecretWatchOptions extends Pick<Settings, 'watchNamespaces'> {
  readonly access: NamedObjects
  /** Of those that name Secrets. */
  readonly claims: ResourceType
  /** By what they name. */
  readonly index: string
}

/** One watch of all Secrets, or one of each that may be used: a right to follow Secrets is a right to read them, so it names them too. */
export function secretWatches({ access, ...options }: SecretWatchOptions): readonly Watch[] {
  const { watchNamespaces } = options
  const types = notOfInterest.map(type => `type!=${type}`).join(',')
  if (access.all) return [watchOf(options, { fieldSelector: types, ...given({ namespaces: watchNamespaces }) })]
  return [...access.within].flatMap(([namespace, names]) =>
    names === 'all'
      ? [watchOf(options, { fieldSelector: types, namespaces: [namespace] }, namespace)]
      : names.map(name =>
          watchOf(options, { fieldSelector: `metadata.name=${name}`, namespaces: [namespace] }, `${namespace}/${name}`),
        ),
  )
}

function watchOf(
  { claims, index }: Pick<SecretWatchOptions, 'claims' | 'index'>,
  scope: Pick<Watch, 'fieldSelector' | 'namespaces'>,
  which?: string,
): Watch {
  return {
    name: 'secretsOfClaims',
    type: secrets,
    // Others in this process may follow Secrets of their own, with what is in them.
    apart: which === undefined ? 'named by claims' : `named by claims: ${which}`,
    metadataOnly: true,
    project: keepName,
    ...scope,
    toClaims: ({ metadata }, world) => {
      const named = renderKey({ namespace: metadata.namespace ?? '', name: metadata.name })
      return world.byIndex<Resource>(claims, index, named).map(claim => ({
        namespace: claim.metadata.namespace ?? '',
        name: claim.metadata.name,
      }))
    },
  }
}

/** Most of a cluster's Secrets are of these types, and no claim is made from them. */
const notOfInterest = ['helm.sh/release.v1', 'kubernetes.io/service-account-token']

const keepName: Projection<StoredObject> = Object.assign(
  ({ apiVersion, kind, metadata: { name, namespace, uid, resourceVersion } }: StoredObject): StoredObject => ({
    apiVersion,
    kind,
    metadata: { name, uid, resourceVersion, ...given({ namespace }) },
  }),
  { fieldManagers: [] },
)
