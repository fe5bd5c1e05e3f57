// The certificates of the webhook on a target: when those that are there will do, and how new ones are made. Pure: keys and serials are
// drawn beforehand (`DrawnKeys`), so that the same state gives the same plan.
import { createHash, createPrivateKey } from 'node:crypto'
import {
  type CertificatePair,
  earlierOf,
  expiryOf,
  type Instant,
  issueAuthority,
  issueServing as issueServingPair,
  type Keys,
  keyTrouble,
  lifeTrouble,
  onlyBlock,
  onlyCertificate,
  servingTrouble as pairTrouble,
  type Random,
} from '#base'
import { caSecretName, runtimeName } from './kinds.ts'

const day = 86_400_000
/** Renewed with this much life left: a month in which an issuer may fail before anything does. */
export const renewBeforeMs: number = 30 * day
const servingLifeMs = 365 * day
const caLifeMs = 3_650 * day

export type Pair = CertificatePair

/** What chance contributes. Private keys are PEM. */
export interface DrawnKeys {
  readonly caKey: string
  readonly caSerial: Uint8Array
  readonly servingKey: string
  readonly servingSerial: Uint8Array
}

export async function drawKeys(keys: Keys, random: Random): Promise<DrawnKeys> {
  const [caKey, servingKey] = await Promise.all([keys.generateRsa(2048), keys.generateRsa(2048)])
  return { caKey, servingKey, caSerial: random.bytes(16), servingSerial: random.bytes(16) }
}

/** Whether the pair can go on as the CA; otherwise why not. */
export function caTrouble({ certificate, key }: Pair, now: Instant): string | undefined {
  const parsed = onlyCertificate(certificate)
  if (parsed === undefined) return 'ca.crt is not exactly one certificate'
  if (!parsed.ca) return 'ca.crt is no CA'
  if (onlyBlock(key, 'RSA PRIVATE KEY') === undefined) return 'ca.key is not exactly one PKCS#1 RSA key'
  return lifeTrouble(parsed, renewBeforeMs, now) ?? keyTrouble(parsed, key)
}

/** Whether the pair can go on serving under that CA; otherwise why not. */
export function servingTrouble(pair: Pair, authority: string, namespace: string, now: Instant): string | undefined {
  return pairTrouble(pair, { authority, names: [hostOf(namespace)], renewMs: renewBeforeMs }, now)
}

export function issueCa(drawn: DrawnKeys, now: Instant): Pair {
  const own = { key: drawn.caKey, serial: drawn.caSerial }
  const { certificate, key } = issueAuthority({ commonName: caSecretName }, own, { from: now, until: now + caLifeMs })
  return { certificate, key: pkcs1(key) }
}

export function issueServing(drawn: DrawnKeys, ca: Pair, namespace: string, now: Instant): Pair {
  const dns = [runtimeName, `${runtimeName}.${namespace}`, hostOf(namespace), `${hostOf(namespace)}.cluster.local`]
  const { certificate, key } = issueServingPair(
    { commonName: hostOf(namespace), names: { dns }, key: drawn.servingKey, serial: drawn.servingSerial, issuer: ca },
    { from: now, until: now + servingLifeMs },
  )
  return { certificate, key: pkcs1(key) }
}

/** When the certificate wants to be renewed, and not in a hurry. */
export function renewalDelayMs(certificate: string, now: Instant): number {
  return Math.max(60_000, expiryOf(certificate) - renewBeforeMs - now)
}

/** Of the PEM as it stands: what a Pod template carries, so that a new certificate rolls the Pods. */
export function fingerprintOf(certificate: string): string {
  return createHash('sha256').update(certificate).digest('hex')
}

/**
 * The authorities that a webhook configuration must trust: the CA, and while Pods may still serve with what an earlier one signed, those
 * that it trusted before (14.1 L17). The current one comes first.
 */
export function bundleOf(ca: string, trusted: string, now: Instant, keepEarlier: boolean): string {
  if (!keepEarlier) return ca
  const earlier = earlierOf({ bundle: trusted, commonName: caSecretName, current: ca }, now)
  return [ca, ...earlier.map(each => `${each}\n`)].join('')
}

function hostOf(namespace: string): string {
  return `${runtimeName}.${namespace}.svc`
}

/** Kubernetes' own tools write PKCS#1, and whoever takes the cluster over reads only that. */
function pkcs1(key: string): string {
  return createPrivateKey(key).export({ type: 'pkcs1', format: 'pem' }).toString()
}
