// What the API server takes as a FieldExport, and which sources are Secrets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderCrd } from '#kube'
import { extendedFieldExportKind, fieldExportKind, isSecret } from './api.ts'

for (const [group, kind, is] of [
  ['', 'Secret', true],
  ['', 'ConfigMap', false],
  ['secretsmanager.services.k8s.aws', 'Secret', false],
] as const)
  test(`a ${kind} of ${group || 'Kubernetes itself'} is ${is ? '' : 'no '}Secret to take from`, () =>
    assert.equal(isSecret({ group, kind, name: 'x' }), is))

test('an extended export has up to 64 further keys of 1 to 253 letters, and a plain one none', () => {
  const exportsOf = (kind: typeof fieldExportKind): unknown => {
    const { spec } = renderCrd(kind)
    assert.equal(spec.scope, 'Namespaced')
    const [{ schema } = {}] = spec.versions as readonly { readonly schema?: unknown }[]
    const { openAPIV3Schema } = schema as {
      readonly openAPIV3Schema: { properties: { spec: { properties: Readonly<Record<string, unknown>> } } }
    }
    return openAPIV3Schema.properties.spec.properties['exports']
  }
  assert.equal(exportsOf(fieldExportKind), undefined)
  assert.deepEqual(exportsOf(extendedFieldExportKind), {
    type: 'array',
    maxItems: 64,
    items: {
      type: 'object',
      required: ['key'],
      properties: {
        key: { type: 'string', minLength: 1, maxLength: 253 },
        path: { type: 'string' },
        template: { type: 'string' },
      },
    },
  })
})
