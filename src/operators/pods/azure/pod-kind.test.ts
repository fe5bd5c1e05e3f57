import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindTrouble } from './pod-kind.ts'

for (const object of [
  {},
  { apiVersion: 'v1', kind: 'Pod' },
  { kind: 'Pod' },
  { apiVersion: 'v1' },
  { apiVersion: '', kind: '' },
  { apiVersion: null, kind: null },
])
  test(`${JSON.stringify(object)} counts as a pod [Z-64]`, () => assert.equal(kindTrouble(object), undefined))

for (const [apiVersion, kind, said] of [
  ['v1', 'Secret', '/v1, Kind=Secret'],
  ['v2', 'Node', '/v2, Kind=Node'],
  ['apps/v1', 'Deployment', 'apps/v1, Kind=Deployment'],
  ['batch/v1beta1', 'CronJob', 'batch/v1beta1, Kind=CronJob'],
  ['networking.k8s.io/v1', 'Ingress', 'networking.k8s.io/v1, Kind=Ingress'],
  ['apps/v1/x', 'Deployment', 'apps/v1/x, Kind=Deployment'],
] as const)
  test(`${kind} of ${apiVersion} is a kind that is known, and no pod [Z-63]`, () => {
    assert.equal(kindTrouble({ apiVersion, kind }), `unable to decode ${said} into *v1.Pod`)
  })

for (const [apiVersion, kind] of [
  ['v1', 'Deployment'],
  ['v2', 'Pod'],
  ['apps/v1', 'Pod'],
  ['metrics.k8s.io/v1', 'Pod'],
  ['example.com/v1', 'Thing'],
] as const)
  test(`${kind} of ${apiVersion} is a kind that nobody knows [Z-63]`, () => {
    const said = `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:100"`
    assert.equal(kindTrouble({ apiVersion, kind }), said)
  })
