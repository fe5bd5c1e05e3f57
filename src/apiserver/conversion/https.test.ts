import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { ManualClock, seededRandom } from '#base'
import type { ApiServer } from '../api-server.ts'
import { ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { CertificateAuthority } from '../pki/authority.ts'

const group = 'example.com'
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

interface Review {
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly object[] }
}

interface Webhook {
  readonly url: string
  /** Base64 of the authority that signed its certificate. */
  readonly caBundle: string
  close(): Promise<void>
}

/** A converter behind TLS on loopback, with a certificate of an authority of its own. */
async function webhook(seed: number): Promise<Webhook> {
  const authority = new CertificateAuthority(seededRandom(`webhook-${seed}`), new ManualClock(Date.now()))
  const { certificate, key } = authority.serverTls('127.0.0.1')
  const server = createServer({ cert: certificate, key }, (request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { uid, desiredAPIVersion, objects } = (JSON.parse(text) as Review).request
      const convertedObjects = objects.map(object => ({ ...object, apiVersion: desiredAPIVersion, spec: { by: 'https' } }))
      const answer = { uid, convertedObjects, result: { status: 'Success' } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: answer }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

async function define(server: ApiServer, clientConfig: object): Promise<void> {
  const version = (name: string): object => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  })
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
  const names = { plural: 'widgets', kind: 'Widget' }
  const spec = { group, scope: 'Namespaced', names, versions: [version('v1'), version('v2')], conversion }
  const apiVersion = 'apiextensions.k8s.io/v1'
  const { status } = await ask(server, 'POST', definitions, {
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec,
  })
  assert.equal(status, 201)
  await server.settle()
  const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { by: 'nobody' } }
  assert.equal((await ask(server, 'POST', `/apis/${group}/v1/namespaces/default/widgets`, widget)).status, 201)
}

test('a converter is called over HTTPS, and only believed with a certificate of the authority that its definition names [#172]', async t => {
  const [hook, other] = [await webhook(1), await webhook(2)]
  for (const [caBundle, isTrusted] of [
    [hook.caBundle, true],
    [other.caBundle, false],
  ] as const) {
    const server = createApiServer({ seed: 1, controllers: 'none' })
    t.after(() => server.close())
    await server.listen()
    await define(server, { url: hook.url, caBundle })
    const { status, body } = await ask(server, 'GET', `/apis/${group}/v2/namespaces/default/widgets/w`)
    if (isTrusted) assert.deepEqual([status, body.spec], [200, { by: 'https' }], body.message)
    else
      assert.match(`${status} ${body.message}`, /^500 conversion webhook for example\.com\/v1, Kind=Widget failed: .*certificate/)
  }
  await hook.close()
  await other.close()
})
