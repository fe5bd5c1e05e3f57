// Which certificates the runtime is to have, given those that are there: kept while they are good, made anew in time, and with the
// trust in an earlier authority kept until nothing shows its signature any more.
import { X509Certificate } from 'node:crypto'
import { type Instant, isRecord } from '#base'
import {
  bundleOf,
  caTrouble,
  type DrawnKeys,
  fingerprintOf,
  issueCa,
  issueServing,
  type Pair,
  servingTrouble,
} from './certificates.ts'
import { fingerprintAnnotation, servingOf } from './deployment.ts'
import type { Found, RuntimeObjects } from './found.ts'
import type { Loose } from './kinds.ts'
import { bundleIn, textIn } from './objects.ts'

export type CertificatePlan =
  | {
      readonly kind: 'planned'
      readonly needsKeys: boolean
      readonly ca: Pair
      readonly serving: Pair
      /** PEM of all that the configuration is to trust. */
      readonly bundle: string
      /** When an earlier authority can be forgotten, where one is trusted still. */
      readonly settleMs?: number
    }
  /** Something has to be made and no keys were drawn. */
  | { readonly kind: 'undrawn'; readonly needsKeys: true }

export interface CertificateInput {
  readonly namespace: string
  readonly objects: RuntimeObjects
  readonly drawn?: DrawnKeys
}

/** A kubelet brings a changed Secret to its Pods within about two minutes; this is several times that. */
const kubeletMs = 600_000

export function planCertificates({ namespace, objects, drawn }: CertificateInput, now: Instant): CertificatePlan {
  const heldCa = pairIn(objects.caSecret, 'ca.crt', 'ca.key', 'Opaque')
  const ca = heldCa !== undefined && caTrouble(heldCa, now) === undefined ? heldCa : drawn && issueCa(drawn, now)
  if (ca === undefined) return { kind: 'undrawn', needsKeys: true }
  const held = pairIn(objects.servingSecret, 'tls.crt', 'tls.key', 'kubernetes.io/tls')
  const isGood = held !== undefined && servingTrouble(held, ca.certificate, namespace, now) === undefined
  const serving = isGood ? held : drawn && issueServing(drawn, ca, namespace, now)
  if (serving === undefined) return { kind: 'undrawn', needsKeys: true }
  const trusted = objects.webhook.kind === 'ours' ? bundleIn(objects.webhook.object) : ''
  const isEarlierServed = !isGood || !isRolledOut(objects.deployment, serving) || ageMs(serving, now) < kubeletMs
  const bundle = bundleOf(ca.certificate, trusted, now, isEarlierServed)
  return {
    kind: 'planned',
    needsKeys: ca !== heldCa || serving !== held,
    ca,
    serving,
    bundle,
    ...(bundle === ca.certificate ? {} : { settleMs: Math.max(1_000, kubeletMs - ageMs(serving, now)) }),
  }
}

function pairIn(found: Found, certificate: string, key: string, type: string): Pair | undefined {
  if (found.kind !== 'ours') return undefined
  const isOfType = (found.object as Loose & { readonly type?: string }).type === type
  return isOfType ? { certificate: textIn(found.object, certificate), key: textIn(found.object, key) } : undefined
}

/** All Pods were made with this certificate. */
function isRolledOut(deployment: Found, serving: Pair): boolean {
  if (deployment.kind !== 'ours') return true
  const template = (deployment.object as Loose).spec?.template
  const metadata = isRecord(template) && isRecord(template.metadata) ? template.metadata : {}
  const annotations = isRecord(metadata.annotations) ? metadata.annotations : {}
  return annotations[fingerprintAnnotation] === fingerprintOf(serving.certificate) && servingOf(deployment.object).settled
}

function ageMs({ certificate }: Pair, now: Instant): number {
  return now - Date.parse(new X509Certificate(certificate).validFrom)
}
