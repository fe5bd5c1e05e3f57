// What an AdoptedResource has made, when it is done, and what it says meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { type Action, type Plan, Trouble } from '#runtime'
import { annotations, conditions, type Resource } from '../api.ts'
import { clusterOf } from '../testing/cluster.ts'
import { modelOf } from '../testing/parts.ts'
import { type Adopting, adoptedResourceController, decideAdoption } from './adopted-resource.ts'
import { adoptionNote } from './adoption-note.ts'
import { type AdoptedResource, adoptedFinalizer, adoptedResourceKind } from './api.ts'

const model = modelOf('iam', 'Role')
const { group } = model.type
const arn = 'arn:aws:iam::111122223333:role/old'
const fields = '{"name":"old"}'
const note = adoptionNote({ model, at: { namespace: 'team', name: 'mine' }, fields }, 'u2')

interface Asked {
  readonly metadata?: object
  readonly aws?: object
  readonly kubernetes?: object
  readonly conditions?: readonly object[]
}

/** Asks for the role `old` as `team/mine`. */
function claimOf({ metadata, aws = { nameOrID: 'old' }, kubernetes, conditions: said }: Asked = {}): AdoptedResource {
  return {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'AdoptedResource',
    metadata: { namespace: 'team', name: 'mine', uid: 'u1', resourceVersion: '1', ...metadata },
    spec: { aws, kubernetes: { group, kind: 'Role', ...kubernetes } },
    ...(said === undefined ? {} : { status: { conditions: said } }),
  } as AdoptedResource
}

const wishing = { annotations: { [annotations.adoptionFields]: fields } }

function targetOf(status: object = {}, metadata: object = wishing): Resource {
  return {
    apiVersion: `${group}/v1alpha1`,
    kind: 'Role',
    metadata: { namespace: 'team', name: 'mine', uid: 'u2', resourceVersion: '3', ...metadata },
    spec: { name: 'old' },
    status,
  } as unknown as Resource
}

const isTrue = (type: string, reason = 'R', message = 'm'): object => ({ type, status: 'True', reason, message })
const holding = { ackResourceMetadata: { arn } }
const inStep = targetOf({ ...holding, conditions: [isTrue(conditions.synced)] })
const another: Resource = { ...targetOf({ ...holding, conditions: [isTrue(conditions.synced)] }), spec: { name: 'new' } }
const foreign = targetOf({ ...holding, conditions: [isTrue(conditions.synced)] }, { uid: 'u3', annotations: {} })

function does(action: Action): string {
  return action.kind === 'create'
    ? `create ${action.type.kind} marked ${JSON.stringify(action.mark?.annotations)}`
    : action.kind === 'remove-finalizer'
      ? `remove ${action.finalizer}`
      : action.kind
}

/** What is done, what is said, whether it is noted as done, and when it is looked at again. */
function told({ actions, conditions: said, next }: Plan): readonly string[] {
  return [
    ...actions.map(does),
    ...said
      .filter(({ type }) => type !== conditions.ownership)
      .map(({ type, status, reason, message }) => `${type}=${status} ${reason} ${message}`),
    ...said.filter(({ type }) => type === conditions.ownership).map(({ message }) => `noted ${message === note.message}`),
    ...(next.kind === 'look-again' ? [`again in ${next.afterMs}`] : []),
  ]
}

const done = (message: string): readonly string[] => [
  `${conditions.adopted}=True Adopted ${message}`,
  `${conditions.ready}=True Adopted ${message}`,
]
const adopted = [...done(`adopted as Role team/mine: ${fields}`), 'noted true']
const waiting = (reason: string, message: string): readonly string[] => [
  `${conditions.adopted}=False ${reason} ${message}`,
  `${conditions.recoverable}=True ${reason} ${message}`,
  `${conditions.ready}=False ${conditions.recoverable} ${message}`,
]
const refused = (reason: string, message: string): readonly string[] => [
  `${conditions.adopted}=False ${reason} ${message}`,
  `${conditions.terminal}=True ${reason} ${message}`,
  `${conditions.ready}=False ${conditions.terminal} ${message}`,
  'again in 60000',
]
const deleting = { deletionTimestamp: '2026-06-01T00:00:00Z' }
const byAck = [{ type: conditions.adopted, status: 'True', message: 'by ACK' }]

const rows: readonly (readonly [what: string, seen: Partial<Adopting>, expected: readonly string[]])[] = [
  ['that is gone does nothing', { claim: undefined }, []],
  ['that goes does nothing', { claim: claimOf({ metadata: deleting }) }, []],
  [
    'that goes lets go of the finalizer of ACK',
    { claim: claimOf({ metadata: { ...deleting, finalizers: ['other', adoptedFinalizer] } }) },
    [`remove ${adoptedFinalizer}`],
  ],
  ['that goes leaves the finalizer of others', { claim: claimOf({ metadata: { ...deleting, finalizers: ['other'] } }) }, []],
  ['of a kind that others look after says nothing', { model: undefined }, []],
  [
    'has its object made',
    {},
    [`create Role marked ${JSON.stringify(wishing.annotations)}`, ...waiting('Waiting', 'Role team/mine is not there yet')],
  ],
  [
    'of another namespace is refused',
    { claim: claimOf({ kubernetes: { metadata: { namespace: 'other' } } }) },
    refused(
      'TargetRefused',
      'an AdoptedResource makes objects in its own namespace only, not in other: move it there, or print the object by vouch export AdoptedResource',
    ),
  ],
  [
    'without a key is refused',
    { claim: claimOf({ aws: {} }) },
    refused('InvalidManifest', 'AdoptedResource team/mine: spec.aws has neither arn nor nameOrID'),
  ],
  [
    'whose name is taken is refused',
    { target: targetOf({}, { annotations: {} }) },
    refused('TargetRefused', 'Role team/mine is there already and adopts another resource, or none: choose another name'),
  ],
  [
    'whose name is taken by what has no annotations is refused',
    { target: targetOf({}, {}) },
    refused('TargetRefused', 'Role team/mine is there already and adopts another resource, or none: choose another name'),
  ],
  [
    'waits for its object to adopt',
    { target: targetOf() },
    waiting('Waiting', 'Role team/mine is there and has not adopted its resource yet'),
  ],
  [
    'waits for its object to be in step',
    { target: targetOf({ ...holding, conditions: [{ type: conditions.synced, status: 'False' }] }) },
    waiting('Waiting', 'Role team/mine is there and has not adopted its resource yet'),
  ],
  [
    'does not believe that an object is in step which has no resource',
    { target: targetOf({ conditions: [isTrue(conditions.synced)] }) },
    waiting('Waiting', 'Role team/mine is there and has not adopted its resource yet'),
  ],
  [
    'tells what keeps its object from adopting',
    { target: targetOf({ conditions: [isTrue(conditions.recoverable, 'Throttled', 'later')] }) },
    waiting('Throttled', 'Role team/mine: later'),
  ],
  [
    'tells nothing of a trouble that is over',
    { target: targetOf({ conditions: [{ type: conditions.recoverable, status: 'False', reason: 'x', message: 'y' }] }) },
    waiting('Waiting', 'Role team/mine is there and has not adopted its resource yet'),
  ],
  [
    'tells what its object cannot put right',
    { target: targetOf({ ...holding, conditions: [isTrue(conditions.terminal, 'DuplicateOwner', 'held')] }) },
    refused('DuplicateOwner', 'Role team/mine: held'),
  ],
  [
    'goes on where its object is past its trouble',
    { target: targetOf({ ...holding, conditions: [{ type: conditions.terminal, status: 'False' }, isTrue(conditions.synced)] }) },
    adopted,
  ],
  [
    'whose object has another resource is refused',
    { target: another },
    refused('TargetRefused', 'Role team/mine has another resource: choose another name'),
  ],
  ['whose object has the resource is done', { target: inStep }, adopted],
  ['that is noted as done stays so when its object is gone', { claim: claimOf({ conditions: [note] }) }, adopted],
  [
    'that is noted as done stays so when another object has the name',
    { claim: claimOf({ conditions: [note] }), target: foreign },
    adopted,
  ],
  [
    'that is noted as done stays so while its object has the resource',
    { claim: claimOf({ conditions: [note] }), target: targetOf(holding) },
    adopted,
  ],
  [
    'that is noted as done and whose object has no resource goes on',
    { claim: claimOf({ conditions: [note] }), target: targetOf() },
    waiting('Waiting', 'Role team/mine is there and has not adopted its resource yet'),
  ],
  ['that ACK left as done stays as it is', { claim: claimOf({ conditions: byAck }) }, done('by ACK')],
  [
    'that ACK left as done without a word stays as it is',
    { claim: claimOf({ conditions: [{ type: conditions.adopted, status: 'True' }] }) },
    done(''),
  ],
  [
    'that ACK left as done is noted where its object has the resource',
    { claim: claimOf({ conditions: byAck }), target: inStep },
    adopted,
  ],
  [
    'that ACK left as done is not noted where its object has none',
    { claim: claimOf({ conditions: byAck }), target: targetOf() },
    done('by ACK'),
  ],
  [
    'that ACK left as done stays so when it is no wish',
    { claim: claimOf({ aws: {}, conditions: byAck }), target: inStep },
    done('by ACK'),
  ],
  [
    'that ACK did not finish goes on',
    { claim: claimOf({ conditions: [{ type: conditions.adopted, status: 'False' }] }), target: inStep },
    adopted,
  ],
  [
    'whose note is of another wish is not done by the words beside it',
    { claim: claimOf({ aws: { nameOrID: 'else' }, conditions: [note, ...byAck] }), target: inStep },
    refused('TargetRefused', 'Role team/mine is there already and adopts another resource, or none: choose another name'),
  ],
]

for (const [what, seen, expected] of rows)
  test(`an AdoptedResource ${what}`, () =>
    assert.deepEqual(told(decideAdoption({ claim: claimOf(), model, target: undefined, ...seen })), expected))

const controller = adoptedResourceController({ models: [model], scope: { namespaces: ['team'], labelSelector: 'a=b' } })
const key = { cluster: '', namespace: 'team', name: 'mine' }

async function observed(cached: readonly StoredObject[], onServer = cached) {
  const { reads, asked } = clusterOf(cached, { onServer })
  const seen = (await controller.reconciler.observe(key, reads, new AbortController().signal)) as Adopting
  return { kind: seen.model?.kind.kind, target: seen.target?.metadata.uid, asked }
}

for (const [what, claim, kind, target, asked] of [
  ['that is gone', undefined, undefined, undefined, []],
  ['of a kind of others', claimOf({ kubernetes: { kind: 'Policy' } }), undefined, undefined, []],
  ['of a group of others', claimOf({ kubernetes: { group: 'x.services.k8s.aws' } }), undefined, undefined, []],
  ['of another namespace', claimOf({ kubernetes: { metadata: { namespace: 'other', name: 'mine' } } }), 'Role', undefined, []],
  ['that is not done', claimOf(), 'Role', 'fresh', ['Role team/mine']],
  ['that is no wish', claimOf({ aws: {} }), 'Role', 'fresh', ['Role team/mine']],
  ['that is noted as done', claimOf({ conditions: [note] }), 'Role', 'u2', []],
  ['that ACK left as done', claimOf({ conditions: byAck }), 'Role', 'u2', []],
  [
    'whose note is of another wish',
    claimOf({ aws: { nameOrID: 'else' }, conditions: [note, ...byAck] }),
    'Role',
    'fresh',
    ['Role team/mine'],
  ],
] as const)
  test(`of an AdoptedResource ${what} the server is asked for ${asked.length === 0 ? 'nothing' : asked.join()}`, async () => {
    const cached = [...(claim === undefined ? [] : [claim]), targetOf()]
    assert.deepEqual(await observed(cached, [targetOf({}, { uid: 'fresh' })]), { kind, target, asked })
  })

test('an object that changes wakes the AdoptedResource that asks for it, and no other', () => {
  const others = [
    claimOf({ metadata: { name: 'other' } }),
    claimOf({ metadata: { namespace: 'far' } }),
    claimOf({ metadata: { name: 'policy' }, kubernetes: { kind: 'Policy', metadata: { name: 'mine' } } }),
  ]
  const { reads } = clusterOf([claimOf(), ...others], { controller })
  const [watch] = controller.watches ?? []
  assert.deepEqual(watch?.toClaims(targetOf(), reads, ''), [{ namespace: 'team', name: 'mine' }])
  assert.deepEqual([watch.optional, watch.namespaces, watch.labelSelector], [true, ['team'], 'a=b'])
})

test('AdoptedResources need not be installed, and their conditions say nothing of generations', () => {
  const { claims, status } = controller
  assert.deepEqual([claims.type, claims.optional, claims.namespaces], [adoptedResourceKind.type, true, ['team']])
  assert.deepEqual(status, { kind: 'subresource', observedGeneration: false, conditionGeneration: false })
})

function reported(trouble: Trouble | undefined, seen: Partial<Adopting> = {}): readonly string[] | undefined {
  const plan = decideAdoption({ claim: claimOf(), model, target: undefined, ...seen })
  const outcomes = trouble === undefined ? [] : [{ kind: 'failed', action: { kind: 'create' }, trouble }]
  const said = controller.reconciler.report?.({ plan, outcomes } as never)
  return said && [...said.conditions.map(({ type, status }) => `${type}=${status}`), ...(said.forgotten ?? [])]
}

test('a pass says what it found and takes back what it does not say', () => {
  assert.deepEqual(reported(undefined, { target: inStep }), [
    `${conditions.adopted}=True`,
    `${conditions.ready}=True`,
    `${conditions.ownership}=True`,
    conditions.terminal,
    conditions.recoverable,
  ])
  assert.equal(reported(undefined, { model: undefined }), undefined)
})

test('a pass that failed says why, and takes nothing back of what is adopted; a short wait says nothing', () => {
  assert.deepEqual(reported(new Trouble({ kind: 'backoff', reason: 'Forbidden', message: 'm' })), [
    `${conditions.recoverable}=True`,
    `${conditions.ready}=False`,
    conditions.terminal,
  ])
  assert.equal(reported(new Trouble({ kind: 'soon', reason: 'Conflict', message: 'm' })), undefined)
})
