// Case 108: controllers as processes of their own, told a kubeconfig, an address and a region, look after an object of each kind that
// other operators depend on. ACK's programs are run when `VOUCH_ACK_CONTROLLERS` names a folder that holds them (iam-controller, ...):
// no package registry carries them. Our own operator goes the same way always, so that what is asked here is known to be possible.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createApiServer } from '#apiserver'
import { serviceModel } from '#aws'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { systemClock, systemRandom, systemSeams } from '#base'
import { type Aws, createAws } from '#emulator'
import { findCondition, type ResourceType } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { createResourcesOperator, type Resource } from '#operators/resources'
import { trust } from '../../src/operators/resources/testing/world.ts'
import { eventually } from './eventually.ts'

const services = ['iam', 's3', 'eks', 'acm', 'route53'] as const
const region = 'us-east-1'
const account = '123456789012'
/** A controller of ours looks again within seconds; ACK's requeues some kinds after half a minute. */
const waitMs = 90_000
const environment = 'VOUCH_ACK_CONTROLLERS'
const given = process.env[environment] ?? ''
const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const policy = (Action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] })
const roleArn = (name: string): string => `arn:aws:iam::${account}:role/${name}`

interface Case {
  readonly service: (typeof services)[number]
  readonly kind: string
  readonly spec: object
  readonly change: object
  /** The call that carries the change to AWS. */
  readonly changedBy: string
  /** Of a second object of a kind. */
  readonly name?: string
}

/** In the order in which they need each other. */
const cases: readonly Case[] = [
  {
    service: 'iam',
    kind: 'Policy',
    spec: { name: 'read', policyDocument: policy('s3:GetObject') },
    change: { policyDocument: policy('s3:ListBucket') },
    changedBy: 'CreatePolicyVersion',
  },
  {
    service: 'iam',
    kind: 'Role',
    spec: { name: 'app', assumeRolePolicyDocument: trust('pods.eks.amazonaws.com'), policyRefs: [{ from: { name: 'policy' } }] },
    change: { description: 'of the app' },
    changedBy: 'UpdateRole',
  },
  {
    service: 'iam',
    kind: 'Role',
    name: 'plane',
    spec: { name: 'plane', assumeRolePolicyDocument: trust('eks.amazonaws.com') },
    change: { maxSessionDuration: 7200 },
    changedBy: 'UpdateRole',
  },
  {
    service: 'iam',
    kind: 'OpenIDConnectProvider',
    spec: { url: 'https://issuer.example.com', clientIDs: ['sts.amazonaws.com'], thumbprints: ['a'.repeat(40)] },
    change: { clientIDs: ['sts.amazonaws.com', 'other'] },
    changedBy: 'AddClientIDToOpenIDConnectProvider',
  },
  {
    service: 'iam',
    kind: 'User',
    spec: { name: 'ann' },
    change: { tags: [{ key: 'team', value: 'blue' }] },
    changedBy: 'TagUser',
  },
  {
    service: 'iam',
    kind: 'Group',
    spec: { name: 'readers' },
    change: { policies: [`arn:aws:iam::aws:policy/ReadOnlyAccess`] },
    changedBy: 'AttachGroupPolicy',
  },
  {
    service: 'iam',
    kind: 'InstanceProfile',
    spec: { name: 'node' },
    change: { tags: [{ key: 'team', value: 'blue' }] },
    changedBy: 'TagInstanceProfile',
  },
  {
    service: 's3',
    kind: 'Bucket',
    spec: { name: 'data-108', versioning: { status: 'Enabled' } },
    change: { tagging: { tagSet: [{ key: 'team', value: 'blue' }] } },
    changedBy: 'PutBucketTagging',
  },
  {
    service: 'eks',
    kind: 'Cluster',
    spec: { name: 'main', roleRef: { from: { name: 'plane' } }, resourcesVPCConfig: { subnetIDs: ['subnet-1', 'subnet-2'] } },
    change: { tags: { team: 'blue' } },
    changedBy: 'TagResource',
  },
  {
    service: 'eks',
    kind: 'PodIdentityAssociation',
    spec: {
      clusterRef: { from: { name: 'cluster' } },
      namespace: 'team',
      serviceAccount: 'app',
      roleRef: { from: { name: 'role' } },
    },
    change: { tags: { team: 'blue' } },
    changedBy: 'TagResource',
  },
  {
    service: 'eks',
    kind: 'AccessEntry',
    spec: { clusterRef: { from: { name: 'cluster' } }, principalARN: roleArn('app') },
    change: { kubernetesGroups: ['viewers'] },
    changedBy: 'UpdateAccessEntry',
  },
  {
    service: 'eks',
    kind: 'Addon',
    spec: { clusterRef: { from: { name: 'cluster' } }, name: 'vpc-cni' },
    change: { tags: { team: 'blue' } },
    changedBy: 'TagResource',
  },
  {
    service: 'acm',
    kind: 'Certificate',
    spec: { domainName: 'www.example.com', validationMethod: 'DNS' },
    change: { tags: [{ key: 'team', value: 'blue' }] },
    changedBy: 'AddTagsToCertificate',
  },
  {
    service: 'route53',
    kind: 'HostedZone',
    spec: { name: 'example.com.' },
    change: { hostedZoneConfig: { comment: 'two' } },
    changedBy: 'UpdateHostedZoneComment',
  },
  {
    service: 'route53',
    kind: 'RecordSet',
    spec: {
      name: 'www',
      recordType: 'A',
      ttl: 60,
      resourceRecords: [{ value: '10.0.0.1' }],
      hostedZoneRef: { from: { name: 'hostedzone' } },
    },
    change: { ttl: 120 },
    changedBy: 'ChangeResourceRecordSets',
  },
]

/** The programs of a run: what each is started with, beside its environment. */
interface Programs {
  readonly name: string
  readonly commands: readonly (readonly string[])[]
  readonly skip: string | false
}

const ours: Programs = {
  name: 'our own operator',
  skip: false,
  commands: [
    [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      main,
      'operator',
      '--controllers=resources',
      `--aws-services=${services.join(',')}`,
      `--aws-account-id=${account}`,
      '--health-probe-bind-address=0',
      '--webhook-bind-address=0',
      '--log-exporter=none',
    ],
  ],
}

function acks(): Programs {
  const name = "ACK's controllers"
  const programs = services.map(service => join(given, `${service}-controller`))
  const missing = programs.filter(path => !existsSync(path))
  const how = `${environment} is to name a folder with ${services.map(service => `${service}-controller`).join(', ')}`
  const skip = given === '' ? `ACK's controllers are not here: ${how}` : `${missing.join(' and ')} not there: ${how}`
  const flags = (url: string): string[] => [
    `--aws-endpoint-url=${url}`,
    '--allow-unsafe-aws-endpoint-urls',
    '--metrics-addr=127.0.0.1:0',
    '--healthz-addr=127.0.0.1:0',
    `--aws-region=${region}`,
    '--log-level=info',
  ]
  return {
    name,
    skip: given === '' || missing.length > 0 ? skip : false,
    commands: programs.map(path => [path, ...flags('{url}')]),
  }
}

const folder = mkdtempSync(join(tmpdir(), 'vouch-ack-'))
const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

for (const programs of [ours, acks()]) {
  describe(programs.name, { skip: programs.skip }, () => {
    test('an object of each kind is made, changed and removed, and nothing is left [#108]', async () => {
      const aws = createAws({ seed: 108, signatures: 'verify' })
      const { crds, kinds } = createResourcesOperator({
        services: [...services],
        home: { account, partition: 'aws', region },
        aws: clientsOf(aws),
        nowMs: () => systemClock.now(),
      })
      const server = createApiServer({ objects: crds })
      try {
        await server.listen()
        const kubeconfig = join(folder, 'kubeconfig')
        writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 })
        const { client } = await connect(systemSeams({}), { kubeconfig: [kubeconfig], userAgent: 'vouch-test' })
        const before = await leftIn(aws)
        const said = start(programs, { kubeconfig, aws, url: `http://127.0.0.1:${(await aws.listen()).port}` })
        const worldOf = ({ service, kind }: Case): World => {
          const found = kinds.find(model => model.kind.kind === kind && model.service.alias === service)
          assert.ok(found, `${service} ${kind}`)
          return { client, aws, said, type: found.type }
        }
        for (const one of cases) await lives(worldOf(one), one)
        for (const one of cases.toReversed()) await goes(worldOf(one), one)
        assert.deepEqual(aws.unimplemented(), {})
        assert.deepEqual(await leftIn(aws), before)
        await client.close()
      } finally {
        for (const child of children) child.kill('SIGKILL')
        await server.close()
        await aws.close()
      }
    })
  })
}

interface World {
  readonly client: KubeClient
  readonly aws: Aws
  readonly said: () => string
  readonly type: ResourceType
}

/** Gives the end of what they print, for the day on which something is waited for in vain. */
function start(programs: Programs, at: { readonly kubeconfig: string; readonly aws: Aws; readonly url: string }): () => string {
  const { accessKeyId, secretAccessKey } = at.aws.adminCredentials()
  let said = ''
  for (const command of programs.commands) {
    const [program = '', ...flags] = command.map(word => word.replaceAll('{url}', at.url))
    const child = spawn(program, flags, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder,
        KUBECONFIG: at.kubeconfig,
        AWS_ENDPOINT_URL: at.url,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        AWS_REGION: region,
        AWS_EC2_METADATA_DISABLED: 'true',
        ACK_SYSTEM_NAMESPACE: 'default',
        POD_NAMESPACE: 'default',
      },
    })
    children.add(child)
    const take = (text: Buffer): void => {
      said = (said + text.toString()).slice(-4_000)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', error => take(Buffer.from(String(error))))
  }
  return () => said
}

const keyOf = ({ kind, name }: Case): { readonly namespace: string; readonly name: string } => ({
  namespace: 'default',
  name: name ?? kind.toLowerCase(),
})

async function lives({ client, aws, said, type }: World, situation: Case): Promise<void> {
  const key = keyOf(situation)
  const [apiVersion, title] = [`${type.group}/${type.version}`, `${situation.kind} ${key.name}`]
  await client.create<Resource>(type, { apiVersion, kind: situation.kind, metadata: key, spec: situation.spec } as Resource)
  const stateOf = async (): Promise<Resource | undefined> => client.find<Resource>(type, key)
  const synced = async (): Promise<true | undefined> => {
    const conditions = (await stateOf())?.status?.conditions
    const terminal = findCondition(conditions, 'ACK.Terminal')
    assert.notEqual(terminal?.status, 'True', `${title}: ${terminal?.message}`)
    return findCondition(conditions, 'ACK.ResourceSynced')?.status === 'True' || undefined
  }
  await eventually(synced, () => `${title} is in step\n${said()}`, waitMs)
  aws.calls.clear()
  await client.patch<Resource>(type, key, 'merge', { spec: situation.change })
  const isCarried = async (): Promise<true | undefined> =>
    aws.calls.count({ operation: situation.changedBy, result: 'ok' }) > 0 || undefined
  await eventually(isCarried, () => `${situation.changedBy} for ${title}\n${said()}`, waitMs)
  await eventually(synced, () => `${title} is in step again\n${said()}`, waitMs)
}

async function goes({ client, said, type }: World, situation: Case): Promise<void> {
  const key = keyOf(situation)
  await client.delete(type, key)
  const isGone = async (): Promise<true | undefined> => (await client.find(type, key)) === undefined || undefined
  await eventually(isGone, () => `${situation.kind} ${key.name} is gone\n${said()}`, waitMs)
}

function clientsOf(aws: Aws): AwsClients {
  const credentials = staticCredentials(aws.adminCredentials())
  return new AwsClients({ credentials, transport: inProcessTransport(aws.handle), clock: systemClock, random: systemRandom })
}

/** What the state page lists, and what IAM counts: roles and users are on no such list. */
async function leftIn(aws: Aws): Promise<object> {
  const control = await aws.listenControl()
  try {
    const page = await fetch(`http://127.0.0.1:${control.port}/_emulator/state`)
    const { resources } = (await page.json()) as { resources: readonly unknown[] }
    const { SummaryMap } = await clientsOf(aws)
      .for({ model: serviceModel('iam'), region })
      .call('GetAccountSummary')
    return { resources, SummaryMap }
  } finally {
    await control.close()
  }
}
