// A fuzzed sequence is data: steps that say what to do to which object in which way. Whatever a step needs to know (a revision, what is
// there) it takes from what the same server answered before, so a sequence means the same on every server and any part of it still runs.
import type { Random } from '#base'
import type { Json } from '../transcript.ts'

export type FuzzKind = 'configmaps' | 'secrets' | 'widgets' | 'deployments' | 'leases' | 'services' | 'pods' | 'roles'

export type FuzzStep =
  | { readonly do: 'create'; readonly kind: FuzzKind; readonly name: string; readonly content: Json; readonly query: string }
  | {
      readonly do: 'put'
      readonly kind: FuzzKind
      readonly name: string
      readonly content: Json
      readonly revision: 'current' | 'first' | 'none'
      readonly query: string
      readonly sub: string
    }
  | {
      readonly do: 'patch'
      readonly kind: FuzzKind
      readonly name: string
      readonly how: 'merge' | 'json' | 'strategic' | 'apply'
      readonly content: Json
      readonly query: string
      readonly sub: string
    }
  | { readonly do: 'delete'; readonly kind: FuzzKind; readonly name: string; readonly options: Json | undefined }
  | { readonly do: 'get'; readonly kind: FuzzKind; readonly name: string; readonly sub: string }
  | { readonly do: 'list'; readonly kind: FuzzKind; readonly query: string }
  | {
      readonly do: 'raw'
      readonly kind: FuzzKind
      readonly method: string
      readonly text: string
      readonly type: string
      readonly query: string
    }

type Choose = <T>(options: readonly T[]) => T

const kinds: readonly FuzzKind[] = [
  'configmaps',
  'configmaps',
  'secrets',
  'widgets',
  'widgets',
  'widgets',
  'deployments',
  'leases',
  'services',
  'pods',
  'roles',
]
const names = ['a', 'b', 'c'] as const

export function fuzzSteps(random: Random, count: number): FuzzStep[] {
  const choose: Choose = options => options[random.integer(options.length)] as (typeof options)[number]
  return Array.from({ length: count }, () => fuzzStep(random, choose))
}

function fuzzStep(random: Random, choose: Choose): FuzzStep {
  const kind = choose(kinds)
  const name = random.integer(30) === 0 ? choose(['Bad_Name', 'x'.repeat(254), 'missing', 'a.b']) : choose(names)
  const content = fuzzContent(kind, random, choose)
  const sub = kind === 'widgets' || kind === 'deployments' ? choose(['', '', '', '/status', '/scale']) : ''
  switch (random.integer(10)) {
    case 0:
    case 1:
    case 2:
      return {
        do: 'create',
        kind,
        name,
        content,
        query: choose([
          '',
          '',
          '',
          '?dryRun=All',
          '?fieldValidation=Strict',
          '?fieldManager=f1',
          '?dryRun=x',
          '?fieldValidation=x',
        ]),
      }
    case 3:
      return {
        do: 'put',
        kind,
        name,
        content,
        revision: choose(['current', 'current', 'first', 'none']),
        query: choose(['', '?fieldManager=f2', '?dryRun=All']),
        sub,
      }
    case 4:
    case 5: {
      const how = choose(['merge', 'json', 'strategic', 'apply', 'apply'] as const)
      const query =
        how === 'apply'
          ? choose(['?fieldManager=m1', '?fieldManager=m2', '?fieldManager=m1&force=true', '?fieldManager=m2&force=true', ''])
          : choose(['', '?fieldManager=f3', '?force=true', '?fieldValidation=Strict'])
      return { do: 'patch', kind, name, how, content: how === 'json' ? jsonPatch(random, choose) : content, query, sub }
    }
    case 6:
      return {
        do: 'delete',
        kind,
        name,
        options: choose([
          undefined,
          undefined,
          { propagationPolicy: 'Foreground' },
          { propagationPolicy: 'Orphan' },
          { gracePeriodSeconds: 0 },
          { dryRun: ['All'] },
          { preconditions: { resourceVersion: '1' } },
          { propagationPolicy: 'x' },
        ]),
      }
    case 7:
      return { do: 'get', kind, name, sub: choose(['', '', sub]) }
    case 8:
      return {
        do: 'list',
        kind,
        query: choose([
          '',
          '',
          '?labelSelector=l%3D1',
          '?labelSelector=l!%3D1',
          '?labelSelector=l%20in%20(1,2)',
          '?limit=1',
          '?fieldSelector=metadata.name%3Da',
          '?fieldSelector=metadata.name!%3Da',
          '?resourceVersion=0',
          '?labelSelector=%3D',
          '?fieldSelector=nope%3D1',
          '?limit=-1',
          '?limit=x',
          '?resourceVersion=x',
          '?continue=x',
          '?resourceVersionMatch=Exact',
          '?timeoutSeconds=x',
        ]),
      }
    default:
      return fuzzRaw(kind, choose)
  }
}

function fuzzRaw(kind: FuzzKind, choose: Choose): FuzzStep {
  const text = choose([
    '',
    '{',
    '[]',
    'null',
    '"x"',
    '{}',
    '{"kind":"ConfigMap"}',
    '{"apiVersion":"v1"}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"}}',
    '{"apiVersion":"v1","kind":"Nope","metadata":{"name":"a"}}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":[]}',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":1}}',
    'a: b\n',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"labels":{"a":null}},"data":{"a":null}}',
    '\u0000',
  ])
  return {
    do: 'raw',
    kind,
    method: choose(['POST', 'PUT', 'PATCH', 'DELETE']),
    text,
    type: choose([
      'application/json',
      'application/json',
      'application/yaml',
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/apply-patch+yaml',
      'text/plain',
    ]),
    query: choose(['', '?fieldManager=m1']),
  }
}

function fuzzContent(kind: FuzzKind, random: Random, choose: Choose): Json {
  const metadata: Record<string, Json> = {}
  if (random.integer(3) === 0)
    metadata['labels'] = choose([{ l: '1' }, { l: '2', m: '' }, { 'bad key': 'x' }, { l: 'bad value!' }, {}])
  if (random.integer(5) === 0) metadata['annotations'] = choose([{ a: 'b' }, { 'x/y': 'z' }, { 'bad key!': '' }])
  if (random.integer(6) === 0)
    metadata['finalizers'] = choose([['example.com/hold'], [], ['bad'], ['example.com/hold', 'example.com/too']])
  if (random.integer(10) === 0)
    metadata['ownerReferences'] = choose<Json>([
      [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' }],
      [{ kind: 'X' }],
      [],
    ])
  if (random.integer(15) === 0)
    Object.assign(
      metadata,
      choose<Json>([
        { uid: 'x' },
        { generation: 5 },
        { creationTimestamp: null },
        { resourceVersion: '' },
        { managedFields: [] },
        { namespace: 'other' },
        { deletionTimestamp: '2020-01-01T00:00:00Z' },
      ]),
    )
  return { ...(bodyOf(kind, random, choose) as object), metadata } as Json
}

function bodyOf(kind: FuzzKind, random: Random, choose: Choose): Json {
  const some = (share: number, value: () => Json, key: string): Record<string, Json> =>
    random.integer(share) === 0 ? { [key]: value() } : {}
  switch (kind) {
    case 'configmaps':
      return {
        data: choose<Json>([{ a: '1' }, { a: '2', b: '3' }, {}, null, { a: 1 }, { 'bad key': 'x' }, { a: null }]),
        ...some(8, () => choose([true, false]), 'immutable'),
        ...some(8, () => choose<Json>([{ c: 'aGk=' }, { a: 'aGk=' }, { c: '!' }]), 'binaryData'),
        ...some(12, () => 1, 'nonsense'),
      }
    case 'secrets':
      return {
        ...some(2, () => choose<Json>([{ a: 'MQ==' }, { a: '!' }, { b: 'Mg==' }]), 'data'),
        ...some(3, () => choose<Json>([{ a: 'x' }, { c: 'y' }]), 'stringData'),
        ...some(5, () => choose(['Opaque', 'my/type', 'kubernetes.io/tls', '']), 'type'),
      }
    case 'widgets':
      return {
        spec: {
          ...some(2, () => choose<Json>([1, 5, 11, 0, 'x', 1.5, null]), 'size'),
          ...some(3, () => choose<Json>(['red', 'blue', 'green', null]), 'color'),
          ...some(
            3,
            () =>
              choose<Json>([
                [{ name: 'a', value: '1' }],
                [{ name: 'b' }, { name: 'a' }],
                [{ name: 'a' }, { name: 'a' }],
                [],
                [{ value: 'x' }],
                null,
              ]),
            'items',
          ),
          ...some(4, () => choose<Json>([['x'], ['y', 'x'], ['x', 'x'], []]), 'tags'),
          ...some(4, () => choose<Json>([['p'], ['q', 'p'], []]), 'list'),
          ...some(4, () => choose<Json>([{ x: 'y' }, { n: 1 }, { z: 1 }, {}, null]), 'nested'),
          ...some(4, () => choose<Json>([{ deep: { er: [1, { a: null }] } }, 'text', null, {}]), 'any'),
          ...some(4, () => choose<Json>([1, 3]), 'replicas'),
          ...some(15, () => 1, 'nonsense'),
        },
        ...some(
          3,
          () =>
            choose<Json>([
              { phase: 'A' },
              { replicas: 1 },
              { conditions: [{ type: 'T', status: 'True' }] },
              { nonsense: 1 },
              null,
            ]),
          'status',
        ),
      }
    case 'deployments': {
      const app = choose(['w', 'w', 'v'])
      return {
        spec: {
          ...some(2, () => choose<Json>([0, 2, -1, null]), 'replicas'),
          selector: { matchLabels: { app: 'w' } },
          template: {
            metadata: { labels: { app } },
            spec: {
              containers: choose<Json>([
                [{ name: 'c', image: 'i:1' }],
                [{ name: 'c', image: 'i:2', env: [{ name: 'E', value: 'v' }] }],
                [
                  { name: 'd', image: 'i' },
                  { name: 'c', image: 'i:3' },
                ],
                [],
              ]),
            },
          },
          ...some(
            5,
            () => choose<Json>([{ type: 'Recreate' }, { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } }]),
            'strategy',
          ),
        },
      }
    }
    case 'leases':
      return {
        spec: {
          holderIdentity: choose(['x', 'y', '']),
          ...some(3, () => choose<Json>([15, 0, -1]), 'leaseDurationSeconds'),
          ...some(3, () => choose<Json>(['2024-01-01T00:00:00.000000Z', '2024-01-01T00:00:00Z', 'x']), 'renewTime'),
        },
      }
    case 'services':
      return {
        spec: {
          ports: choose<Json>([
            [{ port: 80 }],
            [
              { name: 'a', port: 80 },
              { name: 'b', port: 81, protocol: 'UDP' },
            ],
            [{ port: 0 }],
            [],
          ]),
          ...some(2, () => choose<Json>([{ app: 'w' }, {}]), 'selector'),
          ...some(4, () => choose(['None', '']), 'clusterIP'),
        },
      }
    case 'pods':
      return {
        spec: {
          automountServiceAccountToken: false,
          containers: choose<Json>([
            [{ name: 'c', image: 'i:1' }],
            [{ name: 'c', image: 'i:2' }],
            [{ name: 'c' }],
            [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }],
            [],
          ]),
          ...some(5, () => choose<Json>(['Always', 'Never', 'x']), 'restartPolicy'),
          ...some(5, () => 'n1', 'nodeName'),
        },
      }
    default:
      return { rules: choose<Json>([[{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }], [], [{ verbs: ['get'] }], null]) }
  }
}

function jsonPatch(random: Random, choose: Choose): Json {
  const paths = [
    '/metadata/labels',
    '/metadata/labels/l',
    '/data/a',
    '/data',
    '/spec/size',
    '/spec/tags/-',
    '/spec/tags/0',
    '/spec/items/0',
    '/spec/replicas',
    '/metadata/finalizers',
    '/nowhere/at/all',
    '',
    '/metadata/name',
    '/spec/any',
    'no-slash',
  ]
  const one = (): Json => {
    const path = choose(paths)
    switch (choose(['add', 'replace', 'remove', 'test', 'move', 'copy', 'nonsense'])) {
      case 'add':
        return { op: 'add', path, value: choose<Json>(['x', { l: '1' }, 3, ['example.com/hold'], null]) }
      case 'replace':
        return { op: 'replace', path, value: choose<Json>(['x', { l: '2' }, 4, []]) }
      case 'remove':
        return { op: 'remove', path }
      case 'test':
        return { op: 'test', path, value: choose<Json>(['1', 'x', 3, null]) }
      case 'move':
        return { op: 'move', from: choose(paths), path }
      case 'copy':
        return { op: 'copy', from: choose(paths), path }
      default:
        return { op: 'nonsense', path }
    }
  }
  return Array.from({ length: 1 + random.integer(2) }, one)
}
