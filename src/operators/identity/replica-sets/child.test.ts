// What is put right on a child, and what stays because others wrote it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedFieldsEntry } from '#kube'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, roleKind, type ServiceAccountRole } from '../api/kinds.ts'
import { operatorName } from '../api/labels.ts'
import {
  type ChildWanted,
  changedAt,
  hasOtherAccount,
  markOf,
  ownChildTest,
  type RepairReach,
  repairsOf,
  wantedChild,
} from './child.ts'

type Words = Readonly<Record<string, string>>

const spec: ServiceAccountRole['spec'] = { serviceAccount: { namespace: 'apps', name: 'app' } } as ServiceAccountRole['spec']
const wanted: ChildWanted = { labels: { a: '1', 'x/y~z': '2' }, annotations: { note: 'ours' }, spec }

/** An entry of managed fields that says: this writer wrote these labels. */
const wrote = (manager: string, labels: readonly string[], subresource?: string): ManagedFieldsEntry => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:metadata': { 'f:labels': Object.fromEntries(labels.map(label => [`f:${label}`, {}])) } },
  ...(subresource === undefined ? {} : { subresource }),
})

function child(labels: Words | undefined, managedFields: readonly ManagedFieldsEntry[] = []): ServiceAccountRole {
  const { apiVersion, kind } = roleKind.make({ namespace: 'cluster', name: 'set' }, spec)
  const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
  const metadata = { namespace: 'cluster', name: 'set', ...stored, annotations: wanted.annotations, managedFields }
  return { apiVersion, kind, metadata: labels === undefined ? metadata : { ...metadata, labels }, spec } as ServiceAccountRole
}

const more = { ...wanted.labels, extra: 'x' }
const gone = { op: 'remove', path: '/metadata/labels/extra' }

for (const [what, object, reach, repairs] of [
  ['as it is wanted', child(wanted.labels), 'own', []],
  ['without labels', child(undefined), 'own', [{ op: 'add', path: '/metadata/labels', value: wanted.labels }]],
  ['with another value', child({ ...wanted.labels, a: '0' }), 'own', [{ op: 'add', path: '/metadata/labels/a', value: '1' }]],
  [
    'without a label whose name needs escapes',
    child({ a: '1' }),
    'own',
    [{ op: 'add', path: '/metadata/labels/x~1y~0z', value: '2' }],
  ],
  ['with a label that somebody else wrote', child(more, [wrote('kubectl', ['extra'])]), 'own', []],
  ['with a label that nobody is known to have written', child(more), 'own', []],
  ['with a label that we wrote and want no more', child(more, [wrote(operatorName, ['extra'])]), 'own', [gone]],
  [
    'with one that we wrote in the first of two writes',
    child(more, [wrote(operatorName, ['extra']), wrote(operatorName, ['a'])]),
    'own',
    [gone],
  ],
  ['with one that we only wrote in a status', child(more, [wrote(operatorName, ['extra'], 'status')]), 'own', []],
  ['with a label of others, where all go', child(more, [wrote('kubectl', ['extra'])]), 'all', [gone]],
] as const)
  test(`a child ${what}`, () => assert.deepEqual(repairsOf(object, wanted, reach satisfies RepairReach), repairs))

test('another spec is replaced as a whole', () => {
  const other = { ...spec, serviceAccount: { namespace: 'apps', name: 'other' } }
  assert.deepEqual(repairsOf({ ...child(wanted.labels), spec: other }, wanted, 'own'), [
    { op: 'replace', path: '/spec', value: spec },
  ])
})

const set = { metadata: { namespace: 'platform', name: 'set', uid: 'u' }, spec: {} } as unknown as ReplicaSet
const mark = markOf(set)

test('a Role of a set is known by two labels and an annotation', () => {
  assert.deepEqual(mark, {
    labels: { 'app.kubernetes.io/managed-by': operatorName, 'aws.identity.appthrust.io/replicaset-uid': 'u' },
    annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': 'platform/set' },
  })
})

for (const [what, metadata, isOwn] of [
  ['with all marks', { name: 'set', ...mark }, true],
  [
    'with all marks and others',
    { name: 'set', labels: { ...mark.labels, a: '1' }, annotations: { ...mark.annotations, b: '2' } },
    true,
  ],
  ['of another name', { name: 'other', ...mark }, false],
  [
    'of an earlier set',
    { name: 'set', ...markOf({ ...set, metadata: { ...set.metadata, uid: 'v' } }), annotations: mark.annotations },
    false,
  ],
  [
    'of a namesake elsewhere',
    { name: 'set', labels: mark.labels, annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': 'x/set' } },
    false,
  ],
  ['without labels', { name: 'set', annotations: mark.annotations }, false],
  ['without the annotation', { name: 'set', labels: mark.labels }, false],
  ['without marks', { name: 'set' }, false],
] as const)
  test(`a Role ${what} is ${isOwn ? 'of the set' : 'somebody else’s'} [S2]`, () =>
    assert.equal(ownChildTest(set)({ metadata } as unknown as ServiceAccountRole), isOwn))

test('a template with the keys of the marks does not take their place', () => {
  const metadata = { labels: { 'app.kubernetes.io/managed-by': 'x', a: '1' }, annotations: { b: '2' } }
  const built = wantedChild(set, { metadata, spec })
  assert.deepEqual(built, { labels: { a: '1', ...mark.labels }, annotations: { b: '2', ...mark.annotations }, spec })
  assert.deepEqual(wantedChild(set, { spec }), { ...mark, spec })
})

test('a Role for another ServiceAccount cannot be put right, and one with other policies can', () => {
  const role = child(wanted.labels)
  const other = { ...spec, serviceAccount: { namespace: 'apps', name: 'other' } }
  assert.deepEqual([hasOtherAccount(role, { ...wanted, spec: other }), hasOtherAccount(role, wanted)], [true, false])
  assert.equal(hasOtherAccount(role, { ...wanted, spec: { ...spec, policyARNs: ['x'] } }), false)
})

const at = (manager: string, time: string, subresource?: string): ManagedFieldsEntry => ({
  ...wrote(manager, [], subresource),
  time,
})
for (const [what, entries, changed] of [
  ['by us twice', [at(operatorName, '2026-01-02T00:00:00Z'), at(operatorName, '2026-01-01T00:00:00Z')], '2026-01-02'],
  ['by others after us', [at(operatorName, '2026-01-01T00:00:00Z'), at('kubectl', '2026-01-02T00:00:00Z')], '2026-01-01'],
  [
    'in its status after that',
    [at(operatorName, '2026-01-01T00:00:00Z'), at(operatorName, '2026-01-02T00:00:00Z', 'status')],
    '2026-01-01',
  ],
  ['by others alone', [at('kubectl', '2026-01-02T00:00:00Z')], undefined],
  ['by us nobody knows when', [wrote(operatorName, [])], undefined],
] as const)
  test(`a Role that was changed ${what}`, () =>
    assert.equal(changedAt(child({}, entries)), changed && Date.parse(`${changed}T00:00:00Z`)))

test('a Role that nobody is known to have changed was changed by nobody', () => {
  const { metadata, ...role } = child({})
  const { managedFields: _none, ...rest } = metadata
  assert.equal(changedAt({ ...role, metadata: rest } as ServiceAccountRole), undefined)
})
