// The kinds into which ARNs are written, and the versions in which a cluster has them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceType } from '#kube'
import { discoverPublishTypes, publishTypesDefault } from './kinds.ts'

const served = (...types: readonly ResourceType[]) => ({ discover: () => Promise.resolve(types) }) as never
const { Gateway, LoadBalancerConfiguration, Ingress } = publishTypesDefault

test('every kind lives in a namespace, as its Cert does [16.5]', () => {
  assert.deepEqual(
    Object.values(publishTypesDefault).map(({ namespaced }) => namespaced),
    [true, true, true, true, true],
  )
})

test('kinds that are no part of Kubernetes are written in the version that is served [16.5]', async () => {
  const beta = { ...Gateway, version: 'v1beta1', namespaced: false }
  const other = { ...Gateway, kind: 'GatewayClass', version: 'v9' }
  const stranger = { ...Gateway, group: 'networking.istio.io', version: 'v9' }
  const found = await discoverPublishTypes(served(other, stranger, beta, { ...Ingress, version: 'v9' }))
  assert.deepEqual(found, { ...publishTypesDefault, Gateway: { ...Gateway, version: 'v1beta1' } })
})

test('what is not served, or cannot be asked for, keeps its version [16.5]', async () => {
  assert.deepEqual(await discoverPublishTypes(served()), publishTypesDefault)
  assert.deepEqual(await discoverPublishTypes({ discover: () => Promise.reject(new Error('no')) } as never), publishTypesDefault)
  const { LoadBalancerConfiguration: found } = await discoverPublishTypes(served({ ...LoadBalancerConfiguration, version: 'v1' }))
  assert.equal(found.version, 'v1')
})
