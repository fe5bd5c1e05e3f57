import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  CreateAddonCommand,
  CreateClusterCommand,
  CreateNodegroupCommand,
  CreatePodIdentityAssociationCommand,
  type CreatePodIdentityAssociationCommandInput,
  DeleteAddonCommand,
  DeleteClusterCommand,
  DeletePodIdentityAssociationCommand,
  DescribeClusterCommand,
  DescribePodIdentityAssociationCommand,
  ListPodIdentityAssociationsCommand,
  ListTagsForResourceCommand,
  type PodIdentityAssociation,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateClusterConfigCommand,
  UpdatePodIdentityAssociationCommand,
} from '@aws-sdk/client-eks'
import { CreateRoleCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { type EmulatorCredentials, podIdentityAgent } from '#emulator'
import { type Clients, clients, refusal } from './clients.ts'

const minuteMs = 60_000
const podService = 'pods.eks.amazonaws.com'

/** The strict profile with fixed delays: IAM 5 s, associations 5 s, clusters 10 min. */
const strict = (): Clients =>
  clients({
    profile: 'async',
    signatures: 'parse',
    knobs: { delays: { iam: 5_000, association: 5_000, clusterReady: 10 * minuteMs, credentials: 0 } },
  })

const trust = (more: object = {}): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: podService }, Action: ['sts:AssumeRole', 'sts:TagSession'], ...more }],
  })

async function role({ iam }: Clients, RoleName: string, document = trust()): Promise<string> {
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: document }))
  const policy = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: ['s3:*', 'sts:*'], Resource: '*' }] }
  await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'all', PolicyDocument: JSON.stringify(policy) }))
  return Role?.Arn ?? ''
}

async function cluster(world: Clients, name = 'c1'): Promise<void> {
  const roleArn = await role(world, `${name}-control-plane`, trust({ Principal: { Service: 'eks.amazonaws.com' } }))
  await world.clock.advance(minuteMs)
  await world.eks.send(new CreateClusterCommand({ name, roleArn, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } }))
  await world.clock.advance(10 * minuteMs)
}

/** A ready cluster and a role that pods may assume, both visible to everybody. */
async function ready(world = strict()): Promise<{ world: Clients; roleArn: string }> {
  await cluster(world)
  const roleArn = await role(world, 'app')
  await world.clock.advance(minuteMs)
  return { world, roleArn }
}

async function associate(
  { eks }: Clients,
  input: Partial<CreatePodIdentityAssociationCommandInput> & { roleArn: string },
): Promise<PodIdentityAssociation> {
  const given = { clusterName: 'c1', namespace: 'team-a', serviceAccount: 'app', ...input }
  return (await eks.send(new CreatePodIdentityAssociationCommand(given))).association ?? {}
}

function token({ aws }: Clients, more: Readonly<Record<string, string>> = {}): string {
  const pod = { podName: 'app-1', podUid: '0a0b0c0d-0000-4000-8000-000000000001' }
  const subject = { cluster: 'c1', namespace: 'team-a', serviceAccount: 'app', audience: podService }
  return aws.control('eks', 'signToken', { ...subject, ...pod, ...more }) as string
}

async function assume(
  world: Clients,
  text: string,
  name = 'c1',
): Promise<{ status: number; code: string; body: Record<string, unknown> }> {
  const answer = await world.raw({
    as: 'eks-auth',
    method: 'POST',
    target: `/clusters/${name}/assume-role-for-pod-identity`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: text }),
  })
  return {
    status: answer.status,
    code: (answer.headers['x-amzn-errortype'] ?? '').split(':')[0] ?? '',
    body: JSON.parse(answer.text) as Record<string, unknown>,
  }
}

async function credentialsOf(world: Clients, text: string): Promise<EmulatorCredentials> {
  const { status, body } = await assume(world, text)
  assert.equal(status, 200, JSON.stringify(body))
  return body['credentials'] as EmulatorCredentials
}

test('a cluster lies in two subnets or more', async () => {
  const world = clients({ signatures: 'parse' })
  const roleArn = await role(world, 'plane', trust({ Principal: { Service: 'eks.amazonaws.com' } }))
  const refused = {
    code: 'InvalidParameterException',
    status: 400,
    message: 'Subnets specified must be in at least two different AZs',
  }
  for (const subnetIds of [undefined, [], ['subnet-1'], ['subnet-1', 'subnet-1']]) {
    const resourcesVpcConfig = subnetIds === undefined ? {} : { subnetIds }
    assert.deepEqual(await refusal(world.eks.send(new CreateClusterCommand({ name: 'c', roleArn, resourcesVpcConfig }))), refused)
  }
  const resourcesVpcConfig = { subnetIds: ['subnet-1', 'subnet-2'] }
  await world.eks.send(new CreateClusterCommand({ name: 'c', roleArn, resourcesVpcConfig }))
  const one = new UpdateClusterConfigCommand({ name: 'c', resourcesVpcConfig: { subnetIds: ['subnet-3'] } })
  assert.deepEqual(await refusal(world.eks.send(one)), refused)
})

test('a cluster is CREATING without an endpoint, and ACTIVE with endpoint, CA and issuer after its delay [#63]', async () => {
  const world = strict()
  const roleArn = await role(world, 'control-plane', trust({ Principal: { Service: 'eks.amazonaws.com' } }))
  await world.clock.advance(minuteMs)
  const input = { name: 'c1', roleArn, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } }
  const { cluster: made } = await world.eks.send(new CreateClusterCommand(input))
  assert.deepEqual([made?.status, made?.endpoint, made?.certificateAuthority], ['CREATING', undefined, undefined])
  const early = await refusal(associate(world, { roleArn }))
  assert.deepEqual([early.code, early.status], ['InvalidRequestException', 400])
  await world.clock.advance(10 * minuteMs)
  const { cluster: active } = await world.eks.send(new DescribeClusterCommand({ name: 'c1' }))
  assert.equal(active?.status, 'ACTIVE')
  assert.match(active?.endpoint ?? '', /^https:\/\/[0-9A-F]{32}\.gr7\.us-east-1\.eks\.amazonaws\.com$/)
  assert.match(Buffer.from(active?.certificateAuthority?.data ?? '', 'base64').toString(), /^-----BEGIN CERTIFICATE-----/)
  assert.match(active?.identity?.oidc?.issuer ?? '', /^https:\/\/oidc\.eks\.us-east-1\.amazonaws\.com\/id\/[0-9A-F]{32}$/)
  const twice = await refusal(world.eks.send(new CreateClusterCommand(input)))
  assert.deepEqual(twice, { code: 'ResourceInUseException', status: 409, message: 'Cluster already exists with name: c1' })
  const absent = await refusal(world.eks.send(new DescribeClusterCommand({ name: 'nope' })))
  assert.deepEqual(absent, { code: 'ResourceNotFoundException', status: 404, message: 'No cluster found for name: nope.' })
})

test('a second association of one service account is refused with the id of the first [#64]', async () => {
  const { world, roleArn } = await ready()
  const { associationId, associationArn } = await associate(world, { roleArn })
  assert.match(associationId ?? '', /^a-[a-z0-9]{17}$/)
  assert.equal(associationArn, `arn:aws:eks:us-east-1:123456789012:podidentityassociation/c1/${associationId}`)
  assert.deepEqual(await refusal(associate(world, { roleArn })), {
    code: 'ResourceInUseException',
    status: 409,
    message: `Association already exists: ${associationId}`,
  })
})

test('a role that is absent, or that EKS cannot see yet, does not exist [#65]', async () => {
  const { world } = await ready()
  const message = 'Role provided in the request does not exist.'
  const expected = { code: 'InvalidParameterException', status: 400, message }
  const fresh = await role(world, 'fresh')
  assert.deepEqual(await refusal(associate(world, { roleArn: 'arn:aws:iam::123456789012:role/nobody' })), expected)
  assert.deepEqual(await refusal(associate(world, { roleArn: fresh })), expected)
  await world.clock.advance(5_000)
  assert.equal((await associate(world, { roleArn: fresh })).roleArn, fresh)
})

test('a role that does not trust EKS Pod Identity is refused [#66]', async () => {
  const { world } = await ready()
  const roleArn = await role(world, 'web', trust({ Principal: { Service: 'ec2.amazonaws.com' } }))
  const untagged = await role(world, 'untagged', trust({ Action: 'sts:AssumeRole' }))
  await world.clock.advance(minuteMs)
  const expected = { code: 'InvalidParameterException', status: 400, message: 'Trust policy of the role provided is invalid' }
  assert.deepEqual(await refusal(associate(world, { roleArn })), expected)
  assert.deepEqual(await refusal(associate(world, { roleArn: untagged })), expected)
  await associate(world, { roleArn: untagged, disableSessionTags: true })
})

test('one client token makes one association; with other parameters it is refused [#67]', async () => {
  const { world, roleArn } = await ready()
  const first = await associate(world, { roleArn, clientRequestToken: 'once' })
  assert.equal((await associate(world, { roleArn, clientRequestToken: 'once' })).associationId, first.associationId)
  const other = await refusal(associate(world, { roleArn, clientRequestToken: 'once', serviceAccount: 'other' }))
  assert.deepEqual([other.code, other.status], ['InvalidParameterException', 400])
})

test('lists are filtered and paged, and their entries carry no role [#68]', async () => {
  const { world, roleArn } = await ready()
  for (const [namespace, serviceAccount] of [
    ['team-a', 'a'],
    ['team-a', 'b'],
    ['team-b', 'a'],
  ] as const) {
    await associate(world, { roleArn, namespace, serviceAccount })
  }
  const list = (more: object): Promise<{ associations?: PodIdentityAssociation[] | undefined; nextToken?: string | undefined }> =>
    world.eks.send(new ListPodIdentityAssociationsCommand({ clusterName: 'c1', ...more }))
  assert.equal((await list({ namespace: 'team-a' })).associations?.length, 2)
  assert.equal((await list({ serviceAccount: 'a' })).associations?.length, 2)
  const seen: string[] = []
  let nextToken: string | undefined
  do {
    const page = await list({ maxResults: 1, ...(nextToken !== undefined && { nextToken }) })
    seen.push(...(page.associations ?? []).map(one => `${one.namespace}/${one.serviceAccount}`))
    assert.equal(page.associations?.[0]?.roleArn, undefined)
    nextToken = page.nextToken
  } while (nextToken !== undefined)
  assert.deepEqual(seen, ['team-a/a', 'team-a/b', 'team-b/a'])
  assert.equal((await refusal(list({ nextToken: 'forged' }))).code, 'InvalidParameterException')
})

test('after a change of role new credentials carry it once the delay has passed, and old ones stay valid [#69]', async () => {
  const { world, roleArn } = await ready()
  const other = await role(world, 'other')
  const { associationId } = await associate(world, { roleArn })
  const text = token(world)
  assert.deepEqual((await assume(world, text)).code, 'ResourceNotFoundException')
  await world.clock.advance(5_000)
  const old = await credentialsOf(world, text)
  const arn = async (credentials: EmulatorCredentials): Promise<string> =>
    (await world.as({ credentials }).sts.send(new GetCallerIdentityCommand({}))).Arn ?? ''
  assert.match(await arn(old), /:assumed-role\/app\/eks-c1-app-1-/)
  await world.eks.send(new UpdatePodIdentityAssociationCommand({ clusterName: 'c1', associationId, roleArn: other }))
  assert.match(await arn(await credentialsOf(world, text)), /:assumed-role\/app\//)
  await world.clock.advance(5_000)
  assert.match(await arn(await credentialsOf(world, text)), /:assumed-role\/other\//)
  assert.match(await arn(old), /:assumed-role\/app\//)
  await world.eks.send(new DeletePodIdentityAssociationCommand({ clusterName: 'c1', associationId }))
  assert.equal((await assume(world, text)).status, 200)
  await world.clock.advance(5_000)
  assert.deepEqual([(await assume(world, text)).status, (await assume(world, text)).code], [404, 'ResourceNotFoundException'])
})

test('a session policy needs session tags off, and then limits the session [#70]', async () => {
  const { world, roleArn } = await ready()
  const policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:ListBucket', Resource: '*' }],
  })
  const refused = await refusal(associate(world, { roleArn, policy }))
  assert.deepEqual([refused.code, refused.status], ['InvalidParameterException', 400])
  await associate(world, { roleArn, policy, disableSessionTags: true })
  await world.clock.advance(5_000)
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  const { s3 } = world.as({ credentials: await credentialsOf(world, token(world)) })
  await s3.send(new HeadBucketCommand({ Bucket: 'data' }))
  assert.equal((await refusal(s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'k', Body: '' })))).code, 'AccessDenied')
})

test('with a target role the external id is stable, and the credentials are those of the target [#71]', async () => {
  const { world, roleArn } = await ready()
  const { associationId, externalId } = await associate(world, {
    roleArn,
    targetRoleArn: 'arn:aws:iam::123456789012:role/target',
  })
  assert.match(externalId ?? '', /^[0-9a-f-]{36}$/)
  const condition = { StringEquals: { 'sts:ExternalId': externalId } }
  await role(world, 'target', trust({ Principal: { AWS: roleArn }, Condition: condition }))
  await world.clock.advance(minuteMs)
  const described = await world.eks.send(new DescribePodIdentityAssociationCommand({ clusterName: 'c1', associationId }))
  assert.equal(described.association?.externalId, externalId)
  const { sts } = world.as({ credentials: await credentialsOf(world, token(world)) })
  assert.match((await sts.send(new GetCallerIdentityCommand({}))).Arn ?? '', /:assumed-role\/target\//)
})

test('tokens with another audience, of another issuer, expired, unsigned, or without a pod are refused; so is one without association [#72]', async () => {
  const { world, roleArn } = await ready()
  const text = token(world)
  const none = await assume(world, text)
  assert.deepEqual([none.status, none.code], [404, 'ResourceNotFoundException'])
  await associate(world, { roleArn })
  await world.clock.advance(5_000)
  assert.equal((await assume(world, text)).status, 200)
  const [head = '', body = '', signature = ''] = text.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const forged = sign('sha256', Buffer.from(`${head}.${body}`), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64url',
  )
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>
  const attacks: Readonly<Record<string, string>> = {
    'another audience': token(world, { audience: 'sts.amazonaws.com' }),
    'another issuer': `${head}.${encoded({ ...claims, iss: 'https://oidc.eks.us-east-1.amazonaws.com/id/0' })}.${signature}`,
    'changed subject': `${head}.${encoded({ ...claims, sub: 'system:serviceaccount:kube-system:admin' })}.${signature}`,
    'signed with another key': `${head}.${body}.${forged}`,
    'algorithm none': `${encoded({ ...header, alg: 'none' })}.${body}.${signature}`,
    'a MAC with the public key': `${encoded({ ...header, alg: 'HS256' })}.${body}.${signature}`,
    'an unknown key': `${encoded({ ...header, kid: createHash('sha256').digest('hex') })}.${body}.${signature}`,
    'no pod': signWithoutPod(world),
  }
  for (const [name, attack] of Object.entries(attacks)) {
    const { status, code } = await assume(world, attack)
    assert.deepEqual([name, status, code], [name, 400, 'InvalidTokenException'])
  }
  await world.clock.advance(86_400_000)
  const late = await assume(world, text)
  assert.deepEqual([late.status, late.code], [400, 'ExpiredTokenException'])
  assert.deepEqual(
    [(await assume(world, text, 'nope')).status, (await assume(world, text, 'nope')).code],
    [404, 'ResourceNotFoundException'],
  )
})

function signWithoutPod({ aws }: Clients): string {
  return aws.control('eks', 'signToken', {
    cluster: 'c1',
    namespace: 'team-a',
    serviceAccount: 'app',
    audience: podService,
  }) as string
}

test('a trust policy on the namespace tag lets that namespace in and no other [#73]', async () => {
  const { world } = await ready()
  const condition = { StringEquals: { 'aws:RequestTag/kubernetes-namespace': 'team-a' } }
  const roleArn = await role(world, 'tenant', trust({ Condition: condition }))
  await world.clock.advance(minuteMs)
  await associate(world, { roleArn })
  await associate(world, { roleArn, namespace: 'team-b' })
  await world.clock.advance(5_000)
  assert.equal((await assume(world, token(world))).status, 200)
  const refused = await assume(world, token(world, { namespace: 'team-b' }))
  assert.deepEqual([refused.status, refused.code], [400, 'AccessDeniedException'])
})

test('a bound cluster answers with its API server, whose keys verify tokens and which knows whether the pod exists [#74]', async () => {
  const { world, roleArn } = await ready()
  const issuer = 'https://api.c1.example.com'
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }
  const json = (value: object): { status: number; headers: Record<string, string>; body: Uint8Array } => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(value)),
  })
  world.aws.registerHost('api.c1.example.com', request =>
    Promise.resolve(request.target.endsWith('/jwks') ? json({ keys: [jwk] }) : json({ issuer, jwks_uri: `${issuer}/jwks` })),
  )
  const pods = new Set(['app-1'])
  world.aws.bindCluster({
    name: 'c1',
    endpoint: 'https://127.0.0.1:6443',
    certificateAuthority: '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n',
    issuer,
    podExists: pod => pods.has(pod.name),
  })
  const { cluster: bound } = await world.eks.send(new DescribeClusterCommand({ name: 'c1' }))
  assert.deepEqual([bound?.endpoint, bound?.identity?.oidc?.issuer], ['https://127.0.0.1:6443', issuer])
  await associate(world, { roleArn })
  await world.clock.advance(5_000)
  const nowS = Math.floor(world.clock.now() / 1_000)
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    iss: issuer,
    aud: [podService],
    sub: 'system:serviceaccount:team-a:app',
    iat: nowS,
    nbf: nowS,
    exp: nowS + 3_600,
    'kubernetes.io': { namespace: 'team-a', serviceaccount: { name: 'app', uid: '1' }, pod: { name: 'app-1', uid: '2' } },
  }
  const input = `${part({ alg: 'RS256', kid: 'k1' })}.${part(claims)}`
  const text = `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
  assert.equal((await assume(world, text)).status, 200)
  pods.delete('app-1')
  const gone = await assume(world, text)
  assert.deepEqual([gone.status, gone.code], [400, 'InvalidTokenException'])
})

test('tags go through percent-encoded ARNs; an unknown one is not found, and one that is none is bad [#75]', async () => {
  const { world, roleArn } = await ready()
  const { associationArn: resourceArn = '' } = await associate(world, { roleArn, tags: { a: '1' } })
  await world.eks.send(new TagResourceCommand({ resourceArn, tags: { b: '2' } }))
  await world.eks.send(new UntagResourceCommand({ resourceArn, tagKeys: ['a'] }))
  assert.deepEqual((await world.eks.send(new ListTagsForResourceCommand({ resourceArn }))).tags, { b: '2' })
  const unknown = await refusal(world.eks.send(new ListTagsForResourceCommand({ resourceArn: `${resourceArn}x` })))
  assert.deepEqual([unknown.code, unknown.status], ['NotFoundException', 404])
  const bad = await refusal(world.eks.send(new ListTagsForResourceCommand({ resourceArn: 'arn:aws:eks:nonsense' })))
  assert.deepEqual([bad.code, bad.status], ['BadRequestException', 400])
})

test('an update of nothing is refused, as is one of an association that belongs to an add-on', async () => {
  const { world, roleArn } = await ready()
  const { associationId } = await associate(world, { roleArn })
  const update = (id: string | undefined, more: object): Promise<unknown> =>
    world.eks.send(new UpdatePodIdentityAssociationCommand({ clusterName: 'c1', associationId: id, ...more }))
  assert.equal((await refusal(update(associationId, {}))).code, 'InvalidParameterException')
  const podIdentityAssociations = [{ serviceAccount: 'ebs-csi-controller-sa', roleArn }]
  const { addon } = await world.eks.send(
    new CreateAddonCommand({ clusterName: 'c1', addonName: 'aws-ebs-csi-driver', podIdentityAssociations }),
  )
  assert.deepEqual([addon?.status, addon?.podIdentityAssociations?.length], ['CREATING', 1])
  const owned = addon?.podIdentityAssociations?.[0]?.split('/').at(-1)
  assert.equal((await refusal(update(owned, { roleArn }))).code, 'InvalidRequestException')
  const remove = new DeletePodIdentityAssociationCommand({ clusterName: 'c1', associationId: owned })
  assert.equal((await refusal(world.eks.send(remove))).code, 'InvalidRequestException')
  await world.eks.send(new DeleteAddonCommand({ clusterName: 'c1', addonName: 'aws-ebs-csi-driver' }))
  const described = new DescribePodIdentityAssociationCommand({ clusterName: 'c1', associationId: owned })
  assert.deepEqual((await refusal(world.eks.send(described))).status, 404)
})

test('a cluster with node groups stays; without, it is DELETING and then gone', async () => {
  const world = clients({ signatures: 'parse' })
  await cluster(world)
  const nodeRole = await role(world, 'node', trust({ Principal: { Service: 'ec2.amazonaws.com' } }))
  const group = { clusterName: 'c1', nodegroupName: 'n', nodeRole, subnets: ['subnet-1'] }
  await world.eks.send(new CreateNodegroupCommand(group))
  const refused = await refusal(world.eks.send(new DeleteClusterCommand({ name: 'c1' })))
  assert.deepEqual(refused, { code: 'ResourceInUseException', status: 409, message: 'Cluster has nodegroups attached' })
})

test('names past their limits, bad JSON and unknown paths are refused as REST-JSON does', async () => {
  const { world, roleArn } = await ready()
  for (const more of [
    { namespace: 'Team' },
    { namespace: 'a'.repeat(64) },
    { serviceAccount: 'a_b' },
    { serviceAccount: 'a'.repeat(254) },
  ]) {
    assert.equal((await refusal(associate(world, { roleArn, ...more }))).code, 'InvalidParameterException', JSON.stringify(more))
  }
  await associate(world, { roleArn, namespace: 'a'.repeat(63), serviceAccount: 'a'.repeat(253) })
  const send = (target: string, body: string): ReturnType<Clients['raw']> =>
    world.raw({ as: 'eks', method: 'POST', target, headers: { 'content-type': 'application/json' }, body })
  const broken = await send('/clusters/c1/pod-identity-associations', '{"namespace":')
  assert.equal(broken.status, 400)
  const missing = await send('/clusters/c1/pod-identity-associations', '{}')
  assert.deepEqual([missing.status, missing.headers['x-amzn-errortype']?.split(':')[0]], [400, 'InvalidParameterException'])
  const unknown = await send('/nowhere', '{}')
  assert.equal(unknown.status, 404)
})

test('the agent of a node gives a pod credentials that may do what its role may [#109]', async () => {
  const { world, roleArn } = await ready()
  await associate(world, { roleArn })
  await world.clock.advance(5_000)
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  const agent = podIdentityAgent(world.aws, { name: 'c1' })
  const ask = (authorization: string): ReturnType<typeof agent> =>
    agent({ method: 'GET', target: '/v1/credentials', headers: { authorization }, body: null })
  const answer = await ask(token(world))
  assert.equal(answer.status, 200)
  const body = JSON.parse(Buffer.from(answer.body as Uint8Array).toString()) as Record<string, string>
  assert.deepEqual(Object.keys(body), ['AccessKeyId', 'SecretAccessKey', 'Token', 'AccountId', 'Expiration'])
  const credentials = {
    accessKeyId: body['AccessKeyId'] ?? '',
    secretAccessKey: body['SecretAccessKey'] ?? '',
    sessionToken: body['Token'] ?? '',
  }
  const { s3 } = world.as({ credentials })
  await s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'k', Body: 'x' }))
  await s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'k' }))
  assert.equal((await refusal(s3.send(new DeleteBucketCommand({ Bucket: 'data' })))).code, 'BucketNotEmpty')
  assert.deepEqual(
    [(await ask('')).status, (await ask('junk')).status, (await ask(token(world, { serviceAccount: 'x' }))).status],
    [400, 400, 404],
  )
})
