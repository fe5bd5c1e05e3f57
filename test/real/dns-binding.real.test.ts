// The real ExternalDNS on a real kube-apiserver with an identity of our own system: the operator of identities makes the key by which that server
// signs tokens, the role and the webhook; the dns operator asks for the binding with the rights of its manifests alone. AWS is the emulator.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type KubeObject, namespaces, pods, type StoredObject, secrets } from '#kube'
import { crossAccountTrust, permissionPolicy } from '#operators/dns'
import { bucketName, issuerUrl, selfHostedHostPath, signingSecretName } from '#operators/identity'
import type { Pod } from '../../src/cli/dev/node/index.ts'
import {
  configKind,
  operatorConfigKind,
  roleKind,
  type ServiceAccountRole,
  type WorkloadIdentityConfig,
} from '../../src/operators/identity/api.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { clusterAccount, domain, roleArn } from './dns-operand/accounts.ts'
import { clusterOf } from './dns-operand/cluster.ts'
import { awsSpec } from './dns-operand/specs.ts'
import { type OperandWorld, openOperandWorld, operandNamespace, type Place } from './dns-operand/world.ts'
import { comesAbout, eventually } from './eventually.ts'
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
import { externalDnsProgram, oldestOperand } from './programs/external-dns.ts'
import { operateWith } from './programs/run-operator.ts'
import { controlPlaneSkipped } from './shared.ts'

const version = oldestOperand
const program = externalDnsProgram(version)
const skip =
  ('skipped' in program ? program.skipped : undefined) ??
  (await controlPlaneSkipped()) ??
  (ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : false)
const region = 'us-east-1'
/** The cluster on which all operators run, as its own profile names it. */
const own = 'hub'
const waitMs = 90_000

type Secret = StoredObject & { readonly data?: Readonly<Record<string, string>> }

describe(`ExternalDNS ${version} bound by an AWSServiceAccountRole on a real kube-apiserver`, { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-binding-'))
  const stop = new AbortController()
  const running: Promise<void>[] = []
  let plane: ControlPlane
  let world: OperandWorld

  before(async () => {
    const issuer = issuerUrl(selfHostedHostPath(bucketName(own, region), region))
    const audiences = [issuer, 'https://kubernetes.default.svc', 'sts.amazonaws.com']
    world = await openOperandWorld({
      program: 'path' in program ? program.path : '',
      version,
      openCluster: async options => {
        plane = await startControlPlane({ tokens: { issuer, audiences } })
        return clusterOf(plane, options)
      },
      args: [`--binding-namespaces=${own}`],
      prepare: lookAfterIdentity,
    })
  })
  after(async () => {
    stop.abort(new Error('enough'))
    await Promise.allSettled(running)
    await world?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('writes in the zone of the other account with a token that this server signed for its own pod, in mode Binding [20.7]', async () => {
    const { accounts, cluster } = world
    await world.loadBalancer('web', '192.0.2.7', { labels: { dns: 'public' } })
    const aws = {
      workloadIdentity: { mode: 'Binding', bindingRef: { namespace: own, name: 'dns', create: true } },
      assumeRole: { arn: roleArn('dns') },
      region,
    }
    await world.create('blue', awsSpec(aws, accounts.zone, 'public'))
    const bound = await eventually(
      async () => (await binding())?.status?.roleARN,
      async () => `no role for the ServiceAccount: ${JSON.stringify((await binding()) ?? null)}`,
      waitMs,
    )
    assert.deepEqual((await binding())?.spec.serviceAccount, { namespace: operandNamespace, name: 'external-dns-blue' })
    // The role of the zone trusts the role that was made, and nobody else. An operand that came first looks again.
    await accounts.role({ name: 'dns', trust: crossAccountTrust(bound), rights: permissionPolicy() })
    await world.lookAgain('blue')
    const former = `TXT external-dns-web.${domain}.`
    await world.comesToHold('blue', [`A web.${domain}.`, `TXT external-dns-a-web.${domain}.`, former])
    await world.comesToSay('blue', 'RecordsSynced', 'True/UpToDate')
    await world.comesToSay('blue', 'Available', 'True/Available')
    const { items } = await cluster.admin.list<Pod>(pods, { namespace: operandNamespace })
    const given = items[0]?.spec.containers[0]?.env?.find(({ name }) => name === 'AWS_ROLE_ARN')?.value
    assert.equal(given, bound)
    const writer = accounts.aws.calls.last({ service: 'sts', operation: 'AssumeRole', result: 'ok' })?.caller ?? ''
    assert.match(writer, new RegExp(`:${clusterAccount}:assumed-role/${bound.split('/').at(-1)}/`))
  })

  it('with that the dns operator and its operand asked for nothing that they were not given', async () => {
    assert.deepEqual(await world.cluster.forbidden?.(), [])
  })

  /** As the guide of self-hosted clusters says it, of the cluster on which the operators run. */
  async function lookAfterIdentity({ cluster: { admin }, accounts }: Place): Promise<void> {
    await createIdentityDefinitions(admin)
    for (const name of [own, webhookPlace.namespace]) await make(admin, namespaces, { metadata: { name } })
    const flags = identityFlags({ hub: plane, folder, awsAddress: accounts.endpoint, region, account: clusterAccount })
    const { accessKeyId, secretAccessKey } = accounts.aws.adminCredentials(clusterAccount)
    const env = {
      AWS_ENDPOINT_URL: accounts.endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      PATH: process.env['PATH'] ?? '',
    }
    running.push(operateWith(flags, env, stop.signal))
    await admin.create(operatorConfigKind.type, operatorConfigKind.make({ name: 'default' }, {}) as KubeObject)
    const spec = { type: 'SelfHostedIRSA', region } as const
    await admin.create(configKind.type, configKind.make({ namespace: own, name: 'default' }, spec) as KubeObject)
    const key = await eventually(
      async () => (await admin.find<Secret>(secrets, { namespace: own, name: signingSecretName('default') }))?.data?.['sa.key'],
      () => 'no key to sign with',
      waitMs,
    )
    await plane.signWith(Buffer.from(key, 'base64').toString())
    await publishProfile(admin, { name: own, plane, folder })
    const webhook = await startInstalledWebhook({ target: admin, plane, folder }, stop.signal)
    running.push(webhook.ended)
    await sayWebhookRolledOut(admin)
    let last = ''
    const isReady = async (): Promise<boolean> => {
      const { status } = await admin.get<WorkloadIdentityConfig>(configKind.type, { namespace: own, name: 'default' })
      last = JSON.stringify(status?.conditions)
      return (status?.conditions ?? []).some(({ type, status: is }) => type === 'Ready' && is === 'True')
    }
    await comesAbout(isReady, () => `the config of the cluster is not Ready: ${last}`, waitMs)
  }

  function binding(): Promise<(ServiceAccountRole & StoredObject) | undefined> {
    return world.cluster.admin.find(roleKind.type, { namespace: own, name: 'dns' })
  }
})
