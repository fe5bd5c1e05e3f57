// What the certificate operator may do on the API server: the one list from which manifests are rendered, and that tests hold against what
// it really does.
import { events, type Right, rightTo } from '#kube'
import { certKind } from '../api/kinds.ts'
import { publishTypesDefault } from '../publish/kinds.ts'

export interface CertRightsOptions {
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
  readonly publishes: boolean
}

/** Beside what every process of ours needs. */
export function kubeRights({ namespaces, publishes }: CertRightsOptions): readonly Right[] {
  const scope = namespaces === undefined ? {} : { within: namespaces }
  const rights = [
    rightTo(certKind.type, ['get', 'list', 'watch', 'patch'], 'what is asked for; patched for finalizer and counters'),
    rightTo(certKind.type, ['patch'], 'what is said of it', 'status'),
    rightTo(events, ['create', 'patch'], 'the life of a certificate'),
    ...(publishes ? publishRights : []),
  ]
  return rights.map(right => ({ ...right, ...scope }))
}

const { ConfigMap, Gateway, LoadBalancerConfiguration, ...annotated } = publishTypesDefault

/** Rules name no versions: whichever is served is meant. */
const publishRights: readonly Right[] = [
  ...Object.values(annotated).map(type => rightTo(type, ['get', 'list', 'watch', 'patch'], 'the ARN is written there')),
  ...[Gateway, LoadBalancerConfiguration].map(type =>
    rightTo(type, ['get', 'list', 'watch', 'update'], 'the ARN is written there'),
  ),
  rightTo(
    ConfigMap,
    ['get', 'list', 'watch', 'create', 'patch', 'delete'],
    'the ARN is written there; only those with our own label',
  ),
]
