// Bad input at random, from a seed: one thing is wrong with each request, in a field, a name, a parameter, a patch or a form. Nothing is
// stored, so that no request depends on another.
import { type Random, seededRandom } from '#base'
import { deployment } from '../fixtures.ts'
import type { Script } from '../record.ts'
import { type Session, sharedGroup } from '../session.ts'
import type { Json } from '../transcript.ts'

type Choose = <T>(options: readonly T[]) => T
type Edge = (s: Session, choose: Choose) => Promise<unknown>
type Body = { readonly [field: string]: Json }

const sequences = 26
const edgesEach = 20

export const edgeScripts: readonly Script[] = Array.from({ length: sequences }, (_, index) => ({
  id: `e${index}`,
  title: `bad input from seed edges-${index}`,
  run: s => tryEdges(s, seededRandom(`edges-${index}`)),
}))

async function tryEdges(s: Session, random: Random): Promise<void> {
  const choose: Choose = options => options[random.integer(options.length)] as (typeof options)[number]
  await s.post(s.path('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there' }, data: { a: '1' } })
  for (let i = 0; i < edgesEach; i++) await choose(edges)(s, choose)
}

interface Sample {
  readonly resource: string
  readonly body: Body
}

const pod = { containers: [{ name: 'c', image: 'i' }] }
const meta = { name: 'made', labels: { a: 'b' }, annotations: { c: 'd' } }
const samples: readonly Sample[] = [
  { resource: 'configmaps', body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, data: { a: '1' }, immutable: false } },
  {
    resource: 'secrets',
    body: { apiVersion: 'v1', kind: 'Secret', metadata: meta, data: { a: 'YQ==' }, stringData: { b: 'c' }, type: 'Opaque' },
  },
  { resource: 'serviceaccounts', body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta, secrets: [{ name: 'x' }] } },
  {
    resource: 'services',
    body: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: meta,
      spec: { selector: { a: 'b' }, ports: [{ name: 'p', port: 80, targetPort: 'http', protocol: 'TCP' }] },
    },
  },
  { resource: 'pods', body: { apiVersion: 'v1', kind: 'Pod', metadata: meta, spec: pod } },
  { resource: 'deployments.apps/v1', body: { ...(deployment('made') as Body) } },
  {
    resource: 'leases.coordination.k8s.io/v1',
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: meta,
      spec: { holderIdentity: 'a', leaseDurationSeconds: 10, renewTime: '2026-01-01T00:00:00.000000Z' },
    },
  },
  {
    resource: 'roles.rbac.authorization.k8s.io/v1',
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: meta,
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['x'] }],
    },
  },
  {
    resource: 'poddisruptionbudgets.policy/v1',
    body: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: meta,
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    },
  },
  {
    resource: `widgets.${sharedGroup}/v1`,
    body: { apiVersion: `${sharedGroup}/v1`, kind: 'Widget', metadata: meta, spec: { size: 1, color: 'red', tags: ['a'] } },
  },
]

/** Of every type, and what is nearly right. */
const wrong: readonly Json[] = [
  null,
  true,
  1,
  -1,
  1.5,
  3_000_000_000,
  '',
  'Not Valid!',
  'x'.repeat(64),
  [],
  ['a'],
  [null],
  {},
  { a: 1 },
]

const edges: readonly Edge[] = [
  wrongField,
  wrongField,
  wrongField,
  unknownField,
  wrongMetadata,
  wrongMetadata,
  wrongParameter,
  wrongParameter,
  wrongJsonPatch,
  wrongMerge,
  wrongApply,
  wrongForm,
  wrongDeletion,
]

function wrongField(s: Session, choose: Choose): Promise<unknown> {
  const { resource, body } = choose(samples)
  const path = choose(pathsOf(body).filter(([first]) => first !== 'metadata' && first !== 'apiVersion' && first !== 'kind'))
  return s.post(`${s.path(resource)}?dryRun=All`, changed(body, path, choose(wrong)))
}

function unknownField(s: Session, choose: Choose): Promise<unknown> {
  const { resource, body } = choose(samples)
  const path = choose([
    ...pathsOf(body).filter(at => typeof valueAt(body, at) === 'object' && !Array.isArray(valueAt(body, at))),
    [],
  ])
  const strictness = choose(['Strict', 'Warn', 'Ignore', 'strict', ''])
  return s.post(`${s.path(resource)}?dryRun=All&fieldValidation=${strictness}`, changed(body, [...path, 'nobody'], choose(wrong)))
}

function wrongMetadata(s: Session, choose: Choose): Promise<unknown> {
  const { resource, body } = choose(samples)
  const field = choose([
    'name',
    'generateName',
    'namespace',
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
    'resourceVersion',
    'uid',
    'creationTimestamp',
    'managedFields',
    'generation',
  ])
  const values: readonly Json[] = [
    ...wrong,
    { 'a/b/c': 'd' },
    { a: 'Not Valid!' },
    { '': 'b' },
    ['Not Valid!'],
    ['example.com/x', 'example.com/x'],
    [{ apiVersion: 'v1', kind: 'Pod', name: 'a' }],
    [{ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b', controller: 1 }],
    'a..b',
    '-a',
    'A',
  ]
  return s.post(`${s.path(resource)}?dryRun=All`, changed(body, ['metadata', field], choose(values)))
}

const parameters: Readonly<Record<string, readonly string[]>> = {
  limit: ['x', '-1', '1.5', ''],
  continue: ['x', 'e30', ''],
  resourceVersion: ['x', '-1', '1.5', '0', '99999999999999999999'],
  resourceVersionMatch: ['Exact', 'NotOlderThan', 'Sometimes'],
  labelSelector: ['a in', 'a in (', 'a=b,', '!', 'a==b==c', 'a/b/c=d', 'a=Not Valid', 'a notin (b', '=', 'a>b', 'a>1'],
  fieldSelector: ['a', 'metadata.name', 'spec.nobody=x', 'metadata.name=x,metadata.nobody=y', 'metadata.name>x', '='],
  timeoutSeconds: ['x', '-1', '1.5'],
  timeout: ['x', '1', '-1s'],
  allowWatchBookmarks: ['x', 'yes'],
  sendInitialEvents: ['x', 'true', 'false'],
  pretty: ['x'],
}

function wrongParameter(s: Session, choose: Choose): Promise<unknown> {
  const name = choose(Object.keys(parameters))
  const value = encodeURIComponent(choose(parameters[name] as readonly string[]))
  const target = s.path(choose(samples).resource)
  return s.get(`${target}?${name}=${value}`)
}

const operations: readonly Json[] = [
  [{ op: 'replace', path: '/data/b', value: 'x' }],
  [{ op: 'remove', path: '/data/b' }],
  [{ op: 'test', path: '/data/a', value: '2' }],
  [{ op: 'add', path: '/data/a' }],
  [{ op: 'add', path: 'data/a', value: 'x' }],
  [{ op: 'add', path: '/nothing/a', value: 'x' }],
  [{ op: 'move', path: '/data/c' }],
  [{ op: 'move', from: '/data/x', path: '/data/c' }],
  [{ op: 'copy', from: '/data/x', path: '/data/c' }],
  [{ op: 'jump', path: '/data/a' }],
  [{ path: '/data/a' }],
  [{ op: 1 }],
  [{ op: 'add', path: '/data', value: [] }],
  [{ op: 'add', path: '/metadata/labels', value: { a: 1 } }],
  [{ op: 'replace', path: '/kind', value: 'Secret' }],
  [{ op: 'replace', path: '/metadata/name', value: 'other' }],
  [{ op: 'replace', path: '', value: {} }],
  {},
  'x',
  [1],
  [null],
]

function wrongJsonPatch(s: Session, choose: Choose): Promise<unknown> {
  return s.patch(`${s.path('configmaps', choose(['there', 'there', 'there', 'absent']))}?dryRun=All`, 'json', choose(operations))
}

const merges: readonly Json[] = [
  { data: [] },
  { data: { a: 1 } },
  { data: 'x' },
  { metadata: [] },
  { metadata: null },
  { metadata: { labels: { a: 1 } } },
  { metadata: { labels: { 'Not Valid!': 'x' } } },
  { metadata: { name: 'other' } },
  { metadata: { namespace: 'other' } },
  { metadata: { resourceVersion: '1' } },
  { metadata: { uid: 'other' } },
  { kind: 'Secret' },
  { apiVersion: 'v2' },
  { kind: null },
  { nobody: 1 },
  { immutable: 'x' },
  { $patch: 'delete' },
  { data: { $patch: 'replace', a: '2' } },
  { data: { $patch: 'sideways' } },
  { $retainKeys: ['data'] },
  { metadata: { $setElementOrder: ['x'] } },
  { metadata: { finalizers: ['x'] } },
  [],
  'x',
  null,
]

function wrongMerge(s: Session, choose: Choose): Promise<unknown> {
  const query = choose(['?dryRun=All', '?dryRun=All&fieldValidation=Strict', '?dryRun=Some', '?dryRun=All&force=true'])
  return s.patch(`${s.path('configmaps', 'there')}${query}`, choose(['merge', 'strategic']), choose(merges))
}

function wrongApply(s: Session, choose: Choose): Promise<unknown> {
  const { resource, body } = choose(samples)
  const query = choose([
    'dryRun=All',
    'dryRun=All&fieldManager=m',
    'dryRun=All&fieldManager=m&force=x',
    'dryRun=All&fieldManager=m',
    'dryRun=All&fieldManager=m&fieldValidation=Strict',
    `dryRun=All&fieldManager=${'m'.repeat(129)}`,
    'dryRun=All&fieldManager=%01',
  ])
  const path = choose(pathsOf(body))
  return s.patch(`${s.path(resource, 'made')}?${query}`, 'apply', changed(body, path, choose(wrong)))
}

const mediaTypes = [
  '',
  'x',
  'application/xml',
  'application/json; charset=latin1',
  'application/json;as=Table',
  'application/*',
  '*/*',
  'text/html',
  'application/vnd.kubernetes.nothing',
] as const

function wrongForm(s: Session, choose: Choose): Promise<unknown> {
  const { resource, body } = choose(samples)
  const type = choose(mediaTypes)
  if (choose([true, false])) return s.get(s.path(resource), { headers: { accept: type } })
  const method = choose(['POST', 'PATCH'])
  const target = method === 'POST' ? s.path(resource) : s.path(resource, 'made')
  return s.send(method, `${target}?dryRun=All`, { body, ...(type !== '' && { type }) })
}

const deletions: readonly Json[] = [
  { gracePeriodSeconds: -1 },
  { gracePeriodSeconds: 'x' },
  { propagationPolicy: 'Sideways' },
  { propagationPolicy: 'Orphan', orphanDependents: true },
  { preconditions: { uid: 'other' } },
  { preconditions: { resourceVersion: '1' } },
  { preconditions: [] },
  { dryRun: ['Some'] },
  { dryRun: 'All' },
  { kind: 'Pod', apiVersion: 'v1' },
  { kind: 'DeleteOptions' },
  { apiVersion: 'v2', kind: 'DeleteOptions' },
  { nobody: 1 },
  [],
  'x',
]

function wrongDeletion(s: Session, choose: Choose): Promise<unknown> {
  const query = choose(['dryRun=All', 'dryRun=All&propagationPolicy=Sideways', 'dryRun=All&gracePeriodSeconds=x', 'dryRun=Some'])
  return s.delete(`${s.path('configmaps', choose(['there', 'absent']))}?${query}`, choose(deletions))
}

type Path = readonly (string | number)[]

function pathsOf(value: Json, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return at.length === 0 ? [] : [at]
  const inside = Object.entries(value).flatMap(([key, item]) =>
    pathsOf(item as Json, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return at.length === 0 ? inside : [at, ...inside]
}

function valueAt(value: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((part, key) => (part as Record<string | number, Json> | undefined)?.[key], value)
}

function changed(value: Json, [key, ...rest]: Path, to: Json): Json {
  if (key === undefined) return to
  const copy = structuredClone(value) as Record<string | number, Json>
  copy[key] = changed(copy[key] ?? {}, rest, to)
  return copy
}
