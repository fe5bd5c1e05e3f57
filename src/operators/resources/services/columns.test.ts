import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomResourceDefinition } from '#kube'
import { withColumns } from './columns.ts'
import { shippedKinds, shippedService } from './shipped.ts'

interface Column {
  readonly name: string
  readonly jsonPath: string
  readonly priority?: number
}

function columnsOf({ spec }: CustomResourceDefinition): readonly Column[] {
  return spec.versions.flatMap(version => version['additionalPrinterColumns'] as readonly Column[])
}

function crdWith(columns: readonly object[]): CustomResourceDefinition {
  const versions = [{ name: 'v1alpha1', served: true, storage: true, additionalPrinterColumns: columns }]
  const spec = { group: 'a.services.k8s.aws', scope: 'Namespaced', names: { kind: 'Thing' }, versions } as const
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'things.a' }, spec }
}

test('of each shipped kind kubectl shows whether it is Ready, its ARN and its age', () => {
  const crds = shippedKinds.flatMap(alias => shippedService(alias).crds)
  assert.ok(crds.length > 15)
  for (const crd of crds) {
    const columns = columnsOf(crd)
    assert.ok(
      columns.some(({ name, priority = 0 }) => name === 'Ready' && priority === 0),
      crd.metadata.name,
    )
    assert.ok(
      columns.some(({ jsonPath }) => jsonPath === '.status.ackResourceMetadata.arn'),
      crd.metadata.name,
    )
    assert.equal(columns.at(-1)?.name, 'Age', crd.metadata.name)
    const names = columns.map(({ name }) => name.toLowerCase())
    assert.deepEqual(names, [...new Set(names)], `${crd.metadata.name} shows each column once`)
  }
})

test('roles, buckets and policies show the ARN without -o wide', () => {
  for (const [alias, kind] of [
    ['iam', 'Role'],
    ['iam', 'Policy'],
    ['s3', 'Bucket'],
  ] as const) {
    const crd = shippedService(alias).crds.find(({ spec }) => spec.names['kind'] === kind)
    assert.deepEqual(crd === undefined ? [] : columnsOf(crd).map(({ name, priority = 0 }) => [name, priority]), [
      ['Ready', 0],
      ['ARN', 0],
      ['Age', 0],
    ])
  }
})

test('what a config asks for comes first and stays, and a kind that shows much has its ARN with -o wide', () => {
  const own = ['A', 'B', 'C', 'D'].map(name => ({ name, type: 'string', jsonPath: `.spec.${name}` }))
  const aged = { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' }
  const columns = columnsOf(withColumns(crdWith([...own, aged])))
  assert.deepEqual(
    columns.map(({ name, priority = 0 }) => [name, priority]),
    [
      ['A', 0],
      ['B', 0],
      ['C', 0],
      ['D', 0],
      ['Ready', 0],
      ['ARN', 1],
      ['Age', 0],
    ],
  )
})

test('a config that asks for the ARN itself gets it once', () => {
  const mine = { name: 'RESOURCE', type: 'string', jsonPath: '.status.ackResourceMetadata.arn' }
  const columns = columnsOf(withColumns(crdWith([mine])))
  assert.deepEqual(
    columns.map(({ name }) => name),
    ['RESOURCE', 'Ready', 'Age'],
  )
})
