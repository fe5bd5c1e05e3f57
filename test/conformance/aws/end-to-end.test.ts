// From a pod's token to an object, with a cluster of ours that signs it: what a pod may do, and what is said about it beforehand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateClusterCommand, CreatePodIdentityAssociationCommand } from '@aws-sdk/client-eks'
import { CreateOpenIDConnectProviderCommand, CreateRoleCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import { CreateBucketCommand, DeleteBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { AssumeRoleWithWebIdentityCommand } from '@aws-sdk/client-sts'
import { type ApiServer, createApiServer } from '#apiserver'
import { type Clients, clients, refusal } from './clients.ts'
import { issuer, openBucket, providerArn, put, roleArn, trustPolicy } from './issuer.ts'

const pod = { namespace: 'team-a', serviceAccount: 'app' }
const webIdentity = {
  AWS_ROLE_ARN: roleArn,
  AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/secrets/eks.amazonaws.com/serviceaccount/token',
}
const podIdentity = { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials' }

/** The keys of the cluster published in S3, and a provider, as a self-hosted issuer has them. */
async function trusted(world: Clients, cluster: ApiServer): Promise<void> {
  await openBucket(world)
  const discovery = { ...(JSON.parse(cluster.tokens.discoveryDocument()) as object), jwks_uri: `${issuer}/keys.json` }
  await put(world, '.well-known/openid-configuration', discovery)
  await put(world, 'keys.json', cluster.tokens.jwks())
  await world.iam.send(new CreateOpenIDConnectProviderCommand({ Url: issuer, ClientIDList: ['sts.amazonaws.com'] }))
}

/** Trusted by both ways that a pod has; may put into the bucket. */
async function roleOf({ iam }: Clients): Promise<void> {
  const web = JSON.parse(trustPolicy()) as { Statement: object[] }
  const service = {
    Effect: 'Allow',
    Principal: { Service: 'pods.eks.amazonaws.com' },
    Action: ['sts:AssumeRole', 'sts:TagSession'],
  }
  const trust = JSON.stringify({ ...web, Statement: [...web.Statement, service] })
  await iam.send(new CreateRoleCommand({ RoleName: 'app', AssumeRolePolicyDocument: trust }))
  const allow = { Sid: 'PutOnly', Effect: 'Allow', Action: 's3:PutObject', Resource: 'arn:aws:s3:::data/*' }
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [allow] })
  await iam.send(new PutRolePolicyCommand({ RoleName: 'app', PolicyName: 'data', PolicyDocument }))
}

async function tokenOf(cluster: ApiServer): Promise<string> {
  const kube = cluster.as()
  const post = async (target: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await kube({
      method: 'POST',
      target,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
    })
    const text = Buffer.from(answer.body as Uint8Array).toString()
    assert.ok(answer.status < 300, text)
    return JSON.parse(text) as Record<string, unknown>
  }
  const { namespace, serviceAccount: name } = pod
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`
  await post(accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
  const { status } = await post(`${accounts}/${name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: ['sts.amazonaws.com'] },
  })
  return (status as { token: string }).token
}

test('a token that a cluster signed lets its pod put and not delete, and canPod said so, with the statement [#109]', async t => {
  const world = clients({ enforce: 'full' })
  const cluster = createApiServer({ issuer })
  t.after(() => cluster.close())
  await trusted(world, cluster)
  await roleOf(world)
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  const { Credentials } = await world.sts.send(
    new AssumeRoleWithWebIdentityCommand({ RoleArn: roleArn, RoleSessionName: 'pod', WebIdentityToken: await tokenOf(cluster) }),
  )
  const {
    AccessKeyId: accessKeyId = '',
    SecretAccessKey: secretAccessKey = '',
    SessionToken: sessionToken = '',
  } = Credentials ?? {}
  const { s3 } = world.as({ credentials: { accessKeyId, secretAccessKey, sessionToken } })
  await s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'k', Body: 'x' }))
  const denied = await refusal(s3.send(new DeleteBucketCommand({ Bucket: 'data' })))
  assert.deepEqual([denied.code, denied.status], ['AccessDenied', 403])
  const can = (action: string, resource: string): ReturnType<typeof world.aws.canPod> =>
    world.aws.canPod({ subject: { kind: 'pod', ...pod, environment: webIdentity, issuer }, action, resource })
  const mayPut = await can('s3:PutObject', 'arn:aws:s3:::data/k')
  assert.equal(mayPut.decision, 'allowed')
  assert.match(mayPut.steps.at(-1)?.detail ?? '', /inline policy data of .*"PutOnly"/)
  assert.deepEqual(mayPut.steps.map(({ link }) => link).slice(0, 5), [
    'credentials',
    'OIDC provider',
    'audience',
    'issuer documents',
    'role',
  ])
  const mayDelete = await can('s3:DeleteBucket', 'arn:aws:s3:::data')
  assert.equal(mayDelete.decision, 'denied')
  assert.match(mayDelete.steps.find(({ holds }) => !holds)?.detail ?? '', /s3:DeleteBucket/)
})

test('a pod with an annotation and an association uses web identity, without the annotation pod identity, else nothing [#76]', async t => {
  const world = clients()
  const cluster = createApiServer({ issuer })
  t.after(() => cluster.close())
  await trusted(world, cluster)
  await roleOf(world)
  await world.eks.send(
    new CreateClusterCommand({ name: 'c', roleArn, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } }),
  )
  const { namespace, serviceAccount } = pod
  await world.eks.send(new CreatePodIdentityAssociationCommand({ clusterName: 'c', namespace, serviceAccount, roleArn }))
  const asked = async (environment: Record<string, string>): Promise<readonly (string | undefined)[]> => {
    const subject = { kind: 'pod', ...pod, environment, issuer, cluster: 'c' } as const
    const { decision, steps } = await world.aws.canPod({ subject, action: 's3:PutObject', resource: 'arn:aws:s3:::data/k' })
    return [decision, ...steps.slice(0, 2).map(({ link, detail }) => `${link}: ${detail.split(':')[0]}`)]
  }
  assert.deepEqual(await asked({ ...podIdentity, ...webIdentity }), [
    'allowed',
    'credentials: web identity',
    `OIDC provider: ${providerArn.split(':')[0]}`,
  ])
  assert.deepEqual(await asked(podIdentity), ['allowed', 'credentials: EKS pod identity', 'pod identity association: arn'])
  const { accessKeyId, secretAccessKey } = world.aws.adminCredentials()
  const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
  assert.deepEqual((await asked({ ...keys, ...webIdentity, ...podIdentity })).slice(0, 2), [
    'allowed',
    'credentials: the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ])
  assert.deepEqual(
    (await asked({ ...keys, AWS_ACCESS_KEY_ID: 'AKIAAAAAAAAAAAAAAAAA' })).at(-1),
    'access key: AKIAAAAAAAAAAAAAAAAA is unknown or inactive',
  )
  assert.deepEqual(await asked({ AWS_ROLE_ARN: roleArn }), [
    'denied',
    'credentials: the environment has no keys, no AWS_ROLE_ARN with a token file, and no container endpoint',
  ])
})
