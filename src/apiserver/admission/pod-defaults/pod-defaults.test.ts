import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdmissionAttributes } from '../admission.ts'
import { type Objects, pluginWorld } from '../requests.fixture.ts'
import { podDefaults } from './pod-defaults.ts'

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'

interface Mount {
  readonly name: string
  readonly mountPath: string
  readonly readOnly?: boolean
}
interface Container {
  readonly name?: string
  readonly volumeMounts?: readonly Mount[]
}
interface PodSpec {
  readonly [field: string]: unknown
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly { readonly name: string; readonly [field: string]: unknown }[]
  readonly tolerations?: readonly object[]
}

function account(more: object = {}, name = 'default'): Objects {
  return { kind: 'ServiceAccount', metadata: { name, namespace: 'x' }, ...more }
}

function admitted(spec: object, more: Partial<AdmissionAttributes> = {}, accounts = [account()]): PodSpec {
  const { plugin, request } = pluginWorld(podDefaults, accounts)
  const object = plugin.mutate?.(request('/v1/pods', { metadata: { name: 'p' }, spec }, more))
  return object?.spec as PodSpec
}

const plain = { automountServiceAccountToken: false, tolerations: [{ operator: 'Exists' }] }

test('a pod gets its account and the token of it, in every container that mounts nothing there', () => {
  const own = { name: 'own', mountPath: tokenPath }
  const elsewhere = { name: 'data', mountPath: '/data' }
  const spec = admitted({
    containers: [{ name: 'a' }, { name: 'b', volumeMounts: [own] }, { name: 'c', volumeMounts: [elsewhere] }],
    initContainers: [{ name: 'd' }],
    volumes: [{ name: 'data' }],
  })
  assert.deepEqual([spec.serviceAccountName, spec.serviceAccount], ['default', 'default'])
  const [data, token] = spec.volumes ?? []
  const name = token?.name ?? ''
  assert.match(name, /^kube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
  assert.deepEqual(data, { name: 'data' })
  assert.deepEqual(token, {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
      ],
      defaultMode: 420,
    },
  })
  const mount = { name, readOnly: true, mountPath: tokenPath }
  assert.deepEqual(
    spec.containers?.map(({ volumeMounts }) => volumeMounts),
    [[mount], [own], [elsewhere, mount]],
  )
  assert.deepEqual(
    spec.initContainers?.map(({ volumeMounts }) => volumeMounts),
    [[mount]],
  )
})

test('a pod whose containers all mount something there gets no volume', () => {
  const containers = [{ volumeMounts: [{ name: 'own', mountPath: tokenPath }] }]
  const spec = admitted({ containers })
  assert.deepEqual([spec.containers, spec.volumes], [containers, undefined])
  assert.equal('initContainers' in admitted({ containers: [{}] }), false)
})

test('a pod that has the volume already keeps it', () => {
  const volumes = [{ name: 'data' }, { name: 'kube-api-access-known' }]
  const spec = admitted({ containers: [{}], volumes })
  assert.deepEqual(spec.volumes, volumes)
  assert.equal(spec.containers?.[0]?.volumeMounts?.[0]?.name, 'kube-api-access-known')
})

for (const [spec, ofAccount, isMounted] of [
  [undefined, undefined, true],
  [undefined, false, false],
  [true, false, true],
  [false, true, false],
] as const)
  test(`a pod that says ${spec} of an account that says ${ofAccount} ${isMounted ? 'mounts' : 'does not mount'} the token`, () => {
    const automount = (value: boolean | undefined): object => (value === undefined ? {} : { automountServiceAccountToken: value })
    const { volumes } = admitted({ containers: [{}], ...automount(spec) }, {}, [account(automount(ofAccount))])
    assert.equal(volumes?.length, isMounted ? 1 : undefined)
  })

test('the account is the one that the pod names, and has to be there', () => {
  const accounts = [account(), account({}, 'bot')]
  assert.equal(admitted({ ...plain, serviceAccountName: 'bot' }, {}, accounts).serviceAccount, 'bot')
  assert.equal(admitted({ ...plain, serviceAccountName: '' }, {}, accounts).serviceAccountName, 'default')
  assert.throws(() => admitted({ ...plain, serviceAccountName: 'none' }, {}, accounts), {
    message: 'pods "p" is forbidden: error looking up service account x/none: serviceaccount "none" not found',
  })
})

test('a pod without secrets for images has those of its account', () => {
  const accounts = [account({ imagePullSecrets: [{ name: 'ours' }] })]
  assert.deepEqual(admitted(plain, {}, accounts).imagePullSecrets, [{ name: 'ours' }])
  assert.deepEqual(admitted({ ...plain, imagePullSecrets: [] }, {}, accounts).imagePullSecrets, [{ name: 'ours' }])
  const own = [{ name: 'own' }]
  assert.deepEqual(admitted({ ...plain, imagePullSecrets: own }, {}, accounts).imagePullSecrets, own)
  assert.equal('imagePullSecrets' in admitted(plain), false)
})

const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }
const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' }
for (const [said, tolerations, added] of [
  ['none', undefined, [notReady, unreachable]],
  ['another', [{ key: 'k', operator: 'Exists' }], [notReady, unreachable]],
  ['one of them', [{ key: notReady.key, effect: 'NoExecute' }], [unreachable]],
  ['one of them for any effect', [{ key: unreachable.key }], [notReady]],
  ['one of them for another effect', [{ key: notReady.key, effect: 'NoSchedule' }], [notReady, unreachable]],
  ['everything', [{ key: 'k' }, { operator: 'Exists' }], []],
  ['everything, with an empty key', [{ key: '', operator: 'Exists' }], []],
] as const)
  test(`a pod that tolerates ${said} gets ${added.length} more`, () => {
    const wanted = [...(tolerations ?? []), ...added]
    const spec = { ...plain, tolerations }
    assert.deepEqual(admitted(spec).tolerations, wanted)
    const changed = admitted({ tolerations }, { operation: 'UPDATE' })
    assert.deepEqual(changed, { tolerations: wanted }, 'a change gets nothing else')
  })

test('what is no pod, or not its whole, is left as it is', () => {
  const { plugin, request } = pluginWorld(podDefaults)
  const object = { metadata: { name: 'p' }, spec: { containers: [{}] } }
  for (const asked of [
    request('/v1/podtemplates', object),
    request('apps/v1/deployments', object),
    request('/v1/pods', object, { subresource: 'status', operation: 'UPDATE' }),
    request('/v1/pods', object, { operation: 'CONNECT' }),
    request('/v1/pods', { ...object, spec: null }),
  ])
    assert.equal(plugin.mutate?.(asked), asked.object)
  assert.equal(plugin.mutate?.(request('/v1/pods', undefined)), undefined)
})
