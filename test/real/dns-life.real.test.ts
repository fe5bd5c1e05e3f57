// A whole life on a real kube-apiserver with RBAC: taken over from the existing operator, under the rights of the manifests and no others, with
// an operand for each source that has the rights of that source alone, and given back.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  deployments,
  type KubeObject,
  type ResourceType,
  type StoredObject,
  secrets,
  serviceAccounts,
  validatingWebhookConfigurations,
} from '#kube'
import type { KubeClient } from '#kube/client'
import { crossAccountTrust, jobs, kinds, permissionPolicy, platformDnses, renderDnsCrd } from '#operators/dns'
import { renderIdentityCrds } from '#operators/identity'
import type { ExternalDns } from '../../src/operators/dns/api.ts'
import { formerDefinition, formerObjects, formerSpec } from '../../src/operators/dns/testing/former-operator.ts'
import { openCrd } from '../../src/runtime/testing/open-crd.ts'
import { clusterAccount, domain, roleArn } from './dns-operand/accounts.ts'
import { realCluster } from './dns-operand/cluster.ts'
import { type Made, makeEndpoint, makeIngress, makeRoute } from './dns-operand/sources.ts'
import { awsSpec } from './dns-operand/specs.ts'
import { type OperandWorld, openOperandWorld, operandNamespace } from './dns-operand/world.ts'
import { comesAbout, eventually } from './eventually.ts'
import { gatewayDefinitions } from './gateway-api.ts'
import { ownAddress } from './own-address.ts'
import { externalDnsProgram, newestOperand } from './programs/external-dns.ts'
import { controlPlaneSkipped } from './shared.ts'

const version = newestOperand()
const program = externalDnsProgram(version)
const skip =
  ('skipped' in program ? program.skipped : undefined) ??
  (await controlPlaneSkipped()) ??
  (ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : false)

const kind = (group: string, name: string, plural: string, namespaced = false): ResourceType => ({
  group,
  version: 'v1',
  kind: name,
  plural,
  namespaced,
})
const infrastructures = kind('config.openshift.io', 'Infrastructure', 'infrastructures')
const requests = kind('cloudcredential.openshift.io', 'CredentialsRequest', 'credentialsrequests', true)
const routes = kind('route.openshift.io', 'Route', 'routes', true)
const ofOpenShift = [
  infrastructures,
  requests,
  routes,
  platformDnses,
  kind('operator.openshift.io', 'OpenShiftAPIServer', 'openshiftapiservers'),
]
const bindings: ResourceType = {
  ...kind('aws.identity.appthrust.io', 'AWSServiceAccountRole', 'awsserviceaccountroles', true),
  version: 'v1alpha1',
}
const namespaces = kind('', 'Namespace', 'namespaces')
const typeOf: Readonly<Record<string, ResourceType>> = {
  ServiceAccount: serviceAccounts,
  Secret: secrets,
  Deployment: deployments,
}
const user = `arn:aws:iam::${clusterAccount}:user/dns`
const withinMs = 60_000

describe(`a life of the dns operator on a real kube-apiserver, with ExternalDNS ${version}`, { skip }, () => {
  let world: OperandWorld
  let left: readonly StoredObject[] = []
  let formerly: Readonly<Record<'ancient' | 'blue', ExternalDns>>

  before(async () => {
    world = await openOperandWorld({
      program: 'path' in program ? program.path : '',
      version,
      openCluster: realCluster,
      args: ['--per-instance-rbac'],
      prepare: async place => {
        const { admin } = place.cluster
        for (const type of ofOpenShift) await admin.create(customResourceDefinitions, openCrd(type))
        for (const definition of renderIdentityCrds()) await admin.create(customResourceDefinitions, definition)
        const name = requestsNamespace
        await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
        const status = { platformStatus: { type: 'AWS', aws: { region: 'us-east-1' } } }
        const found = { apiVersion: 'config.openshift.io/v1', kind: 'Infrastructure', metadata: { name: 'cluster' }, status }
        await onceServed(() => admin.create(infrastructures, found as KubeObject))
        await onceServed(() => admin.list(bindings))
        const keys = await place.accounts.userKeys('dns', [roleArn('dns')])
        await place.accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: permissionPolicy() })
        await place.secret('dns-keys', keys)
        const { image, metricsHost, accounts } = place
        const former = {
          namespace: operandNamespace,
          image,
          metricsHost,
          proxy: accounts.gateway.url,
          authorities: accounts.aws.ca,
          keys: keys as Parameters<typeof formerObjects>[0]['keys'],
        }
        const made = await leaveBehind(admin, place.accounts.zone, former)
        left = made.left
        formerly = made.formerly
      },
    })
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
  })

  it('takes over what the existing operator left, with one change of its Deployment, and reads what was stored before it', async () => {
    const { admin } = world.cluster
    const [account, secret, deployment] = left
    const held = (object: StoredObject | undefined): Promise<StoredObject> =>
      admin.get(typeOf[object?.kind ?? ''] ?? deployments, { namespace: operandNamespace, name: object?.metadata.name ?? '' })
    // What is stored in an older version is read once the server trusts the authority that the operator puts into the definition.
    await onceServed(() => admin.get(kinds.v1beta2.type, { namespace: '', name: 'blue' }))
    await world.comesToSay('blue', 'CredentialsSecretExists', 'True/SecretFound')
    await comesAbout(
      async () => (await held(deployment)).metadata.generation === 2,
      async () => JSON.stringify(await held(deployment)),
    )
    for (const object of [account, secret])
      assert.equal((await held(object)).metadata.resourceVersion, object?.metadata.resourceVersion, object?.kind)
    const podOf = (object: StoredObject | undefined): Readonly<Record<string, unknown>> =>
      (object as unknown as { readonly spec: { readonly template: { readonly spec: Readonly<Record<string, unknown>> } } }).spec
        .template.spec
    const { tolerations: had, ...pod } = podOf(deployment)
    const { tolerations: has, ...podNow } = podOf(await held(deployment))
    // The existing operator runs an older operand, which has no such flag.
    const newer = '"--annotation-prefix=external-dns.alpha.kubernetes.io/",'
    assert.deepEqual(JSON.parse(JSON.stringify(podNow).replace(newer, '')), pod)
    assert.equal((has as readonly unknown[]).length, (had as readonly unknown[]).length + 1)
    for (const [name, before] of Object.entries(formerly)) {
      for (const each of ['v1alpha1', 'v1beta1', 'v1beta2'] as const) {
        const now = await admin.get<ExternalDns>(kinds[each].type, { namespace: '', name })
        assert.deepEqual(now.spec.source, before.spec.source, `${name} as ${each}`)
      }
      const now = await admin.get<ExternalDns>(kinds.v1beta1.type, { namespace: '', name })
      assert.deepEqual(now.spec, before.spec, name)
    }
  })

  it('what was stored in the oldest version is stored in ours soon, and that version may go [4.6]', async () => {
    const { admin } = world.cluster
    await comesToStore(['v1beta1'])
    // What were still stored in the version that goes could not be read any more. The next release stores another one; a later test looks.
    await storeAs('v1beta2', ['v1beta1', 'v1beta2'])
    const ancient = await admin.get<ExternalDns>(kinds.v1beta1.type, { namespace: '', name: 'ancient' })
    assert.deepEqual(ancient.spec.provider, formerly.ancient.spec.provider)
    await world.remove('blue')
    await collect('blue')
  })

  it('an operand of each source writes with the rights of that source alone', async context => {
    const definitions = gatewayDefinitions(version)
    // The definitions come with the operand's own module: where Go cannot fetch it, the text says so, and there is nothing to try.
    if ('skipped' in definitions) return context.skip(definitions.skipped)
    const sources: readonly (readonly [type: string, name: string, make: (made: Made) => Promise<void>])[] = [
      ['Service', 'plain', ({ name, address }) => world.loadBalancer(name, address, { labels: { dns: name } })],
      ['Ingress', 'shop', made => makeIngress(world, made)],
      ['CRD', 'api', made => makeEndpoint(world, made)],
      ['GatewayHTTPRoute', 'route', made => makeRoute(world, definitions, made)],
    ]
    for (const [index, [type, name, make]] of sources.entries()) {
      const address = `192.0.2.${50 + index}`
      await make({ name, address })
      const source = type === 'Service' ? { type } : { type, hostnameAnnotation: 'Allow', fqdnTemplate: [] }
      const aws = { credentials: { name: 'dns-keys' }, assumeRole: { arn: roleArn('dns') }, region: 'us-east-1' }
      await world.create(name, awsSpec(aws, world.accounts.zone, name, source))
      await world.comesToHold(name, [`A ${name}.${domain}.`, `TXT external-dns-a-${name}.${domain}.`], { among: name })
      assert.deepEqual(await world.accounts.resolve(`${name}.${domain}`, 'A'), [address])
      await world.remove(name)
      await collect(name)
    }
  })

  it('the storage version of the next release is taken up, and this one again after it, and nothing is lost [4.6]', async () => {
    const { admin } = world.cluster
    await comesToStore(['v1beta2'])
    const read = await admin.get<ExternalDns>(kinds.v1beta1.type, { namespace: '', name: 'ancient' })
    assert.deepEqual(read.spec, formerly.ancient.spec)
    await storeAs('v1beta1', ['v1alpha1', 'v1beta1', 'v1beta2'])
  })

  it('asks the platform for credentials, makes a binding, tries a token, and ends with a last run where that is asked for', async () => {
    const { admin } = world.cluster
    const only = (name: string): object => ({ domains: [{ filterType: 'Include', matchType: 'Exact', name }] })
    await world.create('platform', { provider: { type: 'AWS' }, source: { type: 'OpenShiftRoute' }, ...only('b.org') })
    const bindingRef = { namespace: operandNamespace, name: 'bound', create: true }
    const source = { type: 'Ingress', hostnameAnnotation: 'Allow' }
    const bound = { type: 'AWS', aws: { workloadIdentity: { mode: 'Binding', bindingRef } } }
    await world.create('bound', { provider: bound, source, ...only('c.org') })
    const irsa = { type: 'AWS', aws: { workloadIdentity: { mode: 'IRSA', roleARN: roleArn('nobody') } } }
    await world.create('irsa', { provider: irsa, source, ...only('d.org'), operand: { cleanup: true } })
    const there = (type: ResourceType, namespace: string, name: string): Promise<void> =>
      comesAbout(
        async () => (await admin.find(type, { namespace, name })) !== undefined,
        () => `no ${type.kind} ${name}`,
        withinMs,
      )
    await there(requests, requestsNamespace, 'externaldns-credentials-request-aws')
    await there(bindings, operandNamespace, 'bound')
    await there(deployments, operandNamespace, 'external-dns-irsa')
    // A token of the operand's account was got for it, and then refused: no account of AWS knows the issuer of this server.
    const { message } = await world.comesToSay('irsa', 'CredentialsValid', 'False/InvalidClientToken')
    assert.match(message, /No OpenIDConnect provider found in your account/)
    await world.remove('irsa')
    await collect('irsa')
    await there(jobs, operandNamespace, 'external-dns-irsa-cleanup')
    await world.remove('platform')
    await world.remove('bound')
  })

  it('in all of that nobody asked for anything that the rights of the manifests do not give', async () => {
    assert.deepEqual(await world.cluster.forbidden?.(), [])
  })

  it('what was stored for the next release is stored as before, and the existing operator can read it [4.6]', async () => {
    // A new leader looks at once.
    await world.startAnother()
    await world.stopOldest()
    await comesToStore(['v1beta1'])
  })

  it('given back, objects are read by the definition of the existing operator as they were', async () => {
    const { admin } = world.cluster
    await world.stopOldest()
    for (const { metadata } of (await admin.list(validatingWebhookConfigurations)).items)
      await admin.delete(validatingWebhookConfigurations, { namespace: '', name: metadata.name })
    await define(admin, formerDefinition())
    await eventually(
      async () => {
        const now = await admin.get<ExternalDns>(kinds.v1beta1.type, { namespace: '', name: 'ancient' }).catch(() => undefined)
        return now === undefined ? undefined : (assert.deepEqual(now.spec, formerly.ancient.spec) ?? true)
      },
      () => 'the object cannot be read',
    )
    await comesAbout(
      async () => (await admin.discover()).every(each => each.kind !== 'ExternalDNS' || each.version !== 'v1beta2'),
      () => 'v1beta2 is still served',
    )
  })

  /** The operator looks at the definition every few minutes, on a clock that is ten times as fast. */
  async function comesToStore(wanted: readonly string[]): Promise<void> {
    const { admin } = world.cluster
    await comesAbout(
      async () => JSON.stringify(await storedVersions(admin)) === JSON.stringify(wanted),
      async () => `stored are ${(await storedVersions(admin)).join()}`,
      180_000,
    )
  }

  /** As a release does whose definition stores that version and serves these. */
  async function storeAs(storage: string, served: readonly string[]): Promise<void> {
    const { admin } = world.cluster
    const shipped = renderDnsCrd({ service: { namespace: 'nowhere', name: 'nobody' } }).spec.versions
    const versions = shipped
      .filter(({ name }) => served.some(one => one === name))
      .map(each => ({ ...each, storage: each.name === storage }))
    await admin.patch(customResourceDefinitions, { namespace: '', name: crdName }, 'merge', { spec: { versions } })
  }

  /** What the garbage collector does, where there is none: for the Deployment of an object that went, and its pods. */
  async function collect(name: string): Promise<void> {
    const { admin } = world.cluster
    const key = { namespace: operandNamespace, name: `external-dns-${name}` }
    await comesAbout(
      async () => {
        const held = await admin.find(deployments, key)
        const gone = (await admin.find(kinds.v1beta1.type, { namespace: '', name })) === undefined
        if (held === undefined) return true
        if (held.metadata.deletionTimestamp !== undefined)
          await admin.patch(deployments, key, 'merge', { metadata: { finalizers: null } })
        else if (gone) await admin.delete(deployments, key)
        return false
      },
      () => `the Deployment of ${name} stays`,
    )
    await world.withoutPods(name)
  }
})

const crdName = 'externaldnses.externaldns.olm.openshift.io'
const requestsNamespace = 'openshift-cloud-credential-operator'

/** Objects of its predecessor and of the existing operator, and what that made for one of them. */
async function leaveBehind(
  admin: KubeClient,
  zone: string,
  former: Omit<Parameters<typeof formerObjects>[0], 'dns'>,
): Promise<{ readonly left: readonly StoredObject[]; readonly formerly: Readonly<Record<'ancient' | 'blue', ExternalDns>> }> {
  const spec = formerSpec({ zone, domain, arn: roleArn('dns') })
  await admin.create(customResourceDefinitions, formerDefinition('v1alpha1') as unknown as KubeObject)
  const object = (version: string, name: string, more: object = {}): KubeObject =>
    ({
      apiVersion: `externaldns.olm.openshift.io/${version}`,
      kind: 'ExternalDNS',
      metadata: { name },
      spec: { ...spec, ...more },
    }) as KubeObject
  const elsewhere = { domains: [{ filterType: 'Include', matchType: 'Exact', name: 'a.org' }], zones: ['ZAAAAAAAAAAAA1'] }
  const provider = { type: 'AWS', aws: { credentials: { name: 'not-there' } } }
  await onceServed(() => admin.create(kinds.v1alpha1.type, object('v1alpha1', 'ancient', { ...elsewhere, provider })))
  await define(admin, formerDefinition())
  const blue = object('v1beta1', 'blue')
  // For a moment a server goes on by the definition before, and leaves out what came with the new one.
  await eventually(
    async () => {
      const tried = await admin.create(kinds.v1beta1.type, blue, { dryRun: true }).catch(() => undefined)
      return (tried as ExternalDns | undefined)?.spec.provider.aws?.assumeRole
    },
    () => 'the new definition is not served',
  )
  const dns = (await admin.create(kinds.v1beta1.type, blue)) as ExternalDns
  const ancient = await admin.get<ExternalDns>(kinds.v1beta1.type, { namespace: '', name: 'ancient' })
  const left: StoredObject[] = []
  for (const made of formerObjects({ ...former, dns })) left.push(await admin.create(typeOf[made.kind] ?? deployments, made))
  return { left, formerly: { ancient, blue: dns } }
}

/** As somebody who applies another definition over the one that is there. */
async function define(admin: KubeClient, definition: CustomResourceDefinition): Promise<void> {
  await eventually(
    async () => {
      const { metadata } = await admin.get(customResourceDefinitions, { namespace: '', name: crdName })
      const changed = { ...definition, metadata: { ...definition.metadata, resourceVersion: metadata.resourceVersion } }
      return await admin.update(customResourceDefinitions, changed as unknown as StoredObject).catch(() => undefined)
    },
    () => 'the definition is not taken',
  )
}

async function storedVersions(admin: KubeClient): Promise<readonly string[]> {
  const { status } = await admin.get<StoredObject & { readonly status?: { readonly storedVersions?: readonly string[] } }>(
    customResourceDefinitions,
    { namespace: '', name: crdName },
  )
  return (status?.storedVersions ?? []).toSorted()
}

function onceServed<T>(ask: () => Promise<T>): Promise<T> {
  let last: unknown
  return eventually(
    () =>
      ask().catch((error: unknown) => {
        last = error
        return undefined
      }),
    () => `not served: ${String(last)}`,
  )
}
