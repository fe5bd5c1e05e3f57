import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { defaultAwsOptions } from '../aws/api.ts'
import { noRoleEntries } from '../sources/config-map.ts'
import { findPodsWithoutIdentity } from './audit.ts'

const account = (name: string, annotations = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'ns1', name, annotations },
})
const pod = (
  name: string,
  serviceAccountName: string,
  more: { metadata?: object; spec?: object; status?: object } = {},
): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'ns1', name, ...more.metadata },
    spec: { serviceAccountName, containers: [{ name: 'a' }], ...more.spec },
    status: more.status ?? { phase: 'Running' },
  }) as KubeObject

test('pods that run without the role of their ServiceAccount are found, and nobody else [B18]', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true }
  const found = findPodsWithoutIdentity({
    accounts: [account('app', { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/r' }), account('plain')],
    pods: [
      pod('missed', 'app'),
      pod('owned', 'app', { metadata: { ownerReferences: [owner] } }),
      pod('complete', 'app', { spec: { volumes: [{ name: 'aws-iam-token' }] } }),
      pod('plain', 'plain'),
      pod('opted-out', 'app', { metadata: { labels: { 'eks.amazonaws.com/skip-pod-identity-webhook': 'x' } } }),
      pod('finished', 'app', { status: { phase: 'Succeeded' } }),
      pod('going', 'app', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      pod('listed', 'cc'),
    ],
    entries: noRoleEntries,
    identities: new Set(['ns1/cc']),
    flags: defaultAwsOptions,
  })
  assert.deepEqual(
    found.map(({ name, madeBy, missing }) => [name, madeBy, missing]),
    [
      ['missed', 'nobody: delete it and make it again', 'web identity'],
      ['owned', 'ReplicaSet web', 'web identity'],
      ['listed', 'nobody: delete it and make it again', 'container credentials'],
    ],
  )
})
