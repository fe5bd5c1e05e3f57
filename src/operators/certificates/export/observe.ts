// Looks at the Secret: at its marks only, which say which certificate stands in it.
import type { ObjectKey } from '#kube'
import { secrets } from '#kube'
import { KubeError } from '#kube/client'
import type { Reads } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import { exportMarks, publishedLabel } from '../api/labels.ts'
import type { ExportSeen, ExportTarget } from './seen.ts'

export interface ExportLook {
  readonly world: Reads
  readonly namespaces: readonly string[]
  readonly signal: AbortSignal
}

export async function observeExport(key: ObjectKey, { world, namespaces, signal }: ExportLook): Promise<ExportSeen> {
  const claim = world.find<Cert>(certKind.type, key)
  const isListed = namespaces.includes(key.namespace)
  const name = claim?.spec.export?.secretName
  if (claim === undefined || name === undefined || !isListed || claim.status?.certReady !== true)
    return { claim, isListed, target: { kind: 'missing' } }
  return { claim, isListed, target: await lookAt({ namespace: key.namespace, name }, claim, { world, signal }) }
}

async function lookAt(
  key: ObjectKey,
  { metadata: owner }: Cert,
  { world, signal }: Pick<ExportLook, 'world' | 'signal'>,
): Promise<ExportTarget> {
  try {
    const found = await world.read(secrets, key, signal)
    if (found === undefined) return { kind: 'missing' }
    const { labels = {}, annotations = {}, ownerReferences = [] } = found.metadata
    const isMarked = Object.entries(publishedLabel).every(([label, value]) => labels[label] === value)
    if (!isMarked || !ownerReferences.some(({ uid }) => uid === owner.uid)) return { kind: 'foreign' }
    return { kind: 'ours', serial: annotations[exportMarks.serial], arn: annotations[exportMarks.certificate] }
  } catch (error) {
    if (error instanceof KubeError && error.code === 'refused' && error.reason === 'Forbidden') return { kind: 'forbidden' }
    throw error
  }
}
