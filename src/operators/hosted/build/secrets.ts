// The two Secrets that a sidecar mounts, whole and as the platform's own builders shape them: what is read, why it has to be written, and the
// object that is then written.
import type { CertificatePair, DrawnKey, Instant } from '#base'
import { controllerOf, controllerReference, type ObjectMeta, type StoredObject } from '#kube'
import { caHashAnnotation, kubeconfigLabel } from '../api/kinds.ts'
import { kubeApiserverName } from '../api/names.ts'
import { type Authority, type PlatformSecret, textIn } from './authority.ts'
import type { HostedChoices } from './choices.ts'
import { desiredStateAnnotation, desiredStateHash } from './desired-state.ts'
import { renderSidecarKubeconfig } from './kubeconfig.ts'
import { clientRequest, issuePair, type PairRequest, pairTrouble, servingRequest } from './pair.ts'
import type { SidecarInput } from './platform.ts'
import { providers } from './provider.ts'

export interface SecretNeeds {
  readonly input: SidecarInput
  /** Whose the Secret becomes. */
  readonly owner: StoredObject
  readonly rootCa: Authority
  readonly clusterSigner: Authority
  readonly choices: Pick<HostedChoices, 'awsKubeconfigLocal' | 'authorityChange' | 'desiredStateHash'>
}

export interface SecretPlan {
  readonly name: string
  readonly request: PairRequest
  readonly issuer: Authority
  /** Everything but the pair. */
  readonly data: (pair: CertificatePair) => Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly keepsForeign: boolean
  /** As the platform's component framework does with what it writes. */
  readonly isHashed: boolean
}

export function servingSecret({ input, rootCa, choices }: SecretNeeds): SecretPlan {
  return {
    name: providers[input.cloud].servingSecret,
    request: servingRequest,
    issuer: rootCa,
    data: pair => pairData(pair, rootCa),
    labels: {},
    keepsForeign: choices.authorityChange === 'keep',
    isHashed: false,
  }
}

/** Its `ca.crt` is the authority of the client certificate; whom the sidecar trusts stands in the kubeconfig. */
export function kubeconfigSecret({ input, rootCa, clusterSigner, choices }: SecretNeeds): SecretPlan {
  const provider = providers[input.cloud]
  const server =
    input.cloud === 'Azure' || choices.awsKubeconfigLocal
      ? `https://localhost:${input.port}`
      : `https://${kubeApiserverName}:${servicePort}`
  return {
    name: provider.kubeconfigSecret,
    request: clientRequest(provider),
    issuer: clusterSigner,
    data: pair => ({
      ...pairData(pair, clusterSigner),
      kubeconfig: renderSidecarKubeconfig({ server, authority: rootCa.certificate, pair }),
    }),
    labels: kubeconfigLabel,
    keepsForeign: false,
    isHashed: choices.desiredStateHash,
  }
}

const servicePort = 6_443

function pairData(
  { certificate, key }: CertificatePair,
  { certificate: authority }: Authority,
): Readonly<Record<string, string>> {
  return { 'ca.crt': authority, 'tls.crt': certificate, 'tls.key': key }
}

export type SecretStanding =
  | { readonly kind: 'good' }
  /** Somebody else's: it is left alone. */
  | { readonly kind: 'foreign' }
  /** The pair is good; what stands around it is not. */
  | { readonly kind: 'rewrite'; readonly pair: CertificatePair; readonly why: string }
  | { readonly kind: 'issue'; readonly why: string }

export function judgeSecret(
  plan: SecretPlan,
  held: (PlatformSecret & StoredObject) | undefined,
  owner: StoredObject,
  now: Instant,
): SecretStanding {
  if (held === undefined) return { kind: 'issue', why: 'it is not there' }
  if (!isOursToWrite(held, owner)) return { kind: 'foreign' }
  const pair = { certificate: textIn(held, 'tls.crt'), key: textIn(held, 'tls.key') }
  const { request, issuer: authority, keepsForeign } = plan
  const trouble = pairTrouble(pair, { request, authority, keepsForeign }, now)
  if (trouble !== undefined) return { kind: 'issue', why: trouble }
  const why = differenceOf(plan, held, owner, pair)
  return why === undefined ? { kind: 'good' } : { kind: 'rewrite', pair, why }
}

/** Without a controller it is nobody's, and becomes ours. */
function isOursToWrite(held: StoredObject, owner: StoredObject): boolean {
  const controller = controllerOf(held)
  return controller === undefined || isControlPlane(controller, owner)
}

function isControlPlane(
  reference: { readonly kind: string; readonly uid: string; readonly name: string },
  owner: StoredObject,
): boolean {
  // One of the same name that is gone left it behind; the garbage collector has not come yet.
  return reference.uid === owner.metadata.uid || (reference.kind === owner.kind && reference.name === owner.metadata.name)
}

/** Whether this very control plane controls it, so that it may be taken away. */
export function isControlledBy(held: StoredObject, owner: StoredObject): boolean {
  return controllerOf(held)?.uid === owner.metadata.uid
}

function differenceOf(
  plan: SecretPlan,
  held: PlatformSecret & StoredObject,
  owner: StoredObject,
  pair: CertificatePair,
): string | undefined {
  const wanted = plan.data(pair)
  const key = Object.keys(wanted).find(name => textIn(held, name) !== wanted[name])
  if (key !== undefined) return `its ${key} is another`
  if (held.metadata.annotations?.[caHashAnnotation] !== plan.issuer.hash) return 'it names another authority'
  const hash = hashOf(plan, owner, wanted)
  if (hash !== undefined && held.metadata.annotations?.[desiredStateAnnotation] !== hash) return 'its hash is another'
  if (Object.entries(plan.labels).some(([name, value]) => held.metadata.labels?.[name] !== value)) return 'its label is missing'
  return isControlledBy(held, owner) ? undefined : 'it has no owner'
}

/** Over the Secret as it is wanted, without what an API server or anybody else adds. */
function hashOf(plan: SecretPlan, owner: StoredObject, texts: Readonly<Record<string, string>>): string | undefined {
  if (!plan.isHashed) return undefined
  const { name, labels, issuer } = plan
  const annotations = { [caHashAnnotation]: issuer.hash }
  const metadata = {
    name,
    namespace: owner.metadata.namespace ?? '',
    labels,
    annotations,
    ownerReferences: [controllerReference(owner)],
  }
  const wanted: PlatformSecret = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: encoded(texts) }
  return desiredStateHash(wanted)
}

function encoded(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]))
}

/** The Secret with a fresh pair. */
export function issueSecret(
  plan: SecretPlan,
  held: (PlatformSecret & StoredObject) | undefined,
  owner: StoredObject,
  { drawn, now }: { readonly drawn: DrawnKey; readonly now: Instant },
): PlatformSecret {
  return renderSecret(plan, held, owner, issuePair(plan.request, plan.issuer, drawn, now))
}

/** Over what is there: labels, annotations and keys of others stay. */
export function renderSecret(
  plan: SecretPlan,
  held: (PlatformSecret & StoredObject) | undefined,
  owner: StoredObject,
  pair: CertificatePair,
): PlatformSecret {
  const texts = plan.data(pair)
  const hash = hashOf(plan, owner, texts)
  const metadata: ObjectMeta = held?.metadata ?? { name: plan.name }
  const labels = { ...metadata.labels, ...plan.labels }
  const others = (metadata.ownerReferences ?? []).filter(reference => !isControlPlane(reference, owner))
  return {
    ...held,
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...metadata,
      namespace: owner.metadata.namespace ?? '',
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      annotations: {
        ...metadata.annotations,
        [caHashAnnotation]: plan.issuer.hash,
        ...(hash === undefined ? {} : { [desiredStateAnnotation]: hash }),
      },
      ownerReferences: [...others, controllerReference(owner)],
    },
    type: 'Opaque',
    data: { ...held?.data, ...encoded(texts) },
  }
}

/** What is to be written over what was read: of its version, and no other. */
export function inPlaceOf(held: StoredObject, object: PlatformSecret): PlatformSecret & StoredObject {
  return { ...object, metadata: { ...held.metadata, ...object.metadata } }
}
