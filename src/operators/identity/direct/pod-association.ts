// The association in EKS. Its id is the service's; it is found again by cluster and ServiceAccount, of which there can be one only.
import type { AwsClient } from '#aws/client'
import type { AssociationWanted } from '../children/build.ts'
import { type AwsAction, awsCall, type CallPlace, type Values } from './action.ts'
import { listAll, missingTags, record, type Tags, text, unlessAbsent } from './answer.ts'

export interface AssociationActual {
  readonly id: string
  readonly arn: string
  readonly clusterName: string
  readonly roleArn: string
  readonly tags: Tags
}

export interface AssociationPlace {
  readonly clusterName: string
  readonly serviceAccount: { readonly namespace: string; readonly name: string }
}

export async function readAssociation(
  client: AwsClient,
  { clusterName, serviceAccount }: AssociationPlace,
  signal: AbortSignal,
): Promise<AssociationActual | undefined> {
  const input = { clusterName, namespace: serviceAccount.namespace, serviceAccount: serviceAccount.name }
  const call = { operation: 'ListPodIdentityAssociations', input, member: 'associations' }
  const [summary] = (await unlessAbsent(() => listAll(client, call, signal))) ?? []
  const associationId = text(summary?.associationId)
  if (associationId === undefined) return undefined
  const answer = await unlessAbsent(() =>
    client.call('DescribePodIdentityAssociation', { clusterName, associationId }, { signal }),
  )
  return answer === undefined ? undefined : associationOf(record(answer.association))
}

export function associationCalls(
  place: CallPlace,
  wanted: AssociationWanted,
  tags: Tags,
  actual: AssociationActual | undefined,
): readonly AwsAction[] {
  const { clusterName, roleArn, serviceAccount, uid, name } = wanted
  const call = (operation: string, input: Values): AwsAction => awsCall(place, operation, input, name)
  if (actual === undefined) {
    return [
      call('CreatePodIdentityAssociation', {
        clusterName,
        namespace: serviceAccount.namespace,
        serviceAccount: serviceAccount.name,
        roleArn,
        // The same token gives the same association, however often it is asked for.
        clientRequestToken: uid,
        tags,
      }),
    ]
  }
  const calls: AwsAction[] = []
  if (actual.roleArn !== roleArn) {
    calls.push(call('UpdatePodIdentityAssociation', { clusterName, associationId: actual.id, roleArn }))
  }
  const lacking = missingTags(tags, actual.tags)
  if (Object.keys(lacking).length > 0) calls.push(call('TagResource', { resourceArn: actual.arn, tags: lacking }))
  return calls
}

export function associationRemoval(place: CallPlace, name: string, actual: AssociationActual): readonly AwsAction[] {
  const { clusterName, id } = actual
  return [awsCall(place, 'DeletePodIdentityAssociation', { clusterName, associationId: id }, name)]
}

export function associationAfter(
  actual: AssociationActual | undefined,
  { operation, input }: Pick<AwsAction, 'operation' | 'input'>,
  output: Values,
): AssociationActual | undefined {
  switch (operation) {
    case 'CreatePodIdentityAssociation':
    case 'UpdatePodIdentityAssociation':
      return associationOf({ tags: actual?.tags ?? input.tags, ...record(output.association) })
    case 'TagResource':
      return actual === undefined ? undefined : { ...actual, tags: { ...actual.tags, ...(input.tags as Tags) } }
    default:
      return undefined
  }
}

function associationOf(value: Values): AssociationActual | undefined {
  const id = text(value.associationId)
  if (id === undefined) return undefined
  return {
    id,
    arn: text(value.associationArn) ?? '',
    clusterName: text(value.clusterName) ?? '',
    roleArn: text(value.roleArn) ?? '',
    tags: record(value.tags) as Tags,
  }
}
