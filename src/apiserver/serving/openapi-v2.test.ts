import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '../create-api-server.ts'

test('the older OpenAPI document says nothing in the form that kubectl can read, so that it tells which kind is missing', async () => {
  const server = createApiServer({ name: 'hub' })
  try {
    const ask = (accept: string) =>
      server.as()({ method: 'GET', target: '/openapi/v2?timeout=32s', headers: { accept }, body: null })
    const { status, headers, body } = await ask('application/com.github.proto-openapi.spec.v2@v1.0+protobuf')
    assert.equal(status, 200)
    // Go reads no media type with an `@` in it.
    assert.equal(headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
    assert.equal(Buffer.from(body as Uint8Array).toString('latin1'), '\n\x032.0\x12\x16\n\nKubernetes\x12\bembedded')
  } finally {
    await server.close()
  }
})

interface Definition {
  readonly description?: string
  readonly properties?: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>
}

async function documentAt<T>(target: string): Promise<T> {
  const server = createApiServer({ controllers: 'none' })
  try {
    const { status, body } = await server.as()({ method: 'GET', target, headers: { accept: 'application/json' }, body: null })
    assert.equal(status, 200)
    return JSON.parse(Buffer.from(body as Uint8Array).toString()) as T
  } finally {
    await server.close()
  }
}

test('the older OpenAPI document has a definition of every kind, and each refers to one that is there', async () => {
  const document = await documentAt<{ swagger: string; definitions: Readonly<Record<string, Definition>> }>('/openapi/v2')
  assert.equal(document.swagger, '2.0')
  const { definitions } = document
  const deployment = definitions['io.k8s.api.apps.v1.Deployment']
  assert.equal(deployment?.properties?.['spec']?.$ref, '#/definitions/io.k8s.api.apps.v1.DeploymentSpec')
  const referred = [...JSON.stringify(definitions).matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = '']) => name)
  assert.ok(referred.length > 500)
  const lost = referred.filter(name => !Object.hasOwn(definitions, name.replace('#/definitions/', '')))
  assert.deepEqual(lost, [])
  // A field whose name is a word of schemas stays a field.
  const schemaProps = definitions['io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps']
  assert.ok(schemaProps?.properties?.['oneOf'] !== undefined && schemaProps.properties['$ref'] !== undefined)
})

test('every built-in kind has a description, and so have the fields that people ask for', async () => {
  const { definitions } = await documentAt<{ definitions: Readonly<Record<string, Definition>> }>('/openapi/v2')
  const kinds = Object.entries(definitions).filter(([, { properties }]) => properties?.['kind'] && properties['metadata'])
  assert.ok(kinds.length > 100)
  const silent = kinds.filter(([, { description }]) => description === undefined).map(([name]) => name)
  assert.deepEqual(silent, [])
  type Newer = { components: { schemas: Readonly<Record<string, Definition>> } }
  const { components } = await documentAt<Newer>('/openapi/v3/apis/apps/v1')
  const { DeploymentSpec, Deployment } = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name.split('.').at(-1), schema]),
  )
  assert.match(Deployment?.description ?? '', /ReplicaSets/)
  assert.match(DeploymentSpec?.properties?.['replicas']?.description ?? '', /pods are wanted/)
})
