// EKS pod identity associations: found by an id that AWS gives, or, when that was lost, by the one association that a ServiceAccount has.

import { annotations } from '../../api.ts'
import { textOf } from '../../model/convert.ts'
import type { Content, Values } from '../../model/request.ts'
import { readByModel } from '../../observe/read-aws.ts'
import { structuresOf } from '../calls.ts'
import type { Deviation, ReadContext } from '../deviation.ts'

export const eksPodIdentityAssociation: Deviation = {
  read: async context => {
    const { wanted, adopting, claim } = context
    const isKnown = wanted.status['associationID'] !== undefined
    if (isKnown) return withArn(await readByModel(context))
    // A create call may have gone out whose answer was lost.
    if (!adopting && claim.metadata.annotations?.[annotations.createIntent] === undefined) return undefined
    const associationID = await findByPair(context)
    if (associationID === undefined) return undefined
    return withArn(await readByModel({ ...context, wanted: { ...wanted, status: { ...wanted.status, associationID } } }))
  },
  findsByList: ({ status }) => status['associationID'] === undefined,
  created: (_output, found) => withArn(found) ?? found,
  unchangeable: ['ClusterName', 'Namespace', 'ServiceAccount'],
  // An empty text takes the role away; a member that is left out leaves it.
  update: (input, { wanted, latest, model }) => {
    const cleared = model.spec.named('TargetRoleARN') !== undefined && isCleared('targetRoleARN', wanted, latest)
    return cleared ? { ...input, targetRoleArn: '' } : input
  },
}

function isCleared(name: string, wanted: Content, latest: Content): boolean {
  return (wanted.spec[name] ?? '') === '' && (latest.spec[name] ?? '') !== ''
}

function withArn(found: Content | undefined): Content | undefined {
  const arn = found?.status['associationARN']
  return found === undefined || typeof arn !== 'string' ? found : { ...found, arn }
}

async function findByPair({ caller, wanted }: ReadContext): Promise<string | undefined> {
  const { clusterName, namespace, serviceAccount } = wanted.spec
  if (clusterName === undefined || namespace === undefined || serviceAccount === undefined) return undefined
  const input: Values = { clusterName, namespace, serviceAccount }
  const found = structuresOf(await caller.list('ListPodIdentityAssociations', input, 'associations')).filter(
    each => each['namespace'] === namespace && each['serviceAccount'] === serviceAccount,
  )
  const [only] = found
  return found.length === 1 && only !== undefined ? textOf(only['associationId']) : undefined
}
