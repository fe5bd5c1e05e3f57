// Wiring: what is watched, which changes are worth a pass, and how a pass goes.
import { given } from '#base'
import { namespaces as namespaceType, type StoredObject } from '#kube'
import { type AnyController, type Change, defineController, indexBy, type Source, type Watch } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import { fieldManager, personAnnotations } from '../api/labels.ts'
import { certPolicyKind } from '../api/policy.ts'
import { type ActTools, actOf } from './act.ts'
import type { CertAction } from './cloud-action.ts'
import { decide } from './decide/decide.ts'
import { observeCert } from './observe.ts'
import { recordIndexName } from './observe-deletion.ts'
import type { ObserveTools } from './observe-tools.ts'
import { reportCert } from './report.ts'
import { labelIndex, labelIndexName } from './rivals.ts'
import type { CertSeen } from './seen.ts'

export interface CertControllerOptions {
  readonly observe: ObserveTools
  readonly act: ActTools
  /** All when absent. */
  readonly namespaces?: readonly string[] | undefined
  readonly workers?: number | undefined
}

/** A pass may wait at the pace of ACM, and for the tries of a throttled call. */
const deadlineMs = 120_000

export const controllerName = 'cert'

export function certSource(namespaces: readonly string[] | undefined): Source {
  return {
    type: certKind.type,
    ...given({ namespaces }),
    indexes: { [labelIndexName]: labelIndex, [recordIndexName]: recordIndex },
  }
}

const recordIndex = indexBy<Cert>(({ status }) =>
  (status?.validationRecords ?? []).map(({ zoneId, name }) => `${zoneId}/${name}`),
)

export function certController({ observe, act, namespaces, workers = 3 }: CertControllerOptions): AnyController {
  const { settings } = observe
  return defineController<CertSeen, CertAction>({
    name: controllerName,
    fieldManager,
    claims: certSource(namespaces),
    // Whoever did not hear of the end of a certificate does not say that it serves.
    status: { kind: 'subresource', observedGeneration: true, decidedOnce: ['certReady'] },
    isWorth,
    watches: [
      {
        // A name that was taken is free when the Cert that had it is gone.
        ...certSource(namespaces),
        name: 'certsForFreedName',
        isWorth: ({ kind }) => kind === 'removed',
        toClaims: (gone, world) =>
          labelIndex
            .of(gone)
            .flatMap(label => world.byIndex<Cert>(certKind.type, labelIndexName, label))
            .filter(({ status }) => status?.lastFailure?.reason === 'DuplicateDomain')
            .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name })),
      },
      ...(settings.hasPolicies ? policyWatches(namespaces) : []),
    ],
    workers,
    deadlineMs,
    reconciler: {
      observe: (key, world, signal) => observeCert(key, world, signal, observe),
      decide: seen => decide(seen, settings),
      act: actOf(act),
      report: input => reportCert(input, settings),
    },
  })
}

/** What a policy forbade may be allowed when it changes; what it allowed is asked again before the next request. */
function policyWatches(within: readonly string[] | undefined): readonly Watch[] {
  return [
    {
      type: certPolicyKind.type,
      name: 'certsForPolicy',
      toClaims: (_, world) =>
        (within ?? [undefined])
          .flatMap(namespace => world.list<Cert>(certKind.type, namespace))
          .filter(({ status }) => status?.lastFailure?.refusedBy === 'CertPolicy')
          .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name })),
    },
    // Their labels say which policy is theirs: read at the next pass.
    { type: namespaceType, name: 'certsForNamespace', isWorth: () => false, toClaims: () => [] },
  ]
}

/** Passes cost calls of AWS: our own status and notes are no reason for one. */
export function isWorth(change: Change): boolean {
  if (change.kind !== 'changed') return true
  const [now, before] = [change.object.metadata, change.previous.metadata]
  if (now.uid !== before.uid || now.generation !== before.generation || now.deletionTimestamp !== before.deletionTimestamp)
    return true
  return personAnnotations.some(name => noteOf(change.object, name) !== noteOf(change.previous, name))
}

function noteOf({ metadata }: StoredObject, name: string): string | undefined {
  return metadata.annotations?.[name]
}
