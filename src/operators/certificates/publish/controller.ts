// Wiring: a controller of its own, so that nothing that happens to targets touches the certificate.
import { given } from '#base'
import { renderLabelSelector, type StoredObject, selectorFromObject } from '#kube'
import { type AnyController, type Change, defineController, indexBy, keepIdentity, type Watch } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import { publishManager } from '../api/labels.ts'
import { type PublishKind, publishKinds } from '../api/publish.ts'
import { record } from '../aws/values.ts'
import { certSource } from '../cert/controller.ts'
import { decidePublishing, type PublishSettings } from './decide.ts'
import { observePublishing } from './observe.ts'
import { reportPublishing } from './report.ts'
import type { PublishSeen } from './seen.ts'

export interface PublishControllerOptions extends PublishSettings {
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
  readonly workers: number | undefined
}

const targetIndexName = 'publish-target'

/** By kind, namespace and name; where labels select, by kind and namespace. */
const targetIndex = indexBy<Cert>(({ spec, metadata }) => [
  ...new Set((spec.publish ?? []).map(({ kind, name }) => `${kind}/${metadata.namespace ?? ''}/${name ?? '*'}`)),
])

export function publishController(options: PublishControllerOptions): AnyController {
  const { types, namespaces, workers = 3 } = options
  const claims = certSource(namespaces)
  return defineController<PublishSeen>({
    name: 'cert-publish',
    fieldManager: publishManager,
    claims: { ...claims, indexes: { ...claims.indexes, [targetIndexName]: targetIndex } },
    isWorth,
    watches: publishKinds.map(kind => targetWatch(kind, options)),
    workers,
    // The other controller says which generation was looked at.
    status: { kind: 'subresource', observedGeneration: false },
    summary: 'Published',
    reconciler: {
      observe: (key, world, signal) => observePublishing(key, { world, types, signal }),
      decide: seen => decidePublishing(seen, options),
      report: input => reportPublishing(input, options),
    },
  })
}

/** Hears that a target came, went or has other labels. What stands in it is looked at each hour. */
function targetWatch(kind: PublishKind, { types, namespaces }: PublishControllerOptions): Watch {
  return {
    type: types[kind],
    ...given({ namespaces }),
    name: `certsFor${kind}`,
    apart: 'publish',
    optional: true,
    metadataOnly: true,
    project: keepIdentity,
    isWorth: change => change.kind !== 'changed' || labelsOf(change.object) !== labelsOf(change.previous),
    toClaims: ({ metadata }, world) => {
      const where = `${kind}/${metadata.namespace ?? ''}`
      const keys = [`${where}/${metadata.name}`, `${where}/*`]
      const certs = keys.flatMap(key => world.byIndex<Cert>(certKind.type, targetIndexName, key))
      return certs.map(cert => ({ namespace: cert.metadata.namespace ?? '', name: cert.metadata.name }))
    },
  }
}

function labelsOf({ metadata }: StoredObject): string {
  return renderLabelSelector(selectorFromObject({ matchLabels: metadata.labels ?? {} }))
}

function isWorth(change: Change): boolean {
  if (change.kind !== 'changed') return true
  return whatMatters(change.object) !== whatMatters(change.previous)
}

/** What is wanted, what there is to publish, and whether the time has come to take it back. */
function whatMatters(object: StoredObject): string {
  const { metadata } = object
  const status = Reflect.get(object, 'status')
  const { certificateArn, certReady, expirationDate, domainName } = record(status)
  return JSON.stringify([
    metadata.generation,
    metadata.deletionTimestamp,
    metadata.finalizers,
    certificateArn,
    certReady,
    expirationDate,
    domainName,
  ])
}
