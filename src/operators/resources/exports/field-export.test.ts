// What a FieldExport writes and takes away, what it waits for, and what it never touches.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNamedObjects, type ResourceType, type StoredObject, secrets } from '#kube'
import { type Action, type Plan, Trouble } from '#runtime'
import { annotations, conditions } from '../api.ts'
import { clusterOf } from '../testing/cluster.ts'
import { type FieldExport, type FieldExportSpec, fieldExportKind } from './api.ts'
import { decideExport, type Exporting, fieldExportController } from './field-export.ts'
import type { WriteRules } from './target.ts'

const finalizer = 'finalizers.services.k8s.aws/FieldExport'
const group = 'iam.services.k8s.aws'
const roles: ResourceType = { group, version: 'v1alpha1', kind: 'Role', plural: 'roles', namespaced: true }
const rules: WriteRules = { crossNamespace: false, secrets: parseNamedObjects(['team/*']), anySecretType: false }

interface Asked {
  readonly to?: Partial<FieldExportSpec['to']>
  readonly from?: Partial<FieldExportSpec['from']>
  readonly exports?: FieldExportSpec['exports']
  readonly metadata?: object
}

/** Writes the id of the role `reader` under `team.out` into the ConfigMap `target`. */
function claimOf({ to, from, exports, metadata }: Asked = {}): FieldExport {
  return {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'FieldExport',
    metadata: { namespace: 'team', name: 'out', uid: 'u1', resourceVersion: '1', finalizers: [finalizer], ...metadata },
    spec: {
      from: { path: '.status.roleID', resource: { group, kind: 'Role', name: 'reader' }, ...from },
      to: { kind: 'configmap', name: 'target', ...to },
      ...(exports === undefined ? {} : { exports }),
    },
  } as FieldExport
}

const synced = { type: conditions.synced, status: 'True' }
const role = (status: object = { roleID: 'AROA', conditions: [synced] }, name = 'reader'): StoredObject =>
  ({ apiVersion: `${group}/v1alpha1`, kind: 'Role', metadata: { namespace: 'team', name }, status }) as never
const holderOf = (kind: 'ConfigMap' | 'Secret', data?: object, metadata: object = {}): StoredObject =>
  ({
    apiVersion: 'v1',
    kind,
    metadata: { namespace: 'team', name: 'target', uid: 'u2', resourceVersion: '5', ...metadata },
    data,
  }) as never
const secret = holderOf('Secret', { password: 'c2VjcmV0' }, { name: 'db' })
const withoutSpec = (metadata: object = {}): FieldExport => {
  const { spec: _, ...rest } = claimOf({ metadata })
  return rest
}

function seenOf(more: Partial<Exporting> = {}): Exporting {
  return {
    claim: claimOf(),
    source: role(),
    isServed: true,
    target: holderOf('ConfigMap', {}) as never,
    secrets: new Map(),
    rules,
    hearsOfSecrets: true,
    ...more,
  }
}

function does(action: Action): string {
  if (action.kind === 'patch')
    return `patch ${action.type.kind} ${action.key.namespace}/${action.key.name} of ${action.uid}@${action.resourceVersion} ${JSON.stringify(action.body)}`
  if (action.kind === 'create') return `create ${action.type.kind} ${JSON.stringify(action.object)}`
  return action.kind
}

/** What is done, what is said of it, and when it is looked at again. */
function told({ actions, conditions: said, next }: Plan): readonly string[] {
  return [
    ...actions.map(does),
    ...said.map(({ type, status, reason }) => `${type}=${status} ${reason}`),
    ...(next.kind === 'look-again' ? [`again in ${next.afterMs}: ${next.why}`] : []),
  ]
}

const deleting = { deletionTimestamp: '2026-06-01T00:00:00Z' }
const exported = [`${conditions.synced}=True Exported`, 'Ready=True Exported']
const waiting = [`${conditions.recoverable}=True Waiting`, `Ready=False ${conditions.recoverable}`]
const put = (data: object): string => `patch ConfigMap team/target of u2@5 ${JSON.stringify({ data })}`
const note = (keys: string): string =>
  `patch FieldExport team/out of u1@undefined ${JSON.stringify({ metadata: { annotations: { [annotations.exportedKeys]: keys } } })}`
const noted = (keys: string): object => ({ annotations: { [annotations.exportedKeys]: keys } })
const two: FieldExportSpec['exports'] = [
  { key: 'b', path: '.status.roleID' },
  { key: 'a', template: 'x' },
]

for (const [what, seen, expected] of [
  ['that is gone does nothing', { claim: undefined }, []],
  ['writes its field', {}, [put({ 'team.out': 'AROA' }), ...exported]],
  [
    'takes its finalizer first',
    { claim: claimOf({ metadata: { finalizers: ['other'] } }) },
    ['add-finalizer', put({ 'team.out': 'AROA' }), ...exported],
  ],
  [
    'without any finalizer takes its own first',
    { claim: claimOf({ metadata: { finalizers: undefined } }) },
    ['add-finalizer', put({ 'team.out': 'AROA' }), ...exported],
  ],
  ['whose field stands there writes nothing', { target: holderOf('ConfigMap', { 'team.out': 'AROA' }) }, exported],
  [
    'whose field stands there otherwise writes it anew',
    { target: holderOf('ConfigMap', { 'team.out': 'old', other: 'x' }) },
    [put({ 'team.out': 'AROA' }), ...exported],
  ],
  ['writes into what holds nothing', { target: holderOf('ConfigMap') }, [put({ 'team.out': 'AROA' }), ...exported]],
  ['writes under the key that is asked for', { claim: claimOf({ to: { key: 'id' } }) }, [put({ id: 'AROA' }), ...exported]],
  [
    'of several keys notes them first',
    { claim: claimOf({ exports: two }) },
    [note('configmap/team/target a b team.out'), put({ 'team.out': 'AROA', b: 'AROA', a: 'x' }), ...exported],
  ],
  [
    'of several keys that are noted and written does nothing',
    {
      claim: claimOf({ exports: two, metadata: noted('configmap/team/target a b team.out') }),
      target: holderOf('ConfigMap', { a: 'x', b: 'AROA', 'team.out': 'AROA' }),
    },
    exported,
  ],
  [
    'takes away a key that it does not ask for any more',
    {
      claim: claimOf({ metadata: noted('configmap/team/target a team.out') }),
      target: holderOf('ConfigMap', { a: 'x', b: 'y', 'team.out': 'AROA' }),
    },
    [note('configmap/team/target team.out'), put({ a: null }), ...exported],
  ],
  [
    'takes no key away that is gone already',
    {
      claim: claimOf({ metadata: noted('configmap/team/target a team.out') }),
      target: holderOf('ConfigMap', { 'team.out': 'AROA' }),
    },
    [note('configmap/team/target team.out'), ...exported],
  ],
  [
    'takes no key away from another target than it wrote into',
    {
      claim: claimOf({ metadata: noted('configmap/team/before a') }),
      target: holderOf('ConfigMap', { a: 'x', 'team.out': 'AROA' }),
    },
    [note('configmap/team/target team.out'), ...exported],
  ],
  [
    'of further keys alone takes the key of a path away that was noted',
    {
      claim: claimOf({ from: { path: undefined } as never, exports: two, metadata: noted('configmap/team/target a b team.out') }),
      target: holderOf('ConfigMap', { a: 'x', b: 'AROA', 'team.out': 'AROA' }),
    },
    [note('configmap/team/target a b'), put({ 'team.out': null }), ...exported],
  ],
  [
    'of further keys alone leaves the key alone that a path would have',
    {
      claim: claimOf({ from: { path: undefined } as never, exports: two, metadata: noted('configmap/team/target a b') }),
      target: holderOf('ConfigMap', { a: 'x', b: 'AROA', 'team.out': 'theirs' }),
    },
    exported,
  ],
  [
    'without a spec is told so',
    { claim: withoutSpec() },
    [`${conditions.terminal}=True InvalidManifest`, `Ready=False ${conditions.terminal}`],
  ],
  ['without a spec goes', { claim: withoutSpec(deleting) }, ['remove-finalizer']],
  ['without a spec that nothing holds goes by itself', { claim: withoutSpec({ ...deleting, finalizers: [] }) }, []],
  ['without a spec that nothing ever held goes by itself', { claim: withoutSpec({ ...deleting, finalizers: undefined }) }, []],
  [
    'that nothing holds goes by itself',
    {
      claim: claimOf({ metadata: { ...deleting, finalizers: ['other'] } }),
      target: holderOf('ConfigMap', { 'team.out': 'AROA' }),
    },
    [],
  ],
  [
    'that goes takes its key away',
    { claim: claimOf({ metadata: deleting }), target: holderOf('ConfigMap', { 'team.out': 'AROA', other: 'x' }) },
    [put({ 'team.out': null }), 'again in 0: see the key gone'],
  ],
  [
    'that goes takes the keys away that it noted',
    {
      claim: claimOf({ metadata: { ...deleting, ...noted('configmap/team/target a') } }),
      target: holderOf('ConfigMap', { a: 'x', b: 'y' }),
    },
    [put({ a: null }), 'again in 0: see the key gone'],
  ],
  [
    'that goes and whose key is gone is let go',
    { claim: claimOf({ metadata: deleting }), target: holderOf('ConfigMap', { other: 'x' }) },
    ['remove-finalizer'],
  ],
  [
    'that goes and whose target is gone is let go',
    { claim: claimOf({ metadata: deleting }), target: undefined },
    ['remove-finalizer'],
  ],
  [
    'that goes leaves alone what it may not write',
    { claim: claimOf({ metadata: deleting }), target: holderOf('ConfigMap', { 'team.out': 'x', mapRoles: '[]' }) },
    ['remove-finalizer'],
  ],
  ['of what nobody serves waits', { isServed: false, source: undefined }, waiting],
  ['of a source that is missing waits', { source: undefined }, waiting],
  [
    'of a source that is not in step waits',
    { source: role({ roleID: 'AROA', conditions: [{ ...synced, status: 'False' }] }) },
    waiting,
  ],
  ['of a source that says nothing yet waits', { source: role({ roleID: 'AROA' }) }, waiting],
  ['of a field that is not there yet waits', { claim: claimOf({ from: { path: '.status.none' } }) }, waiting],
  ['into what is missing looks for it', { target: undefined }, [...waiting, 'again in 30000: unable to get existing configmap']],
  [
    'into what is missing makes none where it is said so',
    { claim: claimOf({ to: { createIfMissing: false } }), target: undefined },
    [...waiting, 'again in 30000: unable to get existing configmap'],
  ],
  [
    'of nothing that is a path is told so',
    { claim: claimOf({ from: { path: 'x' } }) },
    [`${conditions.terminal}=True InvalidManifest`, `Ready=False ${conditions.terminal}`],
  ],
] as const)
  test(`a FieldExport ${what}`, () => assert.deepEqual(told(decideExport(seenOf(seen as Partial<Exporting>))), expected))

test('a target that is missing is made where it is asked for, whole, and goes with what asked for it', () => {
  const owner = { apiVersion: 'services.k8s.aws/v1alpha1', kind: 'FieldExport', name: 'out', uid: 'u1' }
  const metadata = { namespace: 'team', name: 'target', ownerReferences: [owner] }
  for (const [kind, made] of [
    ['configmap', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'team.out': 'AROA' } }],
    ['secret', { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data: { 'team.out': 'QVJPQQ==' } }],
  ] as const) {
    const claim = claimOf({ to: { kind, createIfMissing: true } })
    assert.deepEqual(told(decideExport(seenOf({ claim, target: undefined }))), [
      `create ${made.kind} ${JSON.stringify(made)}`,
      ...exported,
    ])
  }
})

const fromSecret = { resource: { group: '', kind: 'Secret', name: 'db' }, path: '.data.password' }
const intoSecret = { claim: claimOf({ from: fromSecret, to: { kind: 'secret' } }), source: secret as never }
const template = [{ key: 'url', template: 'x:{{ secret "db" "password" }}' }] as const
const rotated = 'again in 300000: a Secret may have been rotated'

for (const [what, seen, expected] of [
  ['what a Secret holds is written into Secrets', intoSecret, exported],
  ['a Secret is looked at again where nobody tells of it', { ...intoSecret, hearsOfSecrets: false }, [...exported, rotated]],
  [
    'a Secret in a template is looked at again where nobody tells of it',
    {
      claim: claimOf({ exports: template, to: { kind: 'secret' }, metadata: noted('secret/team/target team.out url') }),
      target: holderOf('Secret', { url: 'eDpzZWNyZXQ=', 'team.out': 'QVJPQQ==' }),
      secrets: new Map([['db', secret]]),
      hearsOfSecrets: false,
    },
    [...exported, rotated],
  ],
  [
    'what takes from no Secret is not looked at again',
    { target: holderOf('ConfigMap', { 'team.out': 'AROA' }), hearsOfSecrets: false },
    exported,
  ],
  [
    'a Secret that is missing is looked for',
    { ...intoSecret, source: undefined },
    [...waiting, 'again in 30000: the source Secret db does not exist'],
  ],
] as const)
  test(`of Secrets, ${what}`, () => {
    const target = holderOf('Secret', { 'team.out': 'c2VjcmV0' })
    assert.deepEqual(told(decideExport(seenOf({ target, ...seen } as Partial<Exporting>))), expected)
  })

const refused = (reason: string, why: RegExp): RegExp =>
  new RegExp(`^ACK.Terminal=True ${reason} Ready=False ACK.Terminal again in 60000: ${why.source}`)

for (const [what, seen, why] of [
  [
    'into another namespace',
    { claim: claimOf({ to: { namespace: 'other' } }) },
    refused('TargetRefused', /the configmap other\/target is in another namespace/),
  ],
  [
    'into what an operator made',
    { target: holderOf('ConfigMap', {}, { labels: { 'services.k8s.aws/x': 'y' } }) },
    refused('TargetRefused', /the configmap team\/target was made by an operator/),
  ],
  [
    'of a Secret that is not named',
    { ...intoSecret, rules: { ...rules, secrets: parseNamedObjects(['team/target']) } },
    refused('SecretUnusable', /the secret team\/db is not among/),
  ],
  [
    'of a Secret of another type',
    { ...intoSecret, source: { ...secret, type: 'kubernetes.io/tls' } },
    refused('SecretUnusable', /only opaque secrets can be used: team\/db is/),
  ],
  [
    'of a template with a Secret of another type',
    {
      claim: claimOf({ exports: template, to: { kind: 'secret' } }),
      secrets: new Map([['db', { ...secret, type: 'kubernetes.io/tls' }]]),
    },
    refused('SecretUnusable', /only opaque secrets can be used: team\/db is/),
  ],
] as const)
  test(`an export ${what} writes nothing, and is looked at again`, () =>
    assert.match(
      told(
        decideExport(
          seenOf({
            target: holderOf(seen.claim?.spec?.to.kind === 'secret' ? 'Secret' : 'ConfigMap', {}),
            ...seen,
          } as Partial<Exporting>),
        ),
      ).join(' '),
      why,
    ))

const controllerOf = ({ extended = true, watchSecrets = true } = {}) =>
  fieldExportController([roles], { rules, extended, watchSecrets, scope: { namespaces: ['team'], labelSelector: 'a=b' } })
const key = { cluster: '', namespace: 'team', name: 'out' }

async function observed(
  objects: readonly object[],
  { extended = true, watchSecrets = true, unsynced = [] as readonly string[] } = {},
): Promise<{ readonly seen: Exporting; readonly asked: readonly string[] }> {
  const { reads, asked } = clusterOf(objects, { unsynced })
  const { reconciler } = controllerOf({ extended, watchSecrets })
  const seen = (await reconciler.observe(key, reads, new AbortController().signal)) as Exporting
  return { seen, asked }
}

test('of one that is gone, or asks for nothing, nothing is read', async () => {
  for (const objects of [[], [withoutSpec()]]) {
    const { seen, asked } = await observed(objects)
    const { claim: _, ...rest } = seen
    assert.deepEqual(rest, {
      source: undefined,
      isServed: false,
      target: undefined,
      secrets: new Map(),
      rules,
      hearsOfSecrets: true,
    })
    assert.deepEqual(asked, [])
  }
})

test('a source is found among the kinds that are served, once they are there', async () => {
  const target = holderOf('ConfigMap', {})
  const { seen, asked } = await observed([claimOf(), role(), target], { watchSecrets: false })
  assert.deepEqual([seen.isServed, seen.source, seen.target, seen.hearsOfSecrets], [true, role(), target, false])
  assert.deepEqual(asked, ['ConfigMap team/target'])
  const missing = (await observed([claimOf(), role(undefined, 'other')])).seen
  assert.deepEqual([missing.isServed, missing.source], [true, undefined])
  const early = (await observed([claimOf(), role()], { unsynced: ['Role'] })).seen
  assert.deepEqual([early.isServed, early.source], [false, undefined])
  for (const resource of [
    { group, kind: 'Policy', name: 'reader' },
    { group: 'other.services.k8s.aws', kind: 'Role', name: 'reader' },
  ])
    assert.equal((await observed([claimOf({ from: { resource } }), role()])).seen.isServed, false)
})

test('a Secret is a source of extended exports only, and read only where it may be', async () => {
  const from = (name: string) =>
    claimOf({ from: { ...fromSecret, resource: { ...fromSecret.resource, name } }, to: { kind: 'secret' } })
  const held = await observed([from('db'), secret])
  assert.deepEqual([held.seen.isServed, held.seen.source, held.asked], [true, secret, ['Secret team/db', 'Secret team/target']])
  const plain = await observed([from('db'), secret], { extended: false })
  assert.deepEqual([plain.seen.isServed, plain.seen.source, plain.asked], [false, undefined, ['Secret team/target']])
  assert.deepEqual((await observed([from('awi-signing-key-1')])).asked, ['Secret team/target'])
})

test('what may not be written is not read, and Secrets of templates are', async () => {
  assert.deepEqual((await observed([claimOf({ to: { namespace: 'other' } }), role()])).asked, [])
  const claim = claimOf({ exports: template, to: { kind: 'secret' } })
  const held = await observed([claim, role(), secret])
  assert.deepEqual([[...held.seen.secrets], held.asked], [[['db', secret]], ['Secret team/target', 'Secret team/db']])
  const plain = await observed([claim, role(), secret], { extended: false })
  assert.deepEqual([[...plain.seen.secrets], plain.asked], [[], ['Secret team/target']])
})

test('a role that changes wakes the exports of its namespace that take from it', () => {
  const controller = controllerOf()
  const others = [
    withoutSpec({ name: 'empty' }),
    claimOf({ metadata: { name: 'other' }, from: { resource: { group, kind: 'Role', name: 'writer' } } }),
    claimOf({ metadata: { name: 'far', namespace: 'far' } }),
  ]
  const { reads } = clusterOf([claimOf(), ...others], { controller })
  const watch = controller.watches?.find(({ type }) => type === roles)
  assert.deepEqual(watch?.toClaims(role(), reads, ''), [{ namespace: 'team', name: 'out' }])
  assert.deepEqual([watch.optional, watch.namespaces, watch.labelSelector], [true, ['team'], 'a=b'])
})

test('a Secret wakes extended exports that take from it, where Secrets are watched', () => {
  const woken = (claim: FieldExport, options = {}) => {
    const controller = controllerOf(options)
    const { reads } = clusterOf([claim, withoutSpec({ name: 'empty' })], { controller })
    return controller.watches?.filter(({ type }) => type === secrets).map(({ toClaims }) => toClaims(secret, reads, ''))
  }
  const source = claimOf({ from: fromSecret, to: { kind: 'secret' } })
  const out = [[{ namespace: 'team', name: 'out' }]]
  assert.deepEqual(woken(source), out)
  assert.deepEqual(woken(claimOf({ exports: template, to: { kind: 'secret' } })), out)
  assert.deepEqual(woken(claimOf()), [[]])
  assert.deepEqual([woken(source, { watchSecrets: false }), woken(source, { extended: false })], [[], []])
  assert.deepEqual(Object.keys(controllerOf({ extended: false }).claims.indexes ?? {}).length, 1)
})

test('exports need not be installed, and their conditions say nothing of generations', () => {
  const { claims, status } = controllerOf()
  assert.deepEqual([claims.type, claims.optional, claims.namespaces], [fieldExportKind.type, true, ['team']])
  assert.deepEqual(status, { kind: 'subresource', observedGeneration: false, conditionGeneration: false })
})

function reported(trouble: Trouble | undefined, plan = decideExport(seenOf())): readonly string[] | undefined {
  const action = { kind: 'patch' } as never
  const outcomes = trouble === undefined ? [] : [{ kind: 'failed', action, trouble } as const]
  const said = controllerOf().reconciler.report?.({ plan, outcomes } as never)
  return said === undefined
    ? undefined
    : [...said.conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`), ...(said.forgotten ?? [])]
}

test('a pass says what it found and takes back what it does not say; one that failed says why, and a short wait nothing', () => {
  assert.deepEqual(reported(undefined), [...exported, conditions.terminal, conditions.recoverable])
  assert.equal(reported(undefined, decideExport(seenOf({ claim: undefined }))), undefined)
  assert.deepEqual(reported(new Trouble({ kind: 'backoff', reason: 'Forbidden', message: 'm' })), [
    `${conditions.recoverable}=True Forbidden`,
    `Ready=False ${conditions.recoverable}`,
    conditions.terminal,
    conditions.synced,
  ])
  assert.equal(reported(new Trouble({ kind: 'soon', reason: 'Conflict', message: 'm' })), undefined)
})

test('a ConfigMap and a Secret of the same name are two targets', () => {
  const claim = claimOf({ to: { kind: 'secret' }, metadata: { ...deleting, ...noted('configmap/team/target a') } })
  const target = holderOf('Secret', { a: 'eA==' })
  assert.deepEqual(told(decideExport(seenOf({ claim, target } as Partial<Exporting>))), ['remove-finalizer'])
})
