// The platform's kind, as far as it is read here: HyperShift's HostedControlPlane, one hosted control plane in its namespace of the management
// cluster. On a platform the CRD is the platform's; ours is for tests and for the embedded world, and keeps every field that it does not know.
import { type CustomObject, defineKind, type Kind, type StoredCondition, type StoredObject, schema } from '#kube'

export interface TlsProfile {
  readonly type?: string | null
  readonly custom?: { readonly ciphers?: readonly string[] | null; readonly minTLSVersion?: string | null } | null
}

/** A registry or repository, and what holds copies of it. */
export interface ImageContentSource {
  readonly source?: string | null
  readonly mirrors?: readonly string[] | null
}

export interface ControlPlaneSpec {
  readonly platform: {
    readonly type: string
    /** Null where it is stored so: the kind may have no schema of the platform. */
    readonly aws?: { readonly region?: string | null } | null
    readonly azure?: { readonly tenantID?: string | null; readonly cloud?: string | null } | null
  }
  readonly networking?: { readonly apiServer?: { readonly port?: number | null } | null } | null
  readonly configuration?: { readonly apiServer?: { readonly tlsSecurityProfile?: TlsProfile | null } | null } | null
  /** The image of the release, and the one of what stands in the control plane where that is another. */
  readonly releaseImage?: string | null
  readonly controlPlaneReleaseImage?: string | null
  /** Where the images of its cluster are too, for clusters that reach no registry outside. */
  readonly imageContentSources?: readonly ImageContentSource[] | null
  /** `true`, or the time until which nothing is to be changed. */
  readonly pausedUntil?: string
}

export interface ControlPlaneStatus {
  readonly conditions?: readonly StoredCondition[]
}

export type ControlPlane = CustomObject<ControlPlaneSpec, ControlPlaneStatus> & StoredObject

/** What its objects are is said by `ControlPlane`: the schema knows that they are objects, and keeps every field. */
export const controlPlaneKind: Kind<unknown, unknown> = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'HostedControlPlane',
  plural: 'hostedcontrolplanes',
  shortNames: ['hcp', 'hcps'],
  namespaced: true,
  description:
    'One hosted control plane, in its namespace of the management cluster. The kind is the platform’s; this is what Vouch reads of it.',
  spec: schema
    .openObject()
    .describe(
      'What the platform wants; Vouch reads platform, networking, configuration, the release images, imageContentSources and pausedUntil.',
    ),
  status: schema.openObject().describe('What the platform and Vouch say; Vouch writes two conditions.'),
})

/** The platform's settings by annotation: it signs nothing itself, and nobody else is to do so. */
export const signingDisabledAnnotation = 'hypershift.openshift.io/disable-pki-reconciliation'
export const caHashAnnotation = 'hypershiftlite.openshift.io/ca-hash'
export const kubeconfigLabel: Readonly<Record<string, string>> = { 'hypershift.openshift.io/kubeconfig': 'local' }
