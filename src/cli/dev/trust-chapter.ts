// The chain of trust, link by link: a cluster's public keys in a bucket, a provider that trusts them, a role that trusts one
// ServiceAccount, a pod that is given what it needs at admission, a token, credentials, an object. And a stranger, who gets nothing.
import { AwsError, asProviderArn, asRoleArn, parseIssuerUrl, renderPolicy, webIdentityTrust } from '#aws'
import type { Credentials } from '#aws/client'
import type { HttpExchange } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import { admitPod, answerReview, defaultAwsOptions, readServiceAccount } from '#operators/pods'
import type { Screen } from './screen.ts'
import { account, type DevWorld, issuer, issuerBucket, region } from './world.ts'

const type = (group: string, version: string, kind: string, plural: string, namespaced = true): ResourceType => ({
  group,
  version,
  kind,
  plural,
  namespaced,
})
const namespaces = type('', 'v1', 'Namespace', 'namespaces', false)
const serviceAccounts = type('', 'v1', 'ServiceAccount', 'serviceaccounts')
const pods = type('', 'v1', 'Pod', 'pods')
const webhooks = type(
  'admissionregistration.k8s.io',
  'v1',
  'MutatingWebhookConfiguration',
  'mutatingwebhookconfigurations',
  false,
)

const namespace = 'demo'
const audience = 'sts.amazonaws.com'
const dataBucket = 'demo-data-7d1f'
const roleName = 'demo-reader'
const roleArn = `arn:aws:iam::${account}:role/${roleName}`

interface Pod extends StoredObject {
  readonly spec: {
    readonly serviceAccountName?: string
    readonly containers: readonly {
      readonly name: string
      readonly env?: readonly { readonly name: string; readonly value?: string }[]
    }[]
    readonly volumes?: readonly {
      readonly projected?: { readonly sources: readonly { readonly serviceAccountToken?: { readonly audience?: string } }[] }
    }[]
  }
}

/** True when the proof held: the pod reads what it may, the stranger is refused. */
export async function trustChapter(world: DevWorld, screen: Screen): Promise<boolean> {
  screen.chapter("The chain of trust: from a pod's token to an object in S3")
  await publishIssuer(world)
  screen.line('done', `the cluster's public keys are at ${issuer}/openid/v1/jwks, readable by anyone`)
  await createRole(world)
  screen.line(
    'done',
    `role ${roleName} trusts ServiceAccount ${namespace}/reader of that issuer and nobody else; it may read s3://${dataBucket}`,
  )
  await installWebhook(world)
  await createPods(world)
  const reader = await getPod(world, 'reader')
  const env = Object.fromEntries((reader.spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value ?? '']))
  screen.line('done', `pod ${namespace}/reader was admitted with AWS_ROLE_ARN=${env['AWS_ROLE_ARN']} and a token volume`)
  const proven = await proveReader(world, screen, reader, env)
  const refused = await refuseStranger(world, screen)
  if (proven && refused) screen.block(picture)
  return proven && refused
}

async function publishIssuer({ service, cluster }: DevWorld): Promise<void> {
  const s3 = service('s3')
  await s3.call('CreateBucket', { Bucket: issuerBucket })
  await s3.call('PutPublicAccessBlock', {
    Bucket: issuerBucket,
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: false,
      RestrictPublicBuckets: false,
    },
  })
  const readable = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: `arn:aws:s3:::${issuerBucket}/*` }
  await s3.call('PutBucketPolicy', {
    Bucket: issuerBucket,
    Policy: JSON.stringify({ Version: '2012-10-17', Statement: [readable] }),
  })
  // The cluster's own document points at its own address, where AWS cannot look; the published one points beside itself.
  const discovery = { ...(JSON.parse(cluster.tokens.discoveryDocument()) as object), jwks_uri: `${issuer}/openid/v1/jwks` }
  const documents = { '.well-known/openid-configuration': JSON.stringify(discovery), 'openid/v1/jwks': cluster.tokens.jwks() }
  for (const [Key, text] of Object.entries(documents)) {
    await s3.call('PutObject', {
      Bucket: issuerBucket,
      Key,
      Body: new TextEncoder().encode(text),
      ContentType: 'application/json',
    })
  }
}

async function createRole({ service }: DevWorld): Promise<void> {
  const iam = service('iam')
  const provider = await iam.call('CreateOpenIDConnectProvider', { Url: issuer, ClientIDList: [audience] })
  const trust = webIdentityTrust({
    issuer: parseIssuerUrl(issuer),
    provider: asProviderArn(String(provider['OpenIDConnectProviderArn'])),
    audience,
    subjects: [{ namespace, name: 'reader' }],
  })
  await iam.call('CreateRole', { RoleName: roleName, AssumeRolePolicyDocument: renderPolicy(trust) })
  const read = { Effect: 'Allow', Action: 's3:GetObject', Resource: `arn:aws:s3:::${dataBucket}/*` }
  await iam.call('PutRolePolicy', {
    RoleName: roleName,
    PolicyName: 'read',
    PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [read] }),
  })
  const s3 = service('s3')
  await s3.call('CreateBucket', { Bucket: dataBucket })
  await s3.call('PutObject', {
    Bucket: dataBucket,
    Key: 'hello.txt',
    Body: new TextEncoder().encode('hello from the other side'),
  })
}

/** The pod webhook, called by the API server for each new pod. */
async function installWebhook({ kube, cluster, seams }: DevWorld): Promise<void> {
  const handler: HttpExchange = async request => {
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
    const answer = await answerReview('application/json', body, async ({ namespace: where, object }) => {
      const name = (object as unknown as Pod).spec.serviceAccountName ?? ''
      const found = await kube.find(serviceAccounts, { namespace: where, name })
      const warn = (): void => {}
      const flags = { ...defaultAwsOptions, defaultRegion: region }
      const serviceAccount = found === undefined ? undefined : readServiceAccount(found.metadata.annotations ?? {}, flags, warn)
      const snapshot = { serviceAccount, exactEntry: undefined, wildcardEntry: undefined, usesContainerCredentials: false }
      return {
        kind: 'allow',
        operations: admitPod({ object, snapshot, flags, randomBelow: below => seams.random.integer(below), warn }),
      }
    })
    return {
      status: answer.httpStatus,
      headers: { 'content-type': answer.contentType },
      body: new TextEncoder().encode(answer.body),
    }
  }
  cluster.serve({ namespace: 'vouch', service: 'pod-identity-webhook' }, handler)
  const webhook = {
    name: 'pod-identity-webhook.amazonaws.com',
    clientConfig: { service: { namespace: 'vouch', name: 'pod-identity-webhook', path: '/mutate' } },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Fail',
  }
  await kube.create(webhooks, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'pod-identity-webhook' },
    webhooks: [webhook],
  })
}

async function createPods({ kube }: DevWorld): Promise<void> {
  await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  for (const [name, annotations] of [
    ['reader', { 'eks.amazonaws.com/role-arn': roleArn }],
    ['stranger', {}],
  ] as const) {
    await kube.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name, annotations } })
    await kube.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace,
        name,
      },
      spec: {
        serviceAccountName: name,
        containers: [
          {
            name: 'app',
            image: 'registry.example.com/app:1',
          },
        ],
      },
    })
  }
}

function getPod({ kube }: DevWorld, name: string): Promise<Pod> {
  return kube.get<Pod>(pods, { namespace, name })
}

/** What a kubelet does for the projected volume: a token for the pod's ServiceAccount, bound to the pod. */
async function tokenFor({ kube }: DevWorld, pod: Pod, wanted: string): Promise<string> {
  const { token } = await kube.requestToken(
    { namespace, name: pod.spec.serviceAccountName ?? 'default' },
    {
      audiences: [wanted],
      expirationSeconds: 3600,
      boundObject: { kind: 'Pod', apiVersion: 'v1', name: pod.metadata.name, uid: pod.metadata.uid },
    },
  )
  return token
}

async function proveReader(world: DevWorld, screen: Screen, pod: Pod, env: Readonly<Record<string, string>>): Promise<boolean> {
  const projected = pod.spec.volumes
    ?.flatMap(volume => volume.projected?.sources ?? [])
    .find(source => source.serviceAccountToken?.audience === audience)
  if (projected === undefined || env['AWS_ROLE_ARN'] !== roleArn) {
    screen.line('failed', 'the pod was not given its role and token volume')
    return false
  }
  const credentials = await assumeRole(world, await tokenFor(world, pod, audience), env['AWS_ROLE_ARN'])
  screen.line('proven', `its token was exchanged for credentials of ${roleName}, valid for an hour`)
  const object = await world.service('s3', credentials).call('GetObject', { Bucket: dataBucket, Key: 'hello.txt' })
  screen.line('proven', `with them it read s3://${dataBucket}/hello.txt: "${await textOf(object['Body'])}"`)
  const denied = await refusal(() =>
    world.service('s3', credentials).call('PutObject', { Bucket: dataBucket, Key: 'x', Body: new Uint8Array() }),
  )
  if (denied === undefined) {
    screen.line('failed', 'the role could write, though it may only read')
    return false
  }
  screen.line('refused', `writing there was refused, as it should be: ${denied.code}`)
  return true
}

async function refuseStranger(world: DevWorld, screen: Screen): Promise<boolean> {
  const pod = await getPod(world, 'stranger')
  const injected = pod.spec.containers[0]?.env?.some(({ name }) => name.startsWith('AWS_')) ?? false
  const token = await tokenFor(world, pod, audience)
  const denied = await refusal(() => assumeRole(world, token, roleArn))
  if (denied === undefined || injected) {
    screen.line('failed', 'the stranger got the role')
    return false
  }
  screen.line('refused', `pod ${namespace}/stranger, with a token just as valid, asked for the same role: ${denied.code}`)
  const broken = world.aws.explain(denied.requestId ?? '')?.steps.find(step => !step.holds)
  if (broken !== undefined) screen.line('hint', `the link that did not hold: ${broken.link}: ${broken.detail}`)
  return true
}

async function assumeRole(world: DevWorld, token: string, role: string): Promise<Credentials> {
  const sts = world.service('sts')
  const answer = await sts.call('AssumeRoleWithWebIdentity', {
    RoleArn: asRoleArn(role),
    RoleSessionName: 'dev',
    WebIdentityToken: token,
  })
  const given = answer['Credentials'] as { AccessKeyId: string; SecretAccessKey: string; SessionToken: string }
  return { accessKeyId: given.AccessKeyId, secretAccessKey: given.SecretAccessKey, sessionToken: given.SessionToken }
}

async function refusal(call: () => Promise<unknown>): Promise<AwsError | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof AwsError) return error
    throw error
  }
}

async function textOf(body: unknown): Promise<string> {
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  const pieces: Uint8Array[] = []
  for await (const piece of body as AsyncIterable<Uint8Array>) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const picture = `
  pod demo/reader ── token ──> STS ── who signed it? ──> issuer's keys in S3 ── signed by ──> cluster "edge"
        │                       │ which provider?  ──> OIDC provider of that issuer, audience ${audience}
        │                       │ may it?          ──> trust policy of ${roleName}: exactly system:serviceaccount:demo:reader
        │                       ▼
        └── credentials of ${roleName} ──> s3://${dataBucket}/hello.txt: yes;  anything else: no
`
