import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdmissionAttributes } from './admission.ts'
import { immortalNamespaces } from './immortal-namespaces/immortal-namespaces.ts'
import { nodeTaint } from './node-taint/node-taint.ts'
import type { MakePlugin } from './plugin.ts'
import { requester } from './requester/requester.ts'
import { pluginWorld } from './requests.fixture.ts'
import { storageInUse } from './storage-in-use/storage-in-use.ts'

type Change = readonly [resource: string, object: object, more: Partial<AdmissionAttributes>, wanted: object | undefined]

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
const other = { ...notReady, effect: 'NoExecute' }
const named = { metadata: { name: 'a' } }
const jane = { username: 'jane', groups: ['devs'] }
const known = { ...jane, uid: 'u', extra: { scopes: ['all'] } }
const forged = {
  metadata: { name: 'a' },
  spec: { username: 'root', uid: '0', groups: ['system:masters'], extra: {}, request: 'r' },
}
const csr = 'certificates.k8s.io/v1/certificatesigningrequests'

/** What becomes of the object; undefined where it stays the very same. */
const changes: readonly (readonly [MakePlugin, ...Change])[] = [
  [nodeTaint, '/v1/nodes', named, {}, { ...named, spec: { taints: [notReady] } }],
  [
    nodeTaint,
    '/v1/nodes',
    { ...named, spec: { taints: [other], podCIDR: 'c' } },
    {},
    { ...named, spec: { taints: [other, notReady], podCIDR: 'c' } },
  ],
  [
    nodeTaint,
    '/v1/nodes',
    { ...named, spec: { taints: [{ ...notReady, key: 'k' }] } },
    {},
    { ...named, spec: { taints: [{ ...notReady, key: 'k' }, notReady] } },
  ],
  [nodeTaint, '/v1/nodes', { ...named, spec: { taints: [other, notReady] } }, {}, undefined],
  [nodeTaint, '/v1/nodes', named, { operation: 'UPDATE' }, undefined],
  [nodeTaint, '/v1/nodes', named, { subresource: 'status' }, undefined],
  [nodeTaint, '/v1/pods', named, {}, undefined],
  [
    storageInUse,
    '/v1/persistentvolumeclaims',
    named,
    {},
    { metadata: { name: 'a', finalizers: ['kubernetes.io/pvc-protection'] } },
  ],
  [
    storageInUse,
    '/v1/persistentvolumes',
    { metadata: { finalizers: ['a.b/c'] } },
    {},
    { metadata: { finalizers: ['a.b/c', 'kubernetes.io/pv-protection'] } },
  ],
  [storageInUse, '/v1/persistentvolumes', { metadata: { finalizers: ['kubernetes.io/pv-protection'] } }, {}, undefined],
  [storageInUse, '/v1/persistentvolumes', named, { operation: 'UPDATE' }, undefined],
  [storageInUse, '/v1/persistentvolumes', named, { subresource: 'status' }, undefined],
  [storageInUse, '/v1/configmaps', named, {}, undefined],
  [requester, csr, forged, { user: jane }, { ...named, spec: { request: 'r', username: 'jane', groups: ['devs'] } }],
  [requester, csr, named, { user: known }, { ...named, spec: known }],
  [requester, csr, forged, { user: jane, operation: 'UPDATE' }, undefined],
  [requester, csr, forged, { user: jane, subresource: 'approval' }, undefined],
  [requester, '/v1/configmaps', forged, { user: jane }, undefined],
]

for (const [make, resource, object, more, wanted] of changes) {
  const { plugin, request } = pluginWorld(make)
  test(`${plugin.name} makes of ${JSON.stringify(object)} of ${resource} with ${JSON.stringify(more)} ${JSON.stringify(wanted) ?? 'nothing else'}`, () => {
    const changed = plugin.mutate?.(request(resource, object, more))
    if (wanted === undefined) assert.equal(changed, object)
    else assert.deepEqual(changed, wanted)
    assert.equal(plugin.mutate?.(request(resource, undefined, more)), undefined)
  })
}

for (const [operation, resource, name, isRefused] of [
  ['DELETE', '/v1/namespaces', 'default', true],
  ['DELETE', '/v1/namespaces', 'kube-system', true],
  ['DELETE', '/v1/namespaces', 'kube-public', true],
  ['DELETE', '/v1/namespaces', 'kube-node-lease', false],
  ['UPDATE', '/v1/namespaces', 'default', false],
  ['DELETE', '/v1/configmaps', 'default', false],
] as const)
  test(`to ${operation.toLowerCase()} ${name} of ${resource} is ${isRefused ? 'refused' : 'allowed'}`, () => {
    const { plugin, request } = pluginWorld(immortalNamespaces)
    const ask = (): unknown => plugin.mutate?.(request(resource, undefined, { operation, name }))
    if (isRefused) assert.throws(ask, { message: `namespaces "${name}" is forbidden: this namespace may not be deleted` })
    else assert.equal(ask(), undefined)
  })
