// What the definition says of the kind, beside its schemas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PrinterColumn } from '#kube'
import { renderDnsCrd } from './kinds.ts'

test('kubectl shows of each object what it is of and how it is, and knows it by a short name [2.8]', () => {
  const { names, versions } = renderDnsCrd({ service: { namespace: 'vouch', name: 'vouch-webhook' } }).spec
  assert.deepEqual(names.shortNames, ['edns'])
  const always = [
    ['Provider', '.spec.provider.type', 0],
    ['Source', '.spec.source.type', 0],
    ['Available', '.status.conditions[?(@.type=="Available")].status', 0],
    ['Reason', '.status.conditions[?(@.type=="Available")].reason', 0],
    ['Zones', '.spec.zones', 1],
  ]
  const role = ['Role', '.spec.provider.aws.assumeRole.arn', 1]
  const age = ['Age', '.metadata.creationTimestamp', 0]
  assert.deepEqual(
    versions.map(({ name, additionalPrinterColumns = [] }) => [
      name,
      (additionalPrinterColumns as readonly PrinterColumn[]).map(column => [column.name, column.jsonPath, column.priority ?? 0]),
    ]),
    [
      ['v1alpha1', [...always, age]],
      ['v1beta1', [...always, role, age]],
      ['v1beta2', [...always, role, age]],
    ],
  )
})
