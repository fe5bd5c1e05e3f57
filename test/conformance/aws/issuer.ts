// An issuer as an operator publishes it: keys, a discovery document and a key set in the emulated S3, a provider and a role that trusts it.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { CreateOpenIDConnectProviderCommand, CreateRoleCommand } from '@aws-sdk/client-iam'
import { CreateBucketCommand, PutBucketPolicyCommand, PutObjectCommand, PutPublicAccessBlockCommand } from '@aws-sdk/client-s3'
import {
  AssumeRoleWithWebIdentityCommand,
  type AssumeRoleWithWebIdentityCommandInput,
  type AssumeRoleWithWebIdentityCommandOutput,
} from '@aws-sdk/client-sts'
import { accountA, type Clients } from './clients.ts'

export interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
  readonly algorithm: 'RS256' | 'ES256'
}

// Making RSA keys is slow, so the tests share two; which of them signed what is what matters.
const pairs = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)

export const rsaKey = (id: string, which: 0 | 1 = 0): SigningKey => ({
  id,
  privateKey: pairs[which] as KeyObject,
  algorithm: 'RS256',
})
export const ecKey = (id: string): SigningKey => ({
  id,
  privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  algorithm: 'ES256',
})

export function jwkOf({ id, privateKey, algorithm }: SigningKey, more: object = {}): object {
  const jwk = createPublicKey(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))).export({ format: 'jwk' })
  return { ...jwk, kid: id, alg: algorithm, use: 'sig', ...more }
}

export function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export function signed(key: SigningKey, claims: object, header: object = {}): string {
  const text = `${encoded({ alg: key.algorithm, kid: key.id, ...header })}.${encoded(claims)}`
  const options = key.algorithm === 'ES256' ? { key: key.privateKey, dsaEncoding: 'ieee-p1363' as const } : key.privateKey
  return `${text}.${sign('sha256', Buffer.from(text), options).toString('base64url')}`
}

export const bucket = 'issuer-bucket'
export const issuer: string = `https://s3.us-east-1.amazonaws.com/${bucket}`
export const providerArn: string = `arn:aws:iam::${accountA}:oidc-provider/s3.us-east-1.amazonaws.com/${bucket}`
export const roleArn: string = `arn:aws:iam::${accountA}:role/app`
export const subject = 'system:serviceaccount:team-a:app'
const keyName = issuer.slice('https://'.length)

export function trustPolicy(
  condition: object | undefined = { StringEquals: { [`${keyName}:aud`]: 'sts.amazonaws.com', [`${keyName}:sub`]: subject } },
  more: object = {},
): string {
  const statement = {
    Effect: 'Allow',
    Principal: { Federated: providerArn },
    Action: 'sts:AssumeRoleWithWebIdentity',
    ...(condition && { Condition: condition }),
    ...more,
  }
  return JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
}

export const condition = (operator: string, name: 'aud' | 'sub', value: string): object => ({
  [operator]: { [`${keyName}:${name}`]: value },
})

export async function openBucket({ s3 }: Clients): Promise<void> {
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  await s3.send(new PutPublicAccessBlockCommand({ Bucket: bucket, PublicAccessBlockConfiguration: {} }))
  const resources = ['.well-known/openid-configuration', 'keys.json'].map(key => `arn:aws:s3:::${bucket}/${key}`)
  const policy = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: resources }],
  }
  await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy: JSON.stringify(policy) }))
}

export function put({ s3 }: Clients, Key: string, document: object | string): Promise<unknown> {
  const Body = typeof document === 'string' ? document : JSON.stringify(document)
  return s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: 'application/json' }))
}

export const discovery: { readonly issuer: string; readonly jwks_uri: string } = {
  issuer: `https://s3.us-east-1.amazonaws.com/${bucket}`,
  jwks_uri: `${issuer}/keys.json`,
}

export async function publish(world: Clients, keys: readonly object[]): Promise<void> {
  await put(world, '.well-known/openid-configuration', discovery)
  await put(world, 'keys.json', { keys })
}

/** Bucket, documents, provider and role: the whole chain of trust. */
export async function federation(
  world: Clients,
  keys: readonly object[] = [jwkOf(rsaKey('k1'))],
  trust: string = trustPolicy(),
): Promise<void> {
  await openBucket(world)
  await publish(world, keys)
  await world.iam.send(new CreateOpenIDConnectProviderCommand({ Url: issuer, ClientIDList: ['sts.amazonaws.com'] }))
  await world.iam.send(new CreateRoleCommand({ RoleName: 'app', AssumeRolePolicyDocument: trust }))
}

export function claimsOf({ clock }: Clients, more: object = {}): object {
  const now = Math.floor(clock.now() / 1000)
  return {
    iss: issuer,
    sub: subject,
    aud: ['sts.amazonaws.com'],
    iat: now,
    nbf: now,
    exp: now + 3600,
    'kubernetes.io': { namespace: 'team-a', pod: { name: 'app-1', uid: '1' }, serviceaccount: { name: 'app', uid: '2' } },
    ...more,
  }
}

export function tokenOf(world: Clients, more: object = {}, key: SigningKey = rsaKey('k1')): string {
  return signed(key, claimsOf(world, more))
}

export function assume(
  { sts }: Clients,
  WebIdentityToken: string,
  more: Partial<AssumeRoleWithWebIdentityCommandInput> = {},
): Promise<AssumeRoleWithWebIdentityCommandOutput> {
  return sts.send(new AssumeRoleWithWebIdentityCommand({ RoleArn: roleArn, RoleSessionName: 'pod', WebIdentityToken, ...more }))
}
