import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const services = '/api/v1/namespaces/default/services?dryRun=All'
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'

function world(): ApiServer {
  return createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
}

const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }
const service = (spec: object): object => ({ metadata: { name: 's' }, spec: { ...local, ...spec } })

test('a dry run shows the numbers after those that the service gives itself, or some out of the range', async () => {
  const server = world()
  const given = await ask(server, 'POST', services, service({ ports: [{ port: 80, nodePort: 30080 }] }))
  assert.equal(given.body.spec.healthCheckNodePort, 30081)
  const none = await ask(server, 'POST', services, service({ ports: [{ port: 80 }] }))
  assert.deepEqual(none.body.spec.ports, [{ port: 80, protocol: 'TCP', targetPort: 80, nodePort: 32769 }])
  assert.equal(none.body.spec.healthCheckNodePort, 32770)
  await server.close()
})

test('a port for the health of a service that is taken is an error of the server', async () => {
  const server = world()
  const spec = { ports: [{ port: 80, nodePort: 30080 }], healthCheckNodePort: 30080 }
  const { status, body } = await ask(server, 'POST', services, service(spec))
  const why = 'failed to allocate requested HealthCheck NodePort 30080: provided port is already allocated'
  assert.deepEqual([status, body.message, body.details], [500, `Internal error occurred: ${why}`, { causes: [{ message: why }] }])
  await server.close()
})

test('where an endpoint is stands in its fields, not in the map of an older version', async () => {
  const server = world()
  const endpoints = [{ addresses: ['10.0.0.1'], zone: 'z', deprecatedTopology: { a: 'b' } }]
  const slice = { metadata: { name: 'e' }, addressType: 'IPv4', endpoints }
  const { body } = await ask(server, 'POST', slices, slice)
  assert.deepEqual(body.endpoints, [{ addresses: ['10.0.0.1'], conditions: {}, zone: 'z' }])
  const changed = await ask(server, 'PATCH', `${slices}/e`, { endpoints }, { type: 'application/merge-patch+json' })
  assert.deepEqual(changed.body.endpoints, body.endpoints)
  await server.close()
})
