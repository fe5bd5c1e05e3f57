// The operations themselves, and their order. What becomes of a pod by them, rows.test.ts says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAzureProgram } from '../flags/azure-settings.ts'
import { isObject, type PatchObject, type PodOperation } from '../patch.ts'
import type { CaSource, VolumeLayout } from './api.ts'
import { applyAdditions } from './apply-additions.ts'
import { type AzureInjection, injectAzure } from './inject.ts'
import { noneAdded } from './proxy-containers.ts'

const { admission } = readAzureProgram([], { AZURE_TENANT_ID: 'tenant' }).webhook
const injection: AzureInjection = {
  clientId: 'c',
  tenantId: 't',
  tokenEndpoint: undefined,
  expirationSeconds: 7_200n,
  skipped: new Set(),
  added: noneAdded,
}

function inject(pod: PatchObject, more: Partial<AzureInjection> = {}, layout: VolumeLayout = 'classic') {
  return injectAzure(pod, { ...injection, ...more }, { ...admission, layout }, () => {})
}
const pathsOf = (pod: PatchObject, more: Partial<AzureInjection> = {}): readonly string[] =>
  inject(pod, more).map(({ path }) => path)

test('what is null in a list is no container, and the one behind it keeps its place', () => {
  assert.deepEqual(pathsOf({ spec: { containers: [null, { name: 'a' }] } }), [
    '/spec/volumes',
    '/spec/containers/1/env',
    '/spec/containers/1/volumeMounts',
  ])
})

test('a container that is put in front moves the others, and one that comes last does not', () => {
  const spec = { initContainers: [{ name: 'i' }], containers: [{ name: 'a' }] }
  const sidecar = { list: 'initContainers', container: { name: 'front' } } as const
  const skipped = new Set(['a'])
  assert.deepEqual(pathsOf({ spec }, { skipped, added: { sidecar, init: { name: 'back' } } }), [
    '/spec/volumes',
    '/spec/initContainers/0',
    '/spec/initContainers/1/env',
    '/spec/initContainers/1/volumeMounts',
    '/spec/initContainers/-',
  ])
  assert.deepEqual(pathsOf({ spec }, { skipped: new Set(['i', 'a']), added: { sidecar: undefined, init: { name: 'back' } } }), [
    '/spec/volumes',
    '/spec/initContainers/-',
  ])
})

test('containers of ours make the list that the pod does not have, each with its identity', () => {
  const sidecar = { list: 'initContainers', container: { name: 'front', env: [{ name: 'A' }] } } as const
  const spec = { containers: [{ name: 'a' }] }
  const operations = inject({ spec }, { skipped: new Set(['a', 'back']), added: { sidecar, init: { name: 'back' } } })
  assert.deepEqual(
    operations.map(({ path }) => path),
    ['/spec/volumes', '/spec/initContainers'],
  )
  const [front, back] = operations.flatMap(({ path, value }) =>
    path === '/spec/initContainers' ? (value as readonly { name: string; env: readonly { name: string }[] }[]) : [],
  )
  assert.ok(front !== undefined)
  assert.deepEqual(
    [front.name, front.env.map(({ name }) => name)],
    ['front', ['A', 'AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_FEDERATED_TOKEN_FILE', 'AZURE_AUTHORITY_HOST']],
  )
  assert.deepEqual(back, { name: 'back' }, 'the pod skips it')
})

test('a pod without a spec is given one, and the volume in it', () => {
  for (const pod of [{}, { spec: null }]) {
    const [spec, ...others] = inject(pod)
    assert.deepEqual([spec, others.map(({ path }) => path)], [{ op: 'add', path: '/spec', value: {} }, ['/spec/volumes']])
  }
})

function projectedIn(operation: PodOperation | undefined): unknown {
  assert.ok(isObject(operation?.value))
  return operation.value['projected']
}

const token = (audience: string) => ({
  serviceAccountToken: { audience, expirationSeconds: 7_200, path: 'token/azure-identity-token' },
})

for (const [ca, sources] of [
  [{ kind: 'none' }, []],
  [{ kind: 'data', pem: 'PEM' }, []],
  [
    { kind: 'config-map', name: 'ca' },
    [{ configMap: { name: 'ca', items: [{ key: 'ca.crt', path: 'ca-cert/ca.crt' }], optional: false } }],
  ],
  [
    { kind: 'trust-bundle', signerName: 's', labelSelector: undefined },
    [{ clusterTrustBundle: { signerName: 's', path: 'ca-cert/ca.crt', optional: false } }],
  ],
  [
    { kind: 'trust-bundle', signerName: 's', labelSelector: { matchLabels: { a: 'b' } } },
    [
      {
        clusterTrustBundle: {
          signerName: 's',
          labelSelector: { matchLabels: { a: 'b' } },
          path: 'ca-cert/ca.crt',
          optional: false,
        },
      },
    ],
  ],
] as const satisfies readonly (readonly [CaSource, readonly object[]])[])
  test(`with an authority of ${JSON.stringify(ca)} the volume holds the token and ${sources.length === 0 ? 'nothing else' : 'the authority'} [§3.11]`, () => {
    const tokenEndpoint = { annotation: 'x', audience: 'endpoint', proxyUrl: '', sniName: '', ca }
    const [volume] = inject({ metadata: { name: 'p' }, spec: { volumes: [], containers: [] } }, { tokenEndpoint }, 'reserved')
    assert.deepEqual(projectedIn(volume), { sources: [token('endpoint'), ...sources] })
  })

test('without the custom token endpoint the token is for the audience of the flag, and stands alone', () => {
  const [volume] = inject({ metadata: { name: 'p' }, spec: { volumes: [] } }, {}, 'reserved')
  assert.deepEqual(projectedIn(volume), { sources: [token('api://AzureADTokenExchange')] })
})

test('what is added to a container of ours stands in it as the API server would put it', () => {
  const container = { name: 'a', env: [{ name: 'A' }] }
  const [b, c] = [{ name: 'B' }, { name: 'C' }]
  const additions = [
    { op: 'add', path: '/env/-', value: b },
    { op: 'add', path: '/volumeMounts', value: [c] },
    { op: 'add', path: '/volumeMounts/-', value: b },
  ] as const
  assert.deepEqual(applyAdditions(container, additions), { name: 'a', env: [{ name: 'A' }, b], volumeMounts: [c, b] })
  assert.deepEqual(applyAdditions(container, [{ op: 'add', path: '/env', value: [b] }]), { name: 'a', env: [b] })
  assert.deepEqual(container, { name: 'a', env: [{ name: 'A' }] })
})
