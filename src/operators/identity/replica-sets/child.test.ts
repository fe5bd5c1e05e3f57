// What is put right on a child, and what stays because others wrote it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManagedFieldsEntry } from '#kube'
import { roleKind, type ServiceAccountRole } from '../api/kinds.ts'
import { operatorName } from '../api/labels.ts'
import { type ChildWanted, type RepairReach, repairsOf } from './child.ts'

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
