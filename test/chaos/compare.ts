// What is there against what was asked for: while claims stand, each must say Ready and have what it asks for; once all are gone, AWS, the hub
// and the cluster must hold nothing of theirs. Each difference is a sentence.
import { serviceModel } from '#aws'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { silentLog, systemSeams } from '#base'
import { deployments, type KubeObject, type ResourceType, secrets, serviceAccounts } from '#kube'
import { roleKind } from '#operators/identity'
import type { Resource } from '#operators/resources'
import { ackTypes, claimTypes } from './people.ts'
import { appNames, home, lair, type Platform, region, team } from './platform.ts'

/** Claims of the teams that are not as they should be; the tenant's may be as he likes. */
export async function unready({ hub, cluster }: Platform): Promise<readonly string[]> {
  const found: string[] = []
  for (const type of claimTypes.filter(({ kind }) => kind !== 'FieldExport')) {
    for (const claim of (await hub.list<Resource>(type)).items) {
      const { namespace, name, deletionTimestamp } = claim.metadata
      if (namespace === lair || name === 'mouth') continue
      if (isOutrun(claim)) continue
      const ready = claim.status?.conditions?.find(one => one.type === 'Ready')
      const what = `${type.kind} ${namespace}/${name}`
      if (deletionTimestamp !== undefined) found.push(`${what} is still terminating: ${ready?.reason} ${ready?.message}`)
      else if (ready?.status !== 'True') found.push(`${what} says Ready=${ready?.status} ${ready?.reason}: ${ready?.message}`)
      else if (type.kind === roleKind.type.kind) found.push(...(await undelivered(cluster, claim, what)))
    }
  }
  return found
}

/** Names are first come, first served: whoever deletes his may find it taken, and is told by whom. */
function isOutrun({ metadata, status }: Resource): boolean {
  const ready = status?.conditions?.find(one => one.type === 'Ready')
  return metadata.deletionTimestamp === undefined && ready?.message?.includes(` ${lair}/`) === true && ready.status === 'False'
}

async function undelivered(cluster: Platform['cluster'], claim: Resource, what: string): Promise<readonly string[]> {
  const { name } = (claim.spec as { readonly serviceAccount: { readonly name: string } }).serviceAccount
  const account = await cluster.find(serviceAccounts, { namespace: 'apps', name })
  const held = account?.metadata.annotations?.['eks.amazonaws.com/role-arn']
  return held === claim.status?.['roleARN']
    ? []
    : [`${what} says ${String(claim.status?.['roleARN'])}, and its account has ${held}`]
}

/** What the claims that are Ready ask for and AWS does not have. */
export async function wrongInAws(platform: Platform): Promise<readonly string[]> {
  const aws = cloudOf(platform)
  const found: string[] = []
  const specs = async (type: ResourceType): Promise<readonly Resource[]> =>
    (await platform.hub.list<Resource>(type, { namespace: team })).items.filter(
      one => one.metadata.deletionTimestamp === undefined && !isOutrun(one),
    )
  for (const { spec = {} } of await specs(ackTypes.Role)) {
    const is = await aws('iam', 'GetRole', { RoleName: spec['name'] })
    const description = (is?.['Role'] as { readonly Description?: string } | undefined)?.Description
    if (description !== spec['description']) found.push(`role ${String(spec['name'])} has the description ${description}`)
  }
  for (const { spec = {} } of await specs(ackTypes.Bucket)) {
    const is = await aws('s3', 'GetBucketVersioning', { Bucket: spec['name'] })
    const wanted = (spec['versioning'] as { readonly status?: string } | undefined)?.status
    if (is?.['Status'] !== wanted) found.push(`bucket ${String(spec['name'])} has versions ${String(is?.['Status'])}`)
  }
  return found
}

/** What is left once all claims were deleted. */
export async function leaks(platform: Platform): Promise<readonly string[]> {
  const { hub, cluster } = platform
  const found: string[] = []
  for (const type of claimTypes)
    for (const { metadata } of (await hub.list<KubeObject>(type)).items)
      found.push(`hub: ${type.kind} ${metadata.namespace}/${metadata.name} (finalizers ${metadata.finalizers?.join() ?? 'none'})`)
  for (const { metadata } of (await hub.list<KubeObject>(secrets, { namespace: home })).items)
    found.push(`hub: Secret ${metadata.namespace}/${metadata.name}`)
  found.push(...(await leaksInAws(platform)))
  for (const name of appNames) {
    const held = await cluster.find(serviceAccounts, { namespace: 'apps', name })
    const annotations = Object.keys(held?.metadata.annotations ?? {}).filter(key => key.startsWith('eks.amazonaws.com/'))
    if (annotations.length > 0) found.push(`cluster: ServiceAccount apps/${name} has ${annotations.join()}`)
  }
  for (const { metadata } of (await cluster.list<KubeObject>(deployments)).items)
    found.push(`cluster: Deployment ${metadata.namespace}/${metadata.name}`)
  return found
}

async function leaksInAws(platform: Platform): Promise<readonly string[]> {
  const aws = cloudOf(platform)
  const all = async (service: 'iam' | 's3', operation: string, list: string, input: object = {}): Promise<readonly object[]> =>
    ((await aws(service, operation, input))?.[list] ?? []) as readonly object[]
  const names = (what: string, name: string, items: readonly object[]): readonly string[] =>
    items.map(item => `AWS: ${what} ${String((item as Readonly<Record<string, unknown>>)[name])}`)
  return [
    ...names('role', 'RoleName', await all('iam', 'ListRoles', 'Roles', { MaxItems: 1_000 })),
    ...names('policy', 'PolicyName', await all('iam', 'ListPolicies', 'Policies', { Scope: 'Local', MaxItems: 1_000 })),
    ...names('provider', 'Arn', await all('iam', 'ListOpenIDConnectProviders', 'OpenIDConnectProviderList')),
    ...names('bucket', 'Name', await all('s3', 'ListBuckets', 'Buckets')),
  ]
}

type Call = (service: 'iam' | 's3', operation: string, input: object) => Promise<Readonly<Record<string, unknown>> | undefined>

/** As an administrator, without the roads; `undefined` for what is refused. */
function cloudOf({ aws }: Platform): Call {
  const { clock, random } = systemSeams({}, { log: silentLog })
  const clients = new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock,
    random,
  })
  return async (service, operation, input) => {
    const client = clients.for({ model: serviceModel(service), region })
    return await client.call(operation, { ...input }).catch(() => undefined)
  }
}
