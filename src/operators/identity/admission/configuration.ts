// Which requests the API server asks us about.
import type { KubeObject } from '#kube'
import { type AdmissionPlace, notOurUpdates, renderValidatingConfiguration } from '#runtime'
import { configKind, replicaSetKind, roleKind } from '../api/kinds.ts'
import { admissionPaths } from './handlers.ts'

const asked = [
  { kind: configKind, path: admissionPaths.config, operations: ['DELETE'] },
  { kind: roleKind, path: admissionPaths.role, operations: ['CREATE', 'UPDATE'] },
  { kind: replicaSetKind, path: admissionPaths.replicaSet, operations: ['CREATE', 'UPDATE'] },
] as const

export function validatingConfiguration(place: AdmissionPlace): KubeObject & { readonly webhooks: readonly unknown[] } {
  return renderValidatingConfiguration(
    place,
    asked.map(({ kind, path, operations }) => ({
      name: `v${kind.definition.kind.toLowerCase()}.${kind.type.group}`,
      path,
      rules: [{ apiGroups: [kind.type.group], apiVersions: [kind.type.version], operations, resources: [kind.type.plural] }],
      failurePolicy: 'Fail',
      ...(place.operatorUser === undefined || kind !== roleKind ? {} : { matchConditions: [notOurUpdates(place.operatorUser)] }),
    })),
  )
}
