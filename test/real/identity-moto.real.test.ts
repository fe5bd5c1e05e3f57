// The identity operator beside an AWS that is not ours: moto, by child objects and by calls. What moto checks is checked: that the calls are
// well formed, that what they make is there by the names and tags of the specification, and that nothing of it is left at the end.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { serviceModel } from '#aws'
import { memoryFiles, silentLog, systemClock, systemKeys, systemRandom } from '#base'
import { clusterProfileKind, managedClusterLabels } from '#fleet'
import { findCondition, type KubeObject, type ResourceType, renderCrd, type StoredObject, serviceAccounts } from '#kube'
import { createKubeClient } from '#kube/client'
import {
  bucketName,
  configKind,
  createIdentityOperator,
  renderIdentityCrds,
  renderOperatorConfig,
  roleKind,
  S3IssuerStore,
  type ServiceAccountRole,
} from '#operators/identity'
import { createResourcesOperator, resourceCrds } from '#operators/resources'
import { createManager } from '#runtime'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { comesAbout } from './eventually.ts'
import { type Moto, motoClients, startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'

const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false
const region = 'us-east-1'
const home = { account: '123456789012', partition: 'aws', region }
const services = ['iam', 's3'] as const
const ofIam = { group: 'iam.services.k8s.aws', version: 'v1alpha1', namespaced: true } as const
const providers: ResourceType = { ...ofIam, kind: 'OpenIDConnectProvider', plural: 'openidconnectproviders' }
const roles: ResourceType = { ...ofIam, kind: 'Role', plural: 'roles' }
const policies: ResourceType = { ...ofIam, kind: 'Policy', plural: 'policies' }
const document = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] }

describe('the identity operator with moto as AWS', { skip }, () => {
  let moto: Moto
  before(async () => {
    moto = await startMoto(python as Python)
  })
  after(() => moto.stop())

  for (const writer of ['children', 'direct'] as const) {
    test(`--aws-writer ${writer}: a cluster and its bindings come, change and go`, { timeout: 120_000 }, async () => {
      await moto.reset()
      const { clients, close } = motoClients(moto.url)
      const hub = createApiServer({
        name: 'hub',
        objects: [
          ...renderIdentityCrds(),
          renderCrd(clusterProfileKind),
          ...resourceCrds({ services }),
          namespace('edge'),
          renderOperatorConfig(),
        ],
      })
      const target = createApiServer({ name: 'edge', objects: [namespace('aws-pod-identity-webhook')] })
      const kube = createKubeClient({ clock: systemClock, address: 'hub', exchange: hub.as() })
      const remote = createKubeClient({ clock: systemClock, address: 'edge', exchange: target.as() })
      const seams = { clock: systemClock, random: systemRandom, log: silentLog }
      const refuse = (): never => {
        throw new Error('no way to the outside')
      }
      const store = new S3IssuerStore({ clients, clock: systemClock })
      const operator = createIdentityOperator({
        seams: {
          ...seams,
          keys: systemKeys,
          net: { dial: refuse, listen: refuse },
          files: memoryFiles(),
          programs: { run: refuse },
          env: {},
        },
        // moto takes a request that nobody signed, for a path with /.well-known/, as one of Cognito's: the look of anybody sees another document.
        store: { look: (...all) => store.look(...all), act: (...all) => store.act(...all) },
        providers: [],
        clientOf: () => remote,
        ...(writer === 'direct' ? { direct: { clients, region } } : {}),
      })
      const resources = createResourcesOperator({
        services,
        aws: clients,
        home,
        nowMs: () => systemClock.now(),
        fieldExport: false,
      })
      const manager = createManager({
        client: kube,
        seams,
        identity: 'moto',
        controllers: [...operator.controllers, ...(writer === 'children' ? resources.controllers : [])],
      })
      operator.attach(manager)
      const stop = new AbortController()
      const running = manager.run(stop.signal)
      const iam = clients.for({ model: serviceModel('iam'), region })
      const s3 = clients.for({ model: serviceModel('s3'), region })
      const find = (type: ResourceType, name: string) => kube.find<StoredObject & Said>(type, { namespace: 'edge', name })
      const ready = (type: ResourceType, name: string) =>
        eventually(
          `${type.kind} ${name} is Ready`,
          async () => isReady(await find(type, name)),
          async () => JSON.stringify((await find(type, name))?.status?.conditions),
        )
      try {
        const key = { namespace: 'edge', name: 'edge', labels: managedClusterLabels('edge') }
        await kube.create(clusterProfileKind.type, clusterProfileKind.make(key, { clusterManager: { name: 'ocm' } }))
        const status = healthyStatus(systemClock.now(), { name: 'in-process', cluster: { server: 'https://edge' } })
        await kube.patch(
          clusterProfileKind.type,
          { namespace: 'edge', name: 'edge' },
          'merge',
          { status },
          { subresource: 'status' },
        )
        for (const name of ['arns', 'document'])
          await remote.create(serviceAccounts, {
            apiVersion: 'v1',
            kind: 'ServiceAccount',
            metadata: { namespace: 'default', name },
          })
        await kube.create(
          configKind.type,
          configKind.make({ namespace: 'edge', name: 'default' }, { type: 'SelfHostedIRSA', region }),
        )
        if (writer === 'children') {
          // IAM computes it from the issuer's certificate; moto does not, so that the child would wait for it.
          const provider = { namespace: 'edge', name: 'awi-oidc-edge' }
          await eventually('the provider is asked for', async () => (await kube.find(providers, provider)) !== undefined)
          await kube.patch(providers, provider, 'merge', { spec: { thumbprints: ['a'.repeat(40)] } })
        }
        await ready(configKind.type, 'default')
        const managed = { PolicyName: 'managed', PolicyDocument: JSON.stringify(document) }
        const { Policy: policy } = (await iam.call('CreatePolicy', managed)) as { Policy: { Arn: string } }
        await kube.create(roleKind.type, bindingOf('arns', { policyARNs: [policy.Arn] }))
        await kube.create(roleKind.type, bindingOf('document', { policyDocument: document }))
        for (const name of ['arns', 'document']) await ready(roleKind.type, name)
        // As others see it.
        const bucket = bucketName('edge', region)
        const keySet = JSON.parse(await (await fetch(`${moto.url}/${bucket}/keys.json`)).text()) as { keys: object[] }
        assert.equal(keySet.keys.length, 1)
        assert.equal(((await iam.call('ListOpenIDConnectProviders'))['OpenIDConnectProviderList'] as object[]).length, 1)
        const made = await kube.get<ServiceAccountRole & StoredObject>(roleKind.type, { namespace: 'edge', name: 'document' })
        const RoleName = made.status?.roleARN?.split('/').at(-1) ?? ''
        const { Role } = (await iam.call('GetRole', { RoleName })) as { Role: { Tags: { Key: string; Value: string }[] } }
        const tag = Role.Tags.find(({ Key }) => Key === 'aws.identity.appthrust.io/binding-uid')
        assert.equal(tag?.Value, made.metadata.uid)
        // A child says nothing of the generation that its controller has seen: it may be a moment behind.
        await eventually('the policy is attached', async () => {
          const attached = (await iam.call('ListAttachedRolePolicies', { RoleName }))['AttachedPolicies'] as {
            PolicyArn: string
          }[]
          return attached.length === 1 && attached[0]?.PolicyArn === made.status?.generatedPolicyARN
        })
        // A change of the document is a version of the policy.
        const changed = { ...document, Statement: [{ Effect: 'Allow', Action: 's3:ListBucket', Resource: '*' }] }
        await kube.patch(roleKind.type, { namespace: 'edge', name: 'document' }, 'merge', { spec: { policyDocument: changed } })
        await eventually('the policy has another version', async () => {
          const { Policy } = (await iam.call('GetPolicy', { PolicyArn: made.status?.generatedPolicyARN })) as {
            Policy: { DefaultVersionId: string }
          }
          return Policy.DefaultVersionId !== 'v1'
        })
        for (const name of ['arns', 'document']) await kube.delete(roleKind.type, { namespace: 'edge', name })
        const isGone = async (): Promise<boolean> => (await kube.listAll(roleKind.type)).items.length === 0
        await eventually('the bindings are gone', isGone, async () => {
          const left = []
          for (const type of [roleKind.type, roles, policies]) left.push(...(await kube.listAll<StoredObject & Said>(type)).items)
          return JSON.stringify(left.map(({ metadata: { name, finalizers }, kind, status }) => [kind, name, finalizers, status]))
        })
        await kube.delete(configKind.type, { namespace: 'edge', name: 'default' })
        await eventually('the config is gone', async () => (await kube.listAll(configKind.type)).items.length === 0)
        assert.deepEqual((await iam.call('ListRoles'))['Roles'], [])
        const { Policies } = (await iam.call('ListPolicies', { Scope: 'Local' })) as { Policies: { Arn: string }[] }
        assert.deepEqual(
          Policies.map(({ Arn }) => Arn),
          [policy.Arn],
        )
        assert.deepEqual((await iam.call('ListOpenIDConnectProviders'))['OpenIDConnectProviderList'], [])
        assert.deepEqual((await s3.call('ListBuckets'))['Buckets'] ?? [], [])
      } finally {
        stop.abort(new Error('enough'))
        await running
        await operator.close()
        await hub.close()
        await target.close()
        await close()
      }
    })
  }
})

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

function bindingOf(name: string, policy: object): KubeObject {
  return roleKind.make({ namespace: 'edge', name }, { serviceAccount: { namespace: 'default', name }, ...policy })
}

type Said = Pick<ServiceAccountRole, 'status'>

function isReady(object: Said | undefined): boolean {
  return findCondition(object?.status?.conditions, 'Ready')?.status === 'True'
}

function eventually(what: string, isSo: () => Promise<boolean>, why: () => Promise<string> = async () => ''): Promise<void> {
  return comesAbout(isSo, async () => `${what} ${await why()}`, 45_000)
}
