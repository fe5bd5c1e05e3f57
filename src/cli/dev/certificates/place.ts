// Where the story's certificates come from: a zone of the cluster's account that the other account's zone leads to, and a user that may do what
// the operator says it needs.
import type { AwsClient } from '#aws/client'
import { type Environment, isRecord } from '#base'
import { rightsPolicy } from '#cloud'
import { type ConfiguredOperator, needsOfChosen } from '../operator-of-cluster.ts'
import { type DevWorld, namesAccount, region } from '../world.ts'

export const zoneName = 'k8s.example.com'
const parentName = 'example.com'
/** The guide's trust policy lets the user of this name into the other account. */
const user = 'cert-operator'

/** Makes the zones and the user of the chapter; returns how the operator of certificates is started. */
export async function makePlace(world: DevWorld): Promise<ConfiguredOperator> {
  const own = world.service('route53')
  const theirs = world.service('route53', world.aws.adminCredentials(namesAccount))
  const parentId = await hostedZone(theirs, parentName)
  const zoneId = await hostedZone(own, zoneName)
  await delegate(theirs, parentId, await nameServersOf(own, zoneId))
  const args = [
    `--aws-region=${region}`,
    `--dns-zones=${zoneName}:${zoneId}`,
    '--zone-config-file=/etc/cert-operator/zones/zones.yaml',
    '--enable-publishing',
    // The emulated ACM issues at once, so the operator looks often.
    '--created-base-interval=200ms',
    '--created-max-interval=1s',
    '--validated-interval=1s',
    '--cache-ttl=0',
  ]
  const env = await userWith(world, { name: 'certificates', args })
  return { name: 'certificates', args, env, files: {} }
}

/** Returns the hosted zone of this name, and makes it where there is none. */
async function hostedZone(route53: AwsClient, name: string): Promise<string> {
  const { HostedZones } = await route53.call('ListHostedZonesByName', { DNSName: name, MaxItems: 1 })
  const [found] = Array.isArray(HostedZones) ? HostedZones : []
  if (isRecord(found) && found.Name === `${name}.`) return bareId(found)
  const { HostedZone } = await route53.call('CreateHostedZone', { Name: name, CallerReference: name })
  return bareId(HostedZone)
}

function bareId(zone: unknown): string {
  return isRecord(zone) ? String(zone.Id).replace('/hostedzone/', '') : ''
}

async function nameServersOf(route53: AwsClient, zoneId: string): Promise<readonly string[]> {
  const { DelegationSet } = await route53.call('GetHostedZone', { Id: zoneId })
  return isRecord(DelegationSet) && Array.isArray(DelegationSet.NameServers) ? DelegationSet.NameServers.map(String) : []
}

async function delegate(route53: AwsClient, parentId: string, servers: readonly string[]): Promise<void> {
  const ResourceRecords = servers.map(Value => ({ Value }))
  const ResourceRecordSet = { Name: zoneName, Type: 'NS', TTL: 300, ResourceRecords }
  const ChangeBatch = { Changes: [{ Action: 'UPSERT', ResourceRecordSet }] }
  await route53.call('ChangeResourceRecordSets', { HostedZoneId: parentId, ChangeBatch })
}

/** What `vouch rights --controllers=certificates` prints, and no more. */
async function userWith(world: DevWorld, chosen: ConfiguredOperator): Promise<Environment> {
  const iam = world.service('iam')
  const { rights } = await needsOfChosen(chosen)
  const PolicyDocument = JSON.stringify(rightsPolicy(rights.cloud))
  await iam.call('CreateUser', { UserName: user })
  await iam.call('PutUserPolicy', { UserName: user, PolicyName: 'vouch-rights', PolicyDocument })
  const { AccessKey } = await iam.call('CreateAccessKey', { UserName: user })
  const text = (field: string): string => (isRecord(AccessKey) ? String(AccessKey[field]) : '')
  return { AWS_ACCESS_KEY_ID: text('AccessKeyId'), AWS_SECRET_ACCESS_KEY: text('SecretAccessKey') }
}
