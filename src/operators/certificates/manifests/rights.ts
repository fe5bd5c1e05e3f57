// What the certificate operator may do on the API server: the one list from which manifests are rendered, and that tests hold against what
// it really does.
import { events, namespaces as namespaceType, type Right, rightTo, secrets } from '#kube'
import { certKind } from '../api/kinds.ts'
import { certPolicyKind } from '../api/policy.ts'
import { publishTypesDefault } from '../publish/kinds.ts'

export interface CertRightsOptions {
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
  readonly publishes: boolean
  readonly hasPolicies: boolean
  readonly exportNamespaces: readonly string[] | undefined
}

/** Beside what every process of ours needs. */
export function kubeRights({ namespaces, publishes, hasPolicies, exportNamespaces }: CertRightsOptions): readonly Right[] {
  const scope = namespaces === undefined ? {} : { within: namespaces }
  const rights = [
    rightTo(certKind.type, ['get', 'list', 'watch', 'patch'], 'what is asked for; patched for finalizer and counters'),
    rightTo(certKind.type, ['patch'], 'what is said of it', 'status'),
    rightTo(events, ['get', 'create', 'patch'], 'the life of a certificate; one that was told before is counted'),
    ...(publishes ? publishRights : []),
  ]
  return [
    ...rights.map(right => ({ ...right, ...scope })),
    ...(hasPolicies ? policyRights : []),
    ...exportRights(exportNamespaces),
  ]
}

/** Keys go into the listed namespaces, and nowhere else. */
function exportRights(within: readonly string[] | undefined): readonly Right[] {
  if (within === undefined) return []
  return [{ ...rightTo(secrets, ['get', 'create', 'patch'], 'certificates and keys that somebody asked for'), within }]
}

/** Of the whole cluster, whatever namespaces are watched. */
const policyRights: readonly Right[] = [
  rightTo(certPolicyKind.type, ['get', 'list', 'watch'], 'who may ask for what'),
  rightTo(namespaceType, ['get', 'list', 'watch'], 'by their labels policies know them'),
]

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
