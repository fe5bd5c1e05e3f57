import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { createApiServer } from './create-api-server.ts'

/** Everything that a client and a watcher get to see of a short life with controllers, generated names, tokens and a deletion. */
async function trace(seed: number): Promise<string> {
  const server = createApiServer({ seed, clock: new ManualClock(Date.UTC(2024, 0, 1)) })
  const lines: string[] = []
  const send = async (method: string, target: string, body?: object): Promise<void> => {
    const request = { method, target, headers: { 'content-type': 'application/json' } }
    const response = await server.as()({ ...request, body: body === undefined ? null : Buffer.from(JSON.stringify(body)) })
    lines.push(`${response.status} ${JSON.stringify(response.headers)} ${Buffer.from(response.body as Uint8Array).toString()}`)
    await server.settle()
  }
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'example.com/app:1' }] } }
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template }
  await server.settle()
  await send('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec,
  })
  await send('POST', '/api/v1/namespaces/default/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { generateName: 'x-' },
  })
  await send('POST', '/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { type: 'NodePort', ports: [{ port: 80 }] },
  })
  await send('DELETE', '/apis/apps/v1/namespaces/default/deployments/web')
  for (const resource of ['pods', 'events', 'secrets', 'configmaps', 'serviceaccounts']) await send('GET', `/api/v1/${resource}`)
  await send('GET', '/apis/apps/v1/replicasets')
  lines.push(server.snapshot().split('\n').slice(1).join('\n'))
  await server.close()
  // Signatures of certificates are random by nature; the keys are not.
  return lines.join('\n').replaceAll(/-----BEGIN CERTIFICATE-----[^"]*/g, '<certificate>')
}

test('the same seed gives the same run byte by byte, and another seed another [#212]', async () => {
  const [first, second, other] = [await trace(1), await trace(1), await trace(2)]
  const parts = first.split('\n').filter((line, index) => line !== second.split('\n')[index])
  assert.deepEqual(parts, [])
  assert.notEqual(first, other)
})
