// The calls that are measured, recorded from the SDK's clients once per server, because they are signed.
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import {
  CreateOpenIDConnectProviderCommand,
  CreateRoleCommand,
  DeleteRoleCommand,
  GetRoleCommand,
  IAMClient,
} from '@aws-sdk/client-iam'
import { type Change, ChangeResourceRecordSetsCommand, CreateHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53'
import {
  CreateBucketCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { AssumeRoleWithWebIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import type { HttpExchange, HttpRequest } from '#base'
import { sdkRequestHandler } from '#emulator'

const account = '123456789012'
const bucket = 'bench-issuer'
const issuer = `https://s3.us-east-1.amazonaws.com/${bucket}`
export const trust: string = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' }],
})

export interface Recordable {
  readonly exchange: HttpExchange
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string }
}

/** What each operation is, as requests to replay; made once per target, because they are signed. */
export async function recorded(
  target: Recordable,
  workers: number,
): Promise<Readonly<Record<string, readonly (readonly HttpRequest[])[]>>> {
  const seen: HttpRequest[] = []
  const handler = sdkRequestHandler(request => {
    seen.push(request)
    return target.exchange(request)
  })
  const common = {
    region: 'us-east-1',
    credentials: target.credentials,
    requestHandler: handler,
    maxAttempts: 1,
    forcePathStyle: true,
  }
  const [iam, s3, sts, route53] = [new IAMClient(common), new S3Client(common), new STSClient(common), new Route53Client(common)]
  const record = async (...calls: readonly (() => Promise<unknown>)[]): Promise<readonly HttpRequest[]> => {
    seen.length = 0
    for (const call of calls) await call()
    return [...seen]
  }
  const token = await federation({ iam, s3 })
  const { HostedZone } = await route53.send(
    new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: String(Math.random()) }),
  )
  const change: Change = {
    Action: 'UPSERT',
    ResourceRecordSet: { Name: 'a.example.com', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '1.2.3.4' }] },
  }
  const assume = new AssumeRoleWithWebIdentityCommand({
    RoleArn: `arn:aws:iam::${account}:role/app`,
    RoleSessionName: 's-1',
    WebIdentityToken: token,
  })
  await granted(() => sts.send(assume))
  await iam.send(new CreateRoleCommand({ RoleName: 'read', AssumeRolePolicyDocument: trust }))
  const pairs: (readonly HttpRequest[])[] = []
  for (let index = 0; index < workers; index++) {
    const RoleName = `pair-${index}`
    const create = (): Promise<unknown> => iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }))
    pairs.push(await record(create, () => iam.send(new DeleteRoleCommand({ RoleName }))))
  }
  const puts: (readonly HttpRequest[])[] = []
  for (let index = 0; index < workers; index++) {
    puts.push(await record(() => s3.send(new PutObjectCommand({ Bucket: bucket, Key: `k-${index}`, Body: 'x'.repeat(1_000) }))))
  }
  return {
    GetRole: [await record(() => iam.send(new GetRoleCommand({ RoleName: 'read' })))],
    'CreateRole + DeleteRole': pairs,
    'PutObject (1 kB)': puts,
    AssumeRoleWithWebIdentity: [await record(() => sts.send(assume))],
    ChangeResourceRecordSets: [
      await record(() =>
        route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: HostedZone?.Id, ChangeBatch: { Changes: [change] } })),
      ),
    ],
  }
}

/** What was just created is seen late, as in AWS. */
async function granted(ask: () => Promise<unknown>): Promise<void> {
  const untilMs = performance.now() + 10_000
  for (;;) {
    try {
      await ask()
      return
    } catch (error) {
      if (performance.now() > untilMs) throw error
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
}

async function federation({ iam, s3 }: { readonly iam: IAMClient; readonly s3: S3Client }): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = {
    ...createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).export({ format: 'jwk' }),
    kid: 'k',
    use: 'sig',
    alg: 'RS256',
  }
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  await s3.send(
    new PutPublicAccessBlockCommand({
      Bucket: bucket,
      PublicAccessBlockConfiguration: { BlockPublicPolicy: false, RestrictPublicBuckets: false },
    }),
  )
  const open = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${bucket}/*` }],
  }
  await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(open) }))
  const put = (Key: string, document: object): Promise<unknown> =>
    s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: JSON.stringify(document) }))
  await put('.well-known/openid-configuration', { issuer, jwks_uri: `${issuer}/keys.json` })
  await put('keys.json', { keys: [jwk] })
  await iam.send(
    new CreateOpenIDConnectProviderCommand({
      Url: issuer,
      ClientIDList: ['sts.amazonaws.com'],
      ThumbprintList: ['a'.repeat(40)],
    }),
  )
  const host = issuer.slice('https://'.length)
  const Principal = { Federated: `arn:aws:iam::${account}:oidc-provider/${host}` }
  const statement = {
    Effect: 'Allow',
    Principal,
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: { [`${host}:sub`]: 'pod' } },
  }
  await iam.send(
    new CreateRoleCommand({
      RoleName: 'app',
      AssumeRolePolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
    }),
  )
  const now = Math.floor(Date.now() / 1_000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', kid: 'k' })}.${part({ iss: issuer, aud: 'sts.amazonaws.com', sub: 'pod', iat: now, exp: now + 3600 })}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}
