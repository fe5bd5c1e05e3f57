// ConfigMaps and Secrets that belong to operators and not to tenants. Who may make an object of ours has the operator read and write for
// him, with rights that he does not have himself. What is named here is left alone, whichever object of his names it.
import { isAccountId, tryParseArn } from '#aws'
import type { ObjectKey, StoredObject } from '#kube'

/** A ConfigMap's or a Secret's. */
export interface Holder extends StoredObject {
  readonly type?: string
  readonly data?: Readonly<Record<string, string>>
}

/** ConfigMaps from which programs learn who works as whom: ours, the pod identity webhook, and the authenticator of EKS. */
const mappingNames: readonly string[] = ['ack-role-account-map', 'ack-role-team-map', 'pod-identity-webhook', 'aws-auth']

/** Of the Secrets in which the identity operator keeps signing keys, or looks for one that somebody brings. */
const signingKeyPrefix = 'awi-signing-key-'

/** The namespaces of our labels, and the values by which our programs call what they made. */
const labelDomains: readonly string[] = ['aws.identity.appthrust.io', 'services.k8s.aws']
const ownValues: Readonly<Record<string, readonly string[]>> = {
  'app.kubernetes.io/managed-by': ['aws-workload-identity-operator', 'vouch'],
  'app.kubernetes.io/name': ['vouch'],
  'app.kubernetes.io/part-of': ['vouch'],
}

/** What it is by its name alone, whether it is there or not; `undefined` for what a tenant may name. */
export function reservedName(kind: 'ConfigMap' | 'Secret', { name }: ObjectKey): string | undefined {
  if (kind === 'ConfigMap' && mappingNames.includes(name)) return 'holds role mappings'
  return kind === 'Secret' && name.startsWith(signingKeyPrefix) ? 'is a signing key' : undefined
}

/** Whether a program of ours made it. */
export function carriesOwnLabels({ metadata }: StoredObject): boolean {
  return Object.entries(metadata.labels ?? {}).some(([name, value]) => {
    const [domain = ''] = name.split('/')
    const isOwnDomain = labelDomains.some(each => domain === each || domain.endsWith(`.${each}`))
    return isOwnDomain || (Object.hasOwn(ownValues, name) && ownValues[name]?.includes(value) === true)
  })
}

/** Accounts, or accounts of a service, with roles: such as a program takes for a mapping whatever it is called. */
export function holdsMappings({ data = {} }: Holder): boolean {
  return Object.entries(data).some(([key, value]) => {
    const account = key.slice(key.lastIndexOf('.') + 1)
    return (isAccountId(account) && tryParseArn(value)?.service === 'iam') || key === 'mapRoles' || key === 'mapAccounts'
  })
}
