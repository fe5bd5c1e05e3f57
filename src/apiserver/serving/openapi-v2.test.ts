import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '../create-api-server.ts'

test('the older OpenAPI document says nothing, in the form that kubectl can read, so that it tells which kind is missing', async () => {
  const server = createApiServer({ name: 'hub' })
  try {
    const ask = (accept: string) =>
      server.as()({ method: 'GET', target: '/openapi/v2?timeout=32s', headers: { accept }, body: null })
    const { status, headers, body } = await ask('application/com.github.proto-openapi.spec.v2@v1.0+protobuf')
    assert.equal(status, 200)
    // Go reads no media type with an `@` in it.
    assert.equal(headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf')
    assert.equal(Buffer.from(body as Uint8Array).toString('latin1'), '\n\x032.0\x12\x16\n\nKubernetes\x12\bembedded')
    const plain = await ask('application/json')
    assert.deepEqual(JSON.parse(Buffer.from(plain.body as Uint8Array).toString()), {
      swagger: '2.0',
      info: { title: 'Kubernetes', version: 'embedded' },
      paths: {},
    })
  } finally {
    await server.close()
  }
})
