// What is read for each request, and what becomes of it where that cannot be read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { admissionHandlers, admissionPaths } from './handlers.ts'

const group = 'aws.identity.appthrust.io'
const account = { namespace: 'apps', name: 'app' }
const stored = (name: string, more: object = {}): StoredObject =>
  ({ metadata: { namespace: 'a', name }, spec: { serviceAccount: account }, ...more }) as unknown as StoredObject
const going = { metadata: { name: 'r', deletionTimestamp: '2026-01-01T00:00:00Z' } }

interface Hub {
  readonly config?: StoredObject
  readonly roles?: readonly StoredObject[]
  readonly error?: Error
}

async function ask(hub: Hub, more: object): Promise<{ readonly told: unknown; readonly read: readonly unknown[] }> {
  const read: unknown[] = []
  const answer = async (what: string, options: object, value: unknown): Promise<unknown> => {
    const { signal: _signal, ...rest } = options as { readonly signal: AbortSignal }
    read.push([what, rest])
    if (hub.error !== undefined) throw hub.error
    return value
  }
  const items = hub.roles ?? []
  const client = {
    find: (_type: unknown, key: object, options: object) => answer(`find ${JSON.stringify(key)}`, options, hub.config),
    list: (_type: unknown, options: object) => answer('list', options, { items: items.slice(0, 1) }),
    listAll: (_type: unknown, options: object) => answer('listAll', options, { items }),
  } as unknown as KubeClient
  const request = {
    uid: 'u',
    kind: { group, version: 'v1alpha1', kind: 'Any' },
    resource: { group, version: 'v1alpha1', resource: 'awsserviceaccountroles' },
    namespace: 'a',
    operation: 'CREATE',
    object: stored('new'),
    ...more,
  }
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }
  const body = new TextEncoder().encode(JSON.stringify(review))
  const { signal } = new AbortController()
  const handler = admissionHandlers(client)[admissionPaths.role]
  const response = await handler?.({ contentType: 'application/json', body, signal } as never)
  const { allowed, status } = JSON.parse(Buffer.from(response?.body as Uint8Array).toString()).response
  return { told: allowed === true ? 'allowed' : [status.code, status.reason, status.message], read }
}

const limit = { namespace: 'a', timeoutMs: 8_000 }
const findConfig = ['find {"namespace":"a","name":"default"}', { timeoutMs: 8_000 }]
const config = { config: stored('default') }
const resource = (name: string): object => ({ resource: { group, version: 'v1alpha1', resource: name } })
const deletion = { ...resource('awsworkloadidentityconfigs'), operation: 'DELETE', object: null, oldObject: stored('default') }
const bound = 'ServiceAccount apps/app is bound by AWSServiceAccountRole a/r already; change that one, or delete it first'

for (const [what, hub, request, told, read] of [
  ['a role', config, {}, 'allowed', [findConfig, ['listAll', { ...limit, fieldManagers: [] }]]],
  ['a role of a ServiceAccount that has one', { ...config, roles: [stored('r')] }, {}, [403, 'Forbidden', bound], undefined],
  ['a role of a ServiceAccount whose one goes', { ...config, roles: [stored('r', going)] }, {}, 'allowed', undefined],
  ['a role beside one that cannot be read', { ...config, roles: [stored('r', { spec: {} })] }, {}, 'allowed', undefined],
  [
    'a role under a config that goes',
    { config: stored('default', going) },
    {},
    [
      403,
      'Forbidden',
      'AWSWorkloadIdentityConfig/default in namespace a is being deleted; create the role when there is a new one',
    ],
    undefined,
  ],
  ['a change of a role', config, { operation: 'UPDATE' }, 'allowed', [findConfig]],
  ['the deletion of a config', {}, deletion, 'allowed', [['list', { ...limit, limit: 1 }]]],
  ['the status of a role', {}, { subResource: 'status' }, 'allowed', []],
  [
    'a kind of another group',
    {},
    { resource: { group: 'other', version: 'v1', resource: 'awsserviceaccountroles' } },
    'allowed',
    [],
  ],
] as const)
  test(`for ${what} no more is read than the answer takes [S19]`, async () => {
    const answer = await ask(hub, request)
    assert.deepEqual(answer.told, told)
    if (read !== undefined) assert.deepEqual(answer.read, read)
  })

const refused = (status: object): Error =>
  Object.assign(Object.create(KubeError.prototype) as KubeError, { status, httpStatus: 422 })
const unreadable = 'the objects that the decision needs could not be read; try again'
for (const [what, error, told] of [
  ['with its words', refused({ code: 403, reason: 'Forbidden', message: 'no' }), [403, 'Forbidden', 'no']],
  ['without words', refused({}), [422, 'InternalError', 'a read for the decision was refused']],
  ['by nobody', new Error('no answer'), [500, 'InternalError', unreadable]],
] as const)
  test(`a request whose read was refused ${what} is not let through`, async () =>
    assert.deepEqual((await ask({ error }, {})).told, told))
