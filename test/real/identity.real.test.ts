// Workload identity end to end on two real API servers: a hub that runs the operators, and a cluster of one's own that signs its tokens with
// the operator's key and calls the webhook over TLS. AWS is the emulator. What a node does (mount, run) is done by the test.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { serviceModel } from '#aws'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { type ProgramResult, type Seams, silentLog, systemSeams } from '#base'
import { createAws } from '#emulator'
import {
  configMaps,
  deployments,
  type KubeObject,
  namespaces,
  pods,
  type ResourceType,
  type StoredCondition,
  type StoredObject,
  secrets,
  serviceAccounts,
} from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { bucketName, configKind, issuerUrl, roleKind, selfHostedHostPath } from '#operators/identity'
import type { Pod } from '../../src/cli/dev/node/index.ts'
import { runPod } from '../../src/cli/testing/commands.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { eventually } from './eventually.ts'
import {
  createIdentityDefinitions,
  identityFlags,
  make,
  publishProfile,
  sayWebhookRolledOut,
  startInstalledWebhook,
  webhookPlace,
} from './identity-parts.ts'
import { ownAddress } from './own-address.ts'
import { operateWith } from './programs/run-operator.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const region = 'us-east-1'
const account = '123456789012'
const image = 'public.ecr.aws/aws-cli/aws-cli:2.31.0'

const roles: ResourceType = {
  group: 'iam.services.k8s.aws',
  version: 'v1alpha1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
}

type WithData = StoredObject & { readonly data?: Readonly<Record<string, string>> }
type WithStatus = StoredObject & {
  readonly status?: { readonly conditions?: readonly StoredCondition[]; readonly roleARN?: string }
}

const skip =
  (await controlPlaneSkipped()) ?? (ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : undefined)

describe('workload identity on two real API servers', skip === undefined ? {} : { skip }, () => {
  const aws = createAws({ accounts: [account], region, enforce: 'full', signatures: 'verify', profile: 'instant' })
  const folder = mkdtempSync(join(tmpdir(), 'vouch-identity-'))
  const stop = new AbortController()
  const running: Promise<void>[] = []
  const planes: ControlPlane[] = []
  let awsAddress = ''
  let hub: KubeClient
  let hubPlane: ControlPlane
  let target: KubeClient
  let targetPlane: ControlPlane

  before(async () => {
    const listener = await aws.listen()
    awsAddress = `http://${listener.host}:${listener.port}`
    const { etcd } = await sharedControlPlane()
    hubPlane = await startControlPlane({ etcd })
    planes.push(hubPlane)
    hub = await clientOf(hubPlane.kubeconfig)
    await createIdentityDefinitions(hub)
    await make(hub, namespaces, { metadata: { name: 'edge' } })
  })

  after(async () => {
    stop.abort(new Error('the suite ends'))
    await Promise.allSettled(running)
    for (const client of [hub, target]) await client?.close()
    for (const plane of planes) await plane.stop()
    await aws.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('a config alone makes the key and the issuer; the cluster starts with that key', async () => {
    startOperator()
    await hub.create(
      {
        ...configKind.type,
        kind: 'AWSWorkloadIdentityOperatorConfig',
        plural: 'awsworkloadidentityoperatorconfigs',
        namespaced: false,
      },
      {
        apiVersion: 'aws.identity.appthrust.io/v1alpha1',
        kind: 'AWSWorkloadIdentityOperatorConfig',
        metadata: { name: 'default' },
        spec: {},
      } as KubeObject,
    )
    await make(hub, configKind.type, {
      metadata: { namespace: 'edge', name: 'default' },
      spec: { type: 'SelfHostedIRSA', region },
    })
    const secret = await eventually(
      () => hub.find<WithData>(secrets, { namespace: 'edge', name: 'awi-signing-key-default' }),
      () => 'the signing key',
    )
    const issuer = issuerUrl(selfHostedHostPath(bucketName('edge', region), region))
    targetPlane = await startControlPlane({
      etcd: hubPlane.etcd,
      tokens: {
        issuer,
        signingKey: Buffer.from(secret.data?.['sa.key'] ?? '', 'base64').toString(),
        audiences: [issuer, 'https://kubernetes.default.svc', 'sts.amazonaws.com'],
      },
    })
    planes.push(targetPlane)
    target = await clientOf(targetPlane.kubeconfig)
    for (const name of [webhookPlace.namespace, 'demo']) await make(target, namespaces, { metadata: { name } })
    for (const name of ['reader', 'stranger']) await make(target, serviceAccounts, { metadata: { namespace: 'demo', name } })
    // No controller publishes it here; every pod mounts it.
    const rootCa = { metadata: { namespace: 'demo', name: 'kube-root-ca.crt' }, data: { 'ca.crt': targetPlane.ca } }
    await make(target, configMaps, rootCa)
    await publishProfile(hub, { name: 'edge', plane: targetPlane, folder })
    const config = await eventually(
      async () => conditionOf(await configNow(), 'IssuerReady', 'True'),
      () => 'the issuer',
    )
    assert.equal(config.reason, 'Ready')
  })

  it('the webhook that the operator installs runs with no more rights than it was given, and the config is Ready', async () => {
    const { ended } = await startInstalledWebhook({ target, plane: targetPlane, folder }, stop.signal)
    running.push(ended)
    await sayWebhookRolledOut(target)
    await eventually(
      async () => conditionOf(await configNow(), 'Ready', 'True'),
      () => 'the config',
    )
  })

  it('a role in YAML becomes credentials in a pod, and a pod dressed up as it is refused', async () => {
    await putData()
    const statement = { Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::vouch-demo-data/*' }
    await make(hub, roleKind.type, {
      metadata: { namespace: 'edge', name: 'reader' },
      spec: {
        serviceAccount: { namespace: 'demo', name: 'reader' },
        policyDocument: { Version: '2012-10-17', Statement: [statement] },
      },
    })
    await eventually(
      async () => conditionOf(await roleNow(), 'Ready', 'True'),
      () => 'the role',
    )
    const reader = await createPod('reader')
    assert.match(variable(reader, 'AWS_ROLE_ARN') ?? '', new RegExp(`^arn:aws:iam::${account}:role/awi-edge-reader-`))
    const read = await run(reader)
    assert.deepEqual([read.code, text(read.stdout), text(read.stderr)], [0, 'hello from the other side\n', ''])
    const stranger = await createPod('stranger')
    assert.equal(variable(stranger, 'AWS_ROLE_ARN'), undefined)
    const impostor = {
      ...stranger,
      spec: { ...stranger.spec, containers: reader.spec.containers, volumes: reader.spec.volumes ?? [] },
    }
    const refused = await run(impostor)
    assert.equal(refused.code, 1)
    assert.match(text(refused.stderr), /AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity/)
    const request = /\[request ([^\]]+)\]/.exec(text(refused.stderr))?.[1] ?? ''
    const broken = aws.explain(request)?.steps.find(step => !step.holds)
    assert.match(broken?.detail ?? '', /has \[system:serviceaccount:demo:stranger\]/)
  })

  it('kubectl says what a person wants to know', async () => {
    const waited = await hubPlane.kubectl(['wait', 'awsar/reader', '-n', 'edge', '--for=condition=Ready', '--timeout=5s'])
    assert.equal(waited.stdout, 'awsserviceaccountrole.aws.identity.appthrust.io/reader condition met\n', waited.stderr)
    const table = await hubPlane.kubectl(['get', 'awic,awsar', '-A'])
    const suffix = /-[0-9a-f]{10}$/
    assert.deepEqual(
      columns(table.stdout).map(line => line.replace(suffix, '-…')),
      [
        'NAMESPACE NAME TYPE REGION READY AGE',
        'edge awsworkloadidentityconfig.aws.identity.appthrust.io/default SelfHostedIRSA us-east-1 True',
        '',
        'NAMESPACE NAME SA-NAMESPACE SERVICEACCOUNT READY ROLEARN AGE',
        'edge awsserviceaccountrole.aws.identity.appthrust.io/reader demo reader True arn:aws:iam::123456789012:role/awi-edge-reader-…',
        '',
      ],
    )
    const explained = await hubPlane.kubectl(['explain', 'awsar.spec.policyDocument'])
    assert.match(explained.stdout, /KIND: +AWSServiceAccountRole/)
  })

  it('at rest nothing is written, on the hub or on the cluster (L7)', async () => {
    const before = await versions()
    await new Promise(resolve => setTimeout(resolve, restMs))
    assert.deepEqual(await versions(), before)
  })

  it('what somebody breaks on the cluster comes back', async () => {
    const key = { namespace: 'demo', name: 'reader' }
    const annotation = 'eks.amazonaws.com/role-arn'
    await target.patch(serviceAccounts, key, 'merge', { metadata: { annotations: { [annotation]: null } } })
    await eventually(
      async () => (await target.get(serviceAccounts, key)).metadata.annotations?.[annotation],
      () => 'the annotation',
    )
  })

  it('deletion takes everything with it, the issuer last', async () => {
    await hub.delete(roleKind.type, { namespace: 'edge', name: 'reader' })
    await eventually(
      async () => ((await roleNow()) === undefined ? true : undefined),
      () => 'the role gone',
    )
    assert.deepEqual((await target.get(serviceAccounts, { namespace: 'demo', name: 'reader' })).metadata.annotations ?? {}, {})
    assert.deepEqual((await hub.list(roles)).items, [])
    await hub.delete(configKind.type, { namespace: 'edge', name: 'default' })
    await eventually(
      async () => ((await configNow()) === undefined ? true : undefined),
      () => 'the config gone',
    )
    const left = aws.calls
      .all()
      .filter(({ operation, result }) => result === 'ok' && /^Delete(Bucket|OpenIDConnectProvider)$/.test(operation))
    assert.deepEqual(
      left.map(({ operation }) => operation),
      ['DeleteOpenIDConnectProvider', 'DeleteBucket'],
    )
    assert.equal(await target.find(deployments, webhookPlace), undefined)
  })

  function startOperator(): void {
    const flags = identityFlags({ hub: hubPlane, folder, awsAddress, region, account })
    running.push(operateWith(flags, environment(), stop.signal))
  }

  function environment(): Record<string, string> {
    const { accessKeyId, secretAccessKey } = aws.adminCredentials()
    return {
      AWS_ENDPOINT_URL: awsAddress,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      PATH: process.env['PATH'] ?? '',
    }
  }

  async function clientOf(kubeconfig: string): Promise<KubeClient> {
    return (await connect(seams(), { kubeconfig: [kubeconfig], userAgent: 'vouch-test' })).client
  }

  async function createPod(name: string): Promise<Pod> {
    const args = ['s3', 'cp', 's3://vouch-demo-data/hello.txt', '-']
    await make(target, pods, {
      metadata: { namespace: 'demo', name },
      spec: { serviceAccountName: name, restartPolicy: 'Never', containers: [{ name: 'aws', image, args }] },
    })
    return await target.get<Pod>(pods, { namespace: 'demo', name })
  }

  function run(pod: Pod): Promise<ProgramResult> {
    const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')
    return runPod(
      {
        kube: target,
        programs: seams().programs,
        folder: join(folder, 'node'),
        images: { [image]: [process.execPath, '--disable-warning=ExperimentalWarning', main, 'aws-cli-stand-in'] },
        network: { AWS_ENDPOINT_URL: awsAddress, AWS_REGION: region, AWS_EC2_METADATA_DISABLED: 'true' },
      },
      pod,
    )
  }

  const configNow = (): Promise<WithStatus | undefined> =>
    hub.find<WithStatus>(configKind.type, { namespace: 'edge', name: 'default' })
  const roleNow = (): Promise<WithStatus | undefined> =>
    hub.find<WithStatus>(roleKind.type, { namespace: 'edge', name: 'reader' })

  /** The version of every object that the operators look after. */
  async function versions(): Promise<readonly string[]> {
    const found: string[] = []
    for (const [client, where, types] of [
      [hub, 'hub', [configKind.type, roleKind.type, secrets, roles]],
      [target, 'target', [deployments, secrets, serviceAccounts]],
    ] as const) {
      for (const type of types) {
        const { items } = await client.list(type)
        found.push(
          ...items.map(
            ({ metadata }) => `${where} ${type.plural} ${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`,
          ),
        )
      }
    }
    return found.sort()
  }

  async function putData(): Promise<void> {
    const { clock, random } = seams()
    const credentials = staticCredentials(aws.adminCredentials())
    const clients = new AwsClients({ credentials, transport: inProcessTransport(aws.handle), clock, random })
    const s3 = clients.for({ model: serviceModel('s3'), region })
    await s3.call('CreateBucket', { Bucket: 'vouch-demo-data' })
    await s3.call('PutObject', {
      Bucket: 'vouch-demo-data',
      Key: 'hello.txt',
      Body: new TextEncoder().encode('hello from the other side\n'),
    })
  }
})

/** Long enough for a loop to show itself, short against the hour after which everything is looked at. */
const restMs = 3_000

/** Nothing is logged: what goes wrong shows in the objects. */
function seams(env: Readonly<Record<string, string>> = {}): Seams {
  return systemSeams(env, { log: silentLog })
}

function conditionOf(object: WithStatus | undefined, type: string, status: string): StoredCondition | undefined {
  return object?.status?.conditions?.find(condition => condition.type === type && condition.status === status)
}

function variable(pod: Pod, name: string): string | undefined {
  return pod.spec.containers[0]?.env?.find(one => one.name === name)?.value
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

/** Rows without their ages. */
function columns(table: string): readonly string[] {
  return table.split('\n').map(line =>
    line
      .trim()
      .split(/\s+/)
      .join(' ')
      .replace(/ \d+[smh]\S*$/, ''),
  )
}
