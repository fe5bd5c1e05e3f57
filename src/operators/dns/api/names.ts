// Names that are contract: what the existing operator called things, so that it can be replaced and come back.

export const group = 'externaldns.olm.openshift.io'
export const kindName = 'ExternalDNS'
export const crdName = 'externaldnses.externaldns.olm.openshift.io'
export const versions = ['v1alpha1', 'v1beta1', 'v1beta2'] as const
export type ApiVersionName = (typeof versions)[number]
/** What the API server stores, and what this operator itself reads: it goes on working while nobody converts. */
export const storageVersion: ApiVersionName = 'v1beta1'

export const annotations = {
  credentialsHash: 'externaldns.olm.openshift.io/credentials-secret-hash',
  trustedCaHash: 'externaldns.olm.openshift.io/trusted-ca-configmap-hash',
  /** Names of containers in the Deployment that are not ours and stay, separated by commas. */
  keepContainers: 'externaldns.olm.openshift.io/keep-containers',
  /** Fields that the version in which an object was written has and the one in which it is read has not. */
  conversionData: 'externaldns.olm.openshift.io/conversion-data',
  allowOwnerChange: 'externaldns.olm.openshift.io/allow-owner-change',
} as const

/** Of what is made for an object of this name. */
export const operandName = (name: string): string => `external-dns-${name}`
export const targetSecretName = (name: string): string => `external-dns-credentials-${name}`
export const targetCaName = 'external-dns-trusted-ca'
export const caKey = 'ca-bundle.crt'
/** What the cloud credential operator of OpenShift writes for us, in the operator's namespace. */
export const platformSecretName = 'externaldns-cloud-credentials'
export const lease = 'leaderelection.externaldns.olm.openshift.io'

export function isVersion(text: string): text is ApiVersionName {
  return versions.some(version => version === text)
}
