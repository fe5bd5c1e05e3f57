// The only place where a private key is: between the answer of ACM and the Secret. The passphrase under which it travels is made for this one
// call, the key is in memory for as long as the Secret is written, and neither stands in a plan, a log, an error or a status.
import { createPrivateKey } from 'node:crypto'
import type { Random } from '#base'
import { type KubeObject, ownerReference, secrets } from '#kube'
import { type Act, Trouble } from '#runtime'
import { exportMarks, publishedLabel } from '../api/labels.ts'
import { isOwnedBy, ownerOf } from '../aws/certificate.ts'
import type { CertificateCloud } from '../aws/cloud.ts'
import { faultOf, patience, weather } from '../aws/faults.ts'
import { text } from '../aws/values.ts'
import type { ExportAction } from './decide.ts'

export interface ExportTools {
  readonly cloud: Pick<CertificateCloud, 'call' | 'marks'>
  readonly clusterId: string
  readonly random: Pick<Random, 'bytes'>
  readonly failedMs: number
}

const passphraseBytes = 32

export function exportAct({ cloud, clusterId, random, failedMs }: ExportTools): Act<ExportAction> {
  return async ({ claim, arn, serial, secretName }, context) => {
    const passphrase = Buffer.from(random.bytes(passphraseBytes)).toString('base64url')
    const input = { CertificateArn: arn, Passphrase: Buffer.from(passphrase) }
    let answer: Readonly<Record<string, unknown>>
    try {
      await checkOwner({ claim, arn, clusterId, cloud, failedMs }, context.signal)
      answer = await cloud.call({ service: 'acm', operation: 'ExportCertificate', input }, context.signal, () =>
        context.checkFence(),
      )
    } catch (error) {
      if (error instanceof Trouble) throw error
      throw troubleOf(error, failedMs)
    }
    const pair = opened(answer, passphrase)
    const { namespace = '' } = claim.metadata
    const object: KubeObject & { readonly type: string; readonly data: object } = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: {
        namespace,
        name: secretName,
        labels: publishedLabel,
        annotations: { [exportMarks.certificate]: arn, [exportMarks.serial]: serial },
        ownerReferences: [ownerReference(claim)],
      },
      data: { 'tls.crt': base64(pair.certificate), 'tls.key': base64(pair.key) },
    }
    await context.carryOut({ kind: 'apply', type: secrets, object, mark: { labels: publishedLabel } })
    return { changed: true }
  }
}

interface KeyAsked extends Pick<ExportTools, 'cloud' | 'clusterId' | 'failedMs'> {
  readonly claim: ExportAction['claim']
  readonly arn: string
}

/** The ARN comes from a status, which proves nothing: the certificate's own tags say whose key it is. */
async function checkOwner({ claim, arn, clusterId, cloud, failedMs }: KeyAsked, signal: AbortSignal): Promise<void> {
  const owner = ownerOf(claim, clusterId)
  if (isOwnedBy(await cloud.marks(arn, owner, signal), owner)) return
  throw patience('Conflict', 'the certificate is not of this object by its tags: its key is not exported', failedMs)
}

/** Words of our own: what a library says of a key that it cannot read may hold some of it. */
function opened(
  answer: Readonly<Record<string, unknown>>,
  passphrase: string,
): { readonly certificate: string; readonly key: string } {
  try {
    const key = createPrivateKey({ key: text(answer.PrivateKey) ?? '', passphrase })
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
    return { certificate: [text(answer.Certificate) ?? '', text(answer.CertificateChain) ?? ''].map(withEnd).join(''), key: pem }
  } catch {
    throw new Trouble({ kind: 'backoff', reason: 'Malformed', message: 'ACM gave a key that cannot be read' })
  }
}

function withEnd(pem: string): string {
  return pem === '' || pem.endsWith('\n') ? pem : `${pem}\n`
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64')
}

function troubleOf(error: unknown, failedMs: number): unknown {
  const fault = faultOf(error)
  if (fault === undefined) return error
  if (fault.class === 'invalid')
    return patience('NotExportable', 'the certificate was not requested as one that can be exported', failedMs)
  if (fault.class === 'denied') return patience('AccessDenied', fault.message, failedMs)
  if (fault.class === 'held-back' || fault.class === 'conflict')
    return patience('AWSUnavailable', fault.message, fault.retryAfterMs ?? failedMs)
  return weather(fault, error)
}
