// The proof: a token of a workload cluster, and what STS says to it.

import { AwsError, serviceModel } from '#aws'
import { anonymous, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom } from '#base'
import { secrets } from '#kube'
import { type SecretObject } from '../config/key-ring.ts'
import { issuerUrl, selfHostedHostPath } from '../documents/issuer.ts'
import { bucketName } from '../names.ts'
import { type RoomWorld, region, type Target } from './room-world.ts'

/** With which issuer the API server of a self-hosted cluster has to be configured. */
export function issuerOf(cluster: string): string {
  return issuerUrl(selfHostedHostPath(bucketName(cluster, region), region))
}

export function signingSecret(world: RoomWorld, cluster: string): Promise<SecretObject | undefined> {
  return world.client.find<SecretObject>(secrets, { namespace: cluster, name: 'awi-signing-key-default' })
}

/** What whoever runs the API server does: its key file is the Secret's. Keys that are not in the Secret are dropped. */
export async function takeUpKey(world: RoomWorld, { name, server }: Target): Promise<void> {
  const secret = await signingSecret(world, name)
  const pem = Buffer.from(secret?.data?.['sa.key'] ?? '', 'base64').toString()
  if (pem !== '') server.tokens.adopt(pem, { activate: true })
}

export async function tokenOf({ client }: Target, serviceAccount: string, hours = 24): Promise<string> {
  const spec = { audiences: ['sts.amazonaws.com'], expirationSeconds: hours * 3_600 }
  return (await client.requestToken({ namespace: 'default', name: serviceAccount }, spec)).token
}

/** `ok`, or the code with which STS refuses. */
export async function askSts(world: RoomWorld, roleArn: string | undefined, token: string): Promise<string> {
  const sts = createAwsClient({
    model: serviceModel('sts'),
    region,
    credentials: staticCredentials(anonymous),
    transport: inProcessTransport(world.aws.handle),
    clock: world.clock,
    random: seededRandom(1),
    triesMax: 1,
  })
  try {
    const input = { RoleArn: roleArn, RoleSessionName: 'test', WebIdentityToken: token }
    await sts.call('AssumeRoleWithWebIdentity', input)
    return 'ok'
  } catch (error) {
    if (error instanceof AwsError) return error.code
    throw error
  }
}
