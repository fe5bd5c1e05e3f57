// The IAM OIDC provider of an issuer. Its ARN is made of the issuer, so it can be there once only.
import type { AwsClient } from '#aws/client'
import type { ChildSpec } from '../children/child.ts'
import { type AwsAction, awsCall, type CallPlace, type Values } from './action.ts'
import { iamTags, missingTags, type Tags, tagMap, text, unlessAbsent } from './answer.ts'

export interface ProviderActual {
  readonly arn: string
  readonly clientIds: readonly string[]
  readonly tags: Tags
}

export async function readProvider(client: AwsClient, arn: string, signal: AbortSignal): Promise<ProviderActual | undefined> {
  const input = { OpenIDConnectProviderArn: arn }
  const answer = await unlessAbsent(() => client.call('GetOpenIDConnectProvider', input, { signal }))
  if (answer === undefined) return undefined
  return { arn, clientIds: textsIn(answer.ClientIDList), tags: tagMap(answer.Tags) }
}

export function providerCalls(
  place: CallPlace,
  spec: ChildSpec,
  tags: Tags,
  actual: ProviderActual | undefined,
): readonly AwsAction[] {
  const Url = String(spec.url)
  const wanted = textsIn(spec.clientIDs)
  const call = (operation: string, input: Values): AwsAction => awsCall(place, operation, input, Url)
  if (actual === undefined) return [call('CreateOpenIDConnectProvider', { Url, ClientIDList: wanted, Tags: iamTags(tags) })]
  const OpenIDConnectProviderArn = actual.arn
  const lacking = missingTags(tags, actual.tags)
  return [
    // An audience of somebody else's making would let other tokens in (S11).
    ...actual.clientIds
      .filter(id => !wanted.includes(id))
      .map(ClientID => call('RemoveClientIDFromOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID })),
    ...wanted
      .filter(id => !actual.clientIds.includes(id))
      .map(ClientID => call('AddClientIDToOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID })),
    ...(Object.keys(lacking).length === 0
      ? []
      : [call('TagOpenIDConnectProvider', { OpenIDConnectProviderArn, Tags: iamTags(lacking) })]),
  ]
}

export function providerRemoval(place: CallPlace, { arn }: ProviderActual): readonly AwsAction[] {
  return [awsCall(place, 'DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn: arn }, arn)]
}

export function providerAfter(
  _actual: ProviderActual | undefined,
  { operation, input }: Pick<AwsAction, 'operation' | 'input'>,
  output: Values,
): ProviderActual | undefined {
  // Every call but the creation is rare, so the provider is read again after it.
  if (operation !== 'CreateOpenIDConnectProvider') return undefined
  const arn = text(output.OpenIDConnectProviderArn) ?? ''
  return { arn, clientIds: textsIn(input.ClientIDList), tags: tagMap(input.Tags) }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap(item => text(item) ?? []) : []
}
