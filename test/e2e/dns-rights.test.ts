// The rights of the dns operator's manifests on a server that enforces them: enough for all that it does, and none that it can do without.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#base'
import {
  configMaps,
  customResourceDefinitions,
  type KubeObject,
  namespaces,
  type Right,
  renderRbac,
  type StoredObject,
} from '#kube'
import type { KubeClient } from '#kube/client'
import { jobs, kinds, platformDnses } from '#operators/dns'
import { hubDefaults, rightsOfHub } from '../../src/cli/testing/commands.ts'
import { endedJob } from '../../src/kube/ended-job.fixture.ts'
import {
  awsKeys,
  awsSpec,
  dnsWorld,
  openShift,
  operandNamespace,
  operatorNamespace,
} from '../../src/operators/dns/testing/dns-world.ts'
import { renderIdentityCrds } from '../../src/operators/identity/api.ts'
import { type Asked, covers, type Recorder, recorder } from '../../src/operators/identity/testing/recorder.ts'
import { openCrd } from '../../src/runtime/testing/open-crd.ts'

const account = { namespace: 'vouch-system', name: 'vouch' }
const user = {
  username: `system:serviceaccount:${account.namespace}:${account.name}`,
  groups: ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`, 'system:authenticated'],
}

/** Checked by a real server beside a request for something else, or asked at the start and by the process. */
const implied: readonly (readonly [string, string])[] = [
  ['externaldnses/finalizers', 'update'],
  ['clusterroles', 'bind'],
  ['infrastructures', 'get'],
  // Read where somebody else made the object between our look and our create.
  ['credentialsrequests', 'get'],
  ['awsserviceaccountroles', 'get'],
  ['serviceaccounts', 'get'],
  ['jobs', 'get'],
  ['leases', 'get'],
  ['leases', 'list'],
  ['leases', 'watch'],
  ['leases', 'create'],
  ['leases', 'update'],
  ['tokenreviews', 'create'],
  ['subjectaccessreviews', 'create'],
]

async function grant(client: KubeClient, rights: readonly Right[]): Promise<void> {
  const metadata = { name: account.namespace }
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })
  for (const object of renderRbac({ name: 'vouch', rights, account, labels: {} })) {
    const plural = `${object.kind.toLowerCase()}s`
    const namespaced = !object.kind.startsWith('Cluster')
    await client.create({ group: 'rbac.authorization.k8s.io', version: 'v1', kind: object.kind, plural, namespaced }, object)
  }
}

/** Each verb of each right without which every request of this life would still be let through. */
function unused(rights: readonly Right[], { asked }: Recorder): readonly string[] {
  const as = (request: Asked, verb: string): Asked =>
    verb === 'list' && request.verb === 'watch' ? { ...request, verb } : request
  return rights.flatMap(right =>
    right.verbs
      .filter(verb => !implied.some(([resource, other]) => resource === right.resource && other === verb))
      .filter(verb => ![...asked.values()].some(request => covers({ ...right, verbs: [verb] }, as(request, verb))))
      .map(verb => `${verb} ${right.group}/${right.resource} ${right.within?.join() ?? ''}`.trim()),
  )
}

const exact = (name: string): object => ({ domains: [{ filterType: 'Include', matchType: 'Exact', name }] })

test('the rights of the manifests are those that a whole life takes, in both directions [S23]', async () => {
  const asks = recorder()
  const args = [
    '--controllers=dns',
    `--operator-namespace=${operatorNamespace}`,
    `--operand-namespace=${operandNamespace}`,
    '--trusted-ca-configmap=ca',
    '--per-instance-rbac',
  ]
  const rights = (await rightsOfHub({ ...hubDefaults, args })).flatMap(each => each.rights)
  const dns = { apiVersion: 'config.openshift.io/v1', kind: 'DNS', metadata: { name: 'cluster' }, spec: {} } as KubeObject
  await using world = dnsWorld({
    platform: openShift,
    settings: { perInstanceRbac: true, trustedCaConfigMap: 'ca', preflightEnabled: true },
    objects: [...renderIdentityCrds(), openCrd(platformDnses), dns],
    exchangeOf: server => asks.through(server.as(user)),
    sts: clock => ({
      clock,
      random: seededRandom(2),
      transport: { exchange: () => Promise.reject(new Error('no AWS here')) } as never,
    }),
  })
  const { client } = world
  await grant(client, rights)
  // Objects of an older version may be stored: they are moved, and the definition says so afterwards.
  const { plural, group } = kinds.v1beta2.type
  const definition = { namespace: '', name: `${plural}.${group}` }
  const older = { status: { storedVersions: ['v1alpha1', 'v1beta1'] } }
  await client.patch(customResourceDefinitions, definition, 'merge', older, { subresource: 'status' })
  world.start()
  const bundle = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: operatorNamespace, name: 'ca' },
    data: { 'ca-bundle.crt': '-----BEGIN CERTIFICATE-----' },
  }
  await client.create(configMaps, bundle as KubeObject)
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec({ operand: { cleanup: true } }), 'blue', 'v1beta2')
  await world.create({ provider: { type: 'AWS' }, source: { type: 'OpenShiftRoute' }, ...exact('b.org') }, 'platform')
  const bindingRef = { namespace: operandNamespace, name: 'bound', create: true }
  const bound = { provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'Binding', bindingRef } } }, ...exact('c.org') }
  await world.create(awsSpec(bound), 'bound', 'v1beta2')
  const irsa = { mode: 'IRSA', roleARN: 'arn:aws:iam::111122223333:role/x' }
  await world.create(
    awsSpec({ provider: { type: 'AWS', aws: { workloadIdentity: irsa } }, ...exact('d.org') }),
    'irsa',
    'v1beta2',
  )
  await world.settle()
  await world.advance(70_000)
  // Changes by people, each of which has to be followed or put right.
  await client.patch(configMaps, { namespace: operatorNamespace, name: 'ca' }, 'merge', {
    data: { 'ca-bundle.crt': '-----BEGIN CERTIFICATE-----2' },
  })
  const source = await client.get<StoredObject>(
    { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
    { namespace: operatorNamespace, name: 'dns-creds' },
  )
  await client.update({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }, {
    ...source,
    data: { credentials: 'eA==' },
  } as StoredObject)
  const request = {
    group: 'cloudcredential.openshift.io',
    version: 'v1',
    kind: 'CredentialsRequest',
    plural: 'credentialsrequests',
    namespaced: true,
  }
  const requestKey = { namespace: 'openshift-cloud-credential-operator', name: 'externaldns-credentials-request-aws' }
  await client.patch(request, requestKey, 'merge', { spec: { serviceAccountNames: ['x'] } })
  const edge = { namespace: '', name: 'irsa' }
  await client.patch(kinds.v1beta2.type, edge, 'merge', { spec: { source: { type: 'Ingress', hostnameAnnotation: 'Allow' } } })
  await client.patch(kinds.v1beta2.type, { namespace: '', name: 'bound' }, 'merge', { spec: { zones: ['ZAAAAAAAAAAAA1'] } })
  const rbac = {
    group: 'rbac.authorization.k8s.io',
    version: 'v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
  }
  await client.patch(rbac, { namespace: '', name: 'external-dns-blue' }, 'merge', { subjects: [] })
  await client.patch(
    { group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
    { namespace: operandNamespace, name: 'external-dns-irsa' },
    'merge',
    { metadata: { annotations: { 'eks.amazonaws.com/role-arn': null } } },
  )
  await world.settle()
  await world.advance(70_000)
  // The source goes twice, and the object; an event tells the first and counts the second, and a Job follows the third.
  const removeSource = async (): Promise<void> => {
    await client.delete(
      { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
      { namespace: operatorNamespace, name: 'dns-creds' },
    )
    await world.settle()
  }
  await removeSource()
  await world.secret('dns-creds', awsKeys)
  await world.settle()
  await removeSource()
  await client.delete(kinds.v1beta2.type, { namespace: '', name: 'blue' })
  await world.settle()
  await world.advance(70_000)
  assert.notEqual(await world.find(jobs, { namespace: operandNamespace, name: 'external-dns-blue-cleanup' }), undefined)
  await client.patch(jobs, { namespace: operandNamespace, name: 'external-dns-blue-cleanup' }, 'merge', endedJob('Complete'), {
    subresource: 'status',
  })
  await world.settle()
  assert.equal(await world.find(kinds.v1beta2.type, { namespace: '', name: 'blue' }), undefined)
  assert.deepEqual([...new Set(asks.forbidden)], [], 'what the server refused')
  assert.deepEqual(unused(rights, asks), [], 'rights that nothing needs')
})
