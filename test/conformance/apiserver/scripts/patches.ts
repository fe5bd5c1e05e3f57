// Patches that are nearly right, each tried on an object and not stored: what a real server takes that no standard has, and what it says.
import { deployment } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const patchScripts: readonly Script[] = [
  {
    id: 'patches-strategic',
    title: 'strategic patches that are nearly right',
    run: s => tryAll(s, 'strategic', strategicPatches),
  },
  { id: 'patches-json', title: 'JSON patches that are nearly right', run: s => tryAll(s, 'json', jsonPatches) },
  { id: 'patches-whole', title: 'JSON patches of a whole object, and fields that stand twice', run: tryWhole },
  { id: 'patches-order', title: 'orders of lists that are not there yet', run: s => tryAll(s, 'strategic', ordersOfNew) },
  { id: 'patches-fractions', title: 'a fraction where a whole number belongs, applied', run: applyFraction },
]

const wholePatches: readonly Json[] = [
  [{ op: 'replace', path: '', value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'plain' }, data: { q: 'r' } } }],
  [{ op: 'add', path: '', value: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'plain' }, data: { q: 'r' } } }],
  [{ op: 'test', path: '', value: {} }],
  [{ op: 'remove', path: '' }],
  [{ op: 'copy', from: '', path: '/data/z' }],
  [{ op: 'move', from: '', path: '/data/z' }],
  [{ op: 'copy', from: '/data', path: '' }],
  [{ op: 'move', from: '/data', path: '' }],
  [{ op: 'replace', path: '/metadata/namespace', value: '' }],
  [{ op: 'replace', path: '/metadata/namespace', value: 'elsewhere' }],
  [{ op: 'remove', path: '/metadata/namespace' }],
]

const twice: readonly string[] = [
  '[{"op":"add","path":"/data/x","path":"/data/y","value":"1"}]',
  '[{"op":"add","path":"/data/x","value":"1","value":"2"}]',
  '[{"op":"test","op":"add","path":"/data/x","value":"1","odd":1,"odd":2}]',
]

async function tryWhole(s: Session): Promise<void> {
  await s.post(s.path('configmaps'), configMap('plain'))
  const target = `${s.path('configmaps', 'plain')}?dryRun=All`
  for (const patch of wholePatches) await s.patch(target, 'json', patch)
  for (const raw of twice)
    for (const validation of ['Ignore', 'Warn', 'Strict'])
      await s.send('PATCH', `${target}&fieldValidation=${validation}`, { raw, type: 'application/json-patch+json' })
}

async function applyFraction(s: Session): Promise<void> {
  await s.post(s.path('deployments.apps/v1'), deployment('web'))
  const { spec, ...rest } = deployment('web') as { readonly spec: object }
  const target = `${s.path('deployments.apps/v1', 'web')}?fieldManager=m&force=true&dryRun=All`
  await s.patch(target, 'apply', { ...rest, spec: { ...spec, replicas: 1.5 } } as Json)
}

type Row = readonly [on: string, patch: Json]

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' }
const configMap = (name: string, metadata: object = {}): Json =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data: { a: '1' } }) as Json

async function tryAll(s: Session, type: 'strategic' | 'json', rows: readonly Row[]): Promise<void> {
  await s.post(s.path('configmaps'), configMap('plain'))
  await s.post(s.path('configmaps'), configMap('owned', { finalizers: ['a.b/c'], ownerReferences: [owner], labels: { x: 'y' } }))
  await s.post(s.path('deployments.apps/v1'), deployment('web'))
  for (const [on, patch] of rows)
    await s.patch(`${on === 'web' ? s.path('deployments.apps/v1', on) : s.path('configmaps', on)}?dryRun=All`, type, patch)
}

const names = (...all: readonly string[]): Json => all.map(name => ({ name }))

const ordersOfNew: readonly Row[] = [
  ['plain', { metadata: { '$setElementOrder/finalizers': ['x.io/b', 'x.io/a'], finalizers: ['x.io/a', 'x.io/b'] } }],
  ['plain', { metadata: { '$setElementOrder/finalizers': ['x.io/a', 'x.io/b'], finalizers: ['x.io/a', 'x.io/b'] } }],
  ['plain', { metadata: { '$setElementOrder/finalizers': ['x.io/c', 'x.io/a'], finalizers: ['x.io/a'] } }],
  [
    'web',
    {
      spec: {
        template: { spec: { '$setElementOrder/imagePullSecrets': names('y', 'x'), imagePullSecrets: names('x', 'y', 'z') } },
      },
    },
  ],
  [
    'web',
    { spec: { template: { spec: { '$setElementOrder/imagePullSecrets': names('x', 'y'), imagePullSecrets: names('x', 'y') } } } },
  ],
]

const strategicPatches: readonly Row[] = [
  ['plain', { data: { $patch: 'sideways', b: '1', a: 'x' } }],
  ['plain', { $patch: 1 }],
  ['plain', { $patch: null }],
  ['plain', { $patch: ['x'] }],
  ['plain', { $patch: 'merge', data: { a: 'q' } }],
  ['plain', { data: { $patch: 'merge', b: 'c' } }],
  ['plain', { metadata: { labels: { $patch: 'sideways' } } }],
  ['plain', { metadata: { labels: { $patch: 'replace', a: 'b' } } }],
  ['owned', { metadata: { labels: { $patch: 'replace', a: 'b' } } }],
  ['plain', { metadata: { labels: { $patch: 'merge', a: 'b' } } }],
  ['plain', { metadata: { labels: { $patch: 'delete', a: 'b' } } }],
  ['owned', { metadata: { labels: { $patch: 'delete', a: 'b' } } }],
  ['plain', { metadata: { labels: { $retainKeys: ['a'], a: 'b' } } }],
  ['owned', { metadata: { labels: { $retainKeys: ['a'], a: 'b' } } }],
  ['plain', { metadata: { labels: { $retainKeys: ['a'], b: 'b' } } }],
  ['owned', { metadata: { labels: { $retainKeys: ['a'], b: 'b' } } }],
  ['owned', { metadata: { labels: { $retainKeys: 'a', b: 'b' } } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'merge', uid: 'x' }] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'sideways', uid: 'x' }] } }],
  ['owned', { metadata: { finalizers: ['a.b/c'], '$deleteFromPrimitiveList/finalizers': ['x'] } }],
  ['owned', { metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] } }],
  ['owned', { metadata: { '$deleteFromPrimitiveList/finalizers': 'x' } }],
  ['owned', { metadata: { '$setElementOrder/finalizers': ['x'] } }],
  ['owned', { metadata: { '$setElementOrder/finalizers': 'x' } }],
  ['owned', { metadata: { $setElementOrder: ['x'] } }],
  ['owned', { data: { x: { $patch: 'sideways' } } }],
  ['owned', { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.b/c'] } }],
  ['owned', { metadata: { finalizers: 'x' } }],
  ['owned', { metadata: { '$setElementOrder/finalizers': 'x', finalizers: ['q.b/c'] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'merge', uid: 'u' }] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'sideways', uid: 'u' }] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'sideways', uid: 'other' }] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'replace' }] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'merge' }] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'u' }] } }],
  ['owned', { metadata: { ownerReferences: [{ $patch: 'delete' }] } }],
  ['owned', { metadata: { ownerReferences: [{ name: 'z' }] } }],
  ['owned', { metadata: { ownerReferences: [1] } }],
  ['owned', { metadata: { ownerReferences: ['x'] } }],
  ['owned', { metadata: { ownerReferences: [null] } }],
  ['owned', { metadata: { ownerReferences: { a: 1 } } }],
  ['owned', { metadata: { ownerReferences: 'x' } }],
  ['owned', { metadata: { ownerReferences: null } }],
  ['owned', { metadata: { finalizers: [{ a: 1 }] } }],
  ['owned', { metadata: { finalizers: [1] } }],
  ['owned', { data: { $retainKeys: ['a'], a: 'q' } }],
  ['owned', { data: { $retainKeys: ['b'], b: 'q' } }],
  ['owned', { data: { $retainKeys: ['b'] } }],
  ['owned', { data: { $retainKeys: ['a'], b: null } }],
  ['owned', { data: { $retainKeys: [1], a: 'q' } }],
  ['owned', { data: { $retainKeys: null, a: 'q' } }],
  ['owned', { data: { $unknown: 'a' } }],
  ['owned', { data: { a: { b: 'c' } } }],
  ['owned', { data: ['x'] }],
  ['owned', { $patch: 'replace', data: { z: 'z' } }],
  ['owned', { $patch: 'replace', metadata: { name: 'owned', namespace: 'default' }, data: { z: 'z' } }],
  ['owned', { $patch: 'delete' }],
  ['owned', { data: { $patch: 'replace', z: 'z', n: null } }],
  ['owned', { data: { $patch: 'delete', z: 'z' } }],
  ['web', { spec: { template: { spec: { affinity: { '$setElementOrder/foo': ['x'], nodeAffinity: {} } } } } }],
  ['web', { spec: { template: { spec: { affinity: { '$deleteFromPrimitiveList/foo': ['x'], nodeAffinity: {} } } } } }],
  ['web', { spec: { template: { spec: { affinity: { $retainKeys: ['nodeAffinity'], nodeAffinity: {} } } } } }],
  ['web', { spec: { template: { spec: { affinity: { nodeAffinity: { $patch: 'replace' }, podAffinity: {} } } } } }],
  [
    'web',
    {
      spec: {
        template: {
          spec: {
            '$setElementOrder/volumes': [{ name: 'v' }],
            volumes: [{ $retainKeys: ['name', 'emptyDir'], name: 'v', emptyDir: {} }],
          },
        },
      },
    },
  ],
  ['web', { spec: { template: { spec: { volumes: [{ $retainKeys: ['name', 'emptyDir'], name: 'v', emptyDir: {} }] } } } }],
  [
    'web',
    {
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'main' }, { name: 'e' }],
            containers: [{ name: 'e', image: 'y', '$setElementOrder/env': [{ name: 'q' }], env: [{ name: 'q', value: '1' }] }],
          },
        },
      },
    },
  ],
  [
    'web',
    {
      spec: {
        template: { spec: { '$setElementOrder/containers': [{ nome: 'c' }], containers: [{ name: 'main', image: 'z' }] } },
      },
    },
  ],
  ['web', { spec: { template: { spec: { '$setElementOrder/containers': ['c'], containers: [{ name: 'main', image: 'z' }] } } } }],
  [
    'web',
    {
      spec: {
        template: { spec: { '$setElementOrder/containers': [{ name: 'other' }], containers: [{ name: 'main', image: 'z' }] } },
      },
    },
  ],
  ['web', { spec: { template: { spec: { '$setElementOrder/containers': [], containers: [{ name: 'main', image: 'z' }] } } } }],
  ['web', { spec: { template: { spec: { containers: [{ image: 'z' }] } } } }],
  [
    'web',
    {
      spec: {
        template: {
          spec: { containers: [{ name: 'main', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }] },
        },
      },
    },
  ],
  ['web', { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }],
  ['web', { spec: { strategy: { type: 'Recreate' } } }],
  ['web', { spec: { strategy: { type: 'Recreate', $patch: 'replace' } } }],
  [
    'owned',
    {
      metadata: {
        ownerReferences: [
          { $patch: 'replace', uid: 'u' },
          { uid: 'v', apiVersion: 'v1', kind: 'Pod', name: 'a' },
        ],
      },
    },
  ],
  [
    'owned',
    {
      metadata: {
        ownerReferences: [
          { $patch: 'replace' },
          { $patch: 'delete', uid: 'u' },
          { uid: 'v', apiVersion: 'v1', kind: 'Pod', name: 'a', controller: null },
        ],
      },
    },
  ],
  ['owned', { metadata: { finalizers: 1 } }],
  ['owned', { metadata: { finalizers: true } }],
  ['owned', { data: 'x' }],
  ['owned', { data: 1 }],
  ['owned', { data: true }],
  ['owned', { data: { a: ['x'] } }],
  ['owned', { immutable: ['x'] }],
  ['owned', { immutable: { x: 1 } }],
  ['owned', { metadata: { generation: ['x'] } }],
  ['owned', { metadata: { generation: { a: 'x' } } }],
  ['owned', { metadata: ['x'] }],
  ['owned', { metadata: 'x' }],
  ['owned', { metadata: { creationTimestamp: 'x' } }],
]

const jsonPatches: readonly Row[] = [
  ['plain', [1]],
  ['plain', ['x']],
  ['plain', [null]],
  ['plain', [[]]],
  ['plain', [{ op: 1 }]],
  ['plain', [{ op: 'add', path: {} }]],
  ['plain', [{ op: 'add', path: '/data/a', from: 1, value: 'x' }]],
  ['plain', [{ op: 'add', path: 'data/a', value: 'x' }]],
  ['plain', [{ op: 'add', path: 'data/data/a', value: 'x' }]],
  ['plain', [{ op: 'add', path: 'x/data/a', value: 'x' }]],
  ['plain', [{ op: 'add', path: 'data', value: 'x' }]],
  ['plain', [{ op: 'remove', path: 'data/a' }]],
  ['plain', [{ op: 'replace', path: 'data/a', value: 'z' }]],
  ['plain', [{ op: 'replace', path: 'data/z', value: 'z' }]],
  ['plain', [{ op: 'replace', path: '/data/z', value: 'z' }]],
  ['plain', [{ op: 'replace', path: '/datum', value: 'z' }]],
  ['plain', [{ op: 'replace', path: '/metadata/labels', value: { a: 'z' } }]],
  ['plain', [{ op: 'test', path: 'data/a', value: '1' }]],
  ['plain', [{ op: 'test', path: 'x/data/a', value: '1' }]],
  ['plain', [{ op: 'add', path: '/data/a' }]],
  ['plain', [{ op: 'add', path: '/data/q' }]],
  ['plain', [{ op: 'replace', path: '/data/a' }]],
  ['plain', [{ op: 'replace', path: '/data/q' }]],
  ['plain', [{ op: 'replace', path: '/data' }]],
  ['plain', [{ op: 'test', path: '/data/a' }]],
  ['plain', [{ op: 'test', path: '/data/a', value: null }]],
  ['plain', [{ op: 'test', path: '/data/q', value: null }]],
  ['plain', [{ op: 'test', path: '/nothing/q', value: null }]],
  ['plain', [{ op: 'move', path: '/data/b', from: 'data/a' }]],
  ['plain', [{ op: 'copy', path: '/data/b', from: 'x/data/a' }]],
  ['plain', [{ op: 'copy', path: '/data/b', from: 'data' }]],
  ['plain', [{ op: 'move', path: '/data/b' }]],
  ['plain', [{ op: 'copy', path: '/data/b' }]],
  ['plain', [{ op: 'add', path: '/nothing' }]],
  ['plain', [{ op: 'add', path: 'x', value: { a: 1 } }]],
  ['plain', [{ op: 'add', path: '/', value: 1 }]],
  ['plain', [{ op: 'add', path: '/data/a', value: 'x', other: 1 }]],
  ['plain', [{ OP: 'add', path: '/data/a', value: 'x' }]],
  ['plain', [{ op: 'add', path: '/data/a/b', value: 'x' }]],
  ['plain', [{ op: 'add', path: '/metadata/managedFields/-', value: {} }]],
  ['plain', [{ op: 'add', path: '/metadata/managedFields/5', value: {} }]],
  ['plain', [{ op: 'remove', path: '/metadata/managedFields/-1' }]],
  ['plain', [{ op: 'remove', path: '/metadata/managedFields/x' }]],
  ['plain', [{ op: 'add', path: '/metadata/managedFields/-1', value: {} }]],
  ['owned', [{ op: 'add', path: '/data/a', value: 'x', other: 1 }]],
  ['owned', [{ op: 'remove', path: '/metadata/finalizers/-1' }]],
  ['owned', [{ op: 'remove', path: '/metadata/finalizers/-2' }]],
  ['owned', [{ op: 'add', path: '/metadata/finalizers/-1', value: 'q.b/c' }]],
  ['owned', [{ op: 'add', path: '/metadata/finalizers/-2', value: 'q.b/c' }]],
  ['owned', [{ op: 'add', path: '/metadata/finalizers/-3', value: 'q.b/c' }]],
  ['owned', [{ op: 'replace', path: '/metadata/finalizers/-1', value: 'q.b/c' }]],
  ['owned', [{ op: 'test', path: '/metadata/finalizers/-1', value: 'a.b/c' }]],
  ['owned', [{ op: 'add', path: '/metadata/finalizers/01', value: 'q.b/c' }]],
  ['owned', [{ op: 'add', path: '/metadata/finalizers/+1', value: 'q.b/c' }]],
  ['owned', [{ op: 'replace', path: '/metadata/finalizers/00', value: 'q.b/c' }]],
  ['owned', [{ op: 'copy', from: '/metadata/finalizers/-1', path: '/data/a' }]],
  ['owned', [{ op: 'test', path: '/metadata/finalizers/7', value: null }]],
  ['owned', [{ op: 'test', path: '/metadata/finalizers/x', value: null }]],
  ['owned', [{ op: 'test', path: '/nothing', value: null }]],
  ['owned', [{ op: 'test', path: '/data/a/b', value: null }]],
  ['owned', [{ op: 'remove', path: '' }]],
]
