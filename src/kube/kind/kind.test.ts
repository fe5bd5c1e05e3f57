import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as s from './builder.ts'
import { defineKind, type ObjectOf, renderCrd } from './kind.ts'
import { renderReference } from './reference.ts'

const Widget = defineKind({
  group: 'example.dev',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  shortNames: ['wd'],
  namespaced: true,
  description: 'A thing to test with.',
  spec: s
    .object({
      size: s.integer({ minimum: 1, maximum: 9 }).default(3).describe('How big.'),
      color: s.oneOf('red', 'blue').describe('Which color.'),
      ports: s.list(s.object({ name: s.string(), port: s.integer() }), { keys: ['name'] }).optional(),
      labels: s.map(s.string({ maxLength: 63 })).optional(),
      limit: s.intOrString().optional(),
    })
    .rule({ rule: 'self.color == oldSelf.color', message: 'color cannot be changed' }),
  status: s.object({ observedGeneration: s.integer().optional(), conditions: s.conditions().optional() }),
  columns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
})

test('one definition gives the type: what is required must be there, what has a default is there for readers', () => {
  const widget: ObjectOf<typeof Widget> = Widget.make({ name: 'a' }, { size: 3, color: 'red' })
  const size: number = widget.spec.size
  const ports: readonly { readonly name: string; readonly port: number }[] | undefined = widget.spec.ports
  // @ts-expect-error the word is not one of the enum
  Widget.make({ name: 'a' }, { size: 3, color: 'green' })
  assert.deepEqual(
    [widget, size, ports],
    [{ apiVersion: 'example.dev/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 3, color: 'red' } }, 3, undefined],
  )
})

test('one definition gives the CRD with its rules, defaults, columns and subresource', () => {
  const crd = renderCrd(Widget)
  assert.equal(crd.metadata.name, 'widgets.example.dev')
  assert.deepEqual(crd.spec.names, {
    kind: 'Widget',
    listKind: 'WidgetList',
    plural: 'widgets',
    singular: 'widget',
    shortNames: ['wd'],
  })
  const version = crd.spec.versions[0] as {
    schema: { openAPIV3Schema: { properties: Record<string, unknown>; required: unknown } }
  }
  assert.deepEqual(version.schema.openAPIV3Schema.required, ['spec'])
  assert.deepEqual(version.schema.openAPIV3Schema.properties['spec'], {
    type: 'object',
    required: ['color'],
    properties: {
      size: { description: 'How big.', type: 'integer', minimum: 1, maximum: 9, default: 3 },
      color: { description: 'Which color.', type: 'string', enum: ['red', 'blue'] },
      ports: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'port'],
          properties: { name: { type: 'string' }, port: { type: 'integer' } },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 63 } },
      limit: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    },
    'x-kubernetes-validations': [{ rule: 'self.color == oldSelf.color', message: 'color cannot be changed' }],
  })
})

test('the reference page names each field with its type, its default and its rules', () => {
  const page = renderReference(Widget)
  assert.match(page, /^# Widget\n\nA thing to test with\.\n\n`example\.dev\/v1`, namespaced; `kubectl get widgets`, `wd`\n/)
  assert.match(page, /\| `spec\.size` \| integer \| default `3` \| How big\. \(minimum 1, maximum 9\) \|/)
  assert.match(page, /\| `spec\.color` \| `red`, `blue` \| required \| Which color\. \|/)
  assert.match(page, /\| `spec\.ports\[\]\.port` \| integer \| required \|/)
  assert.match(page, /\| `status\.conditions\[\]\.lastTransitionTime` \| date-time \| required \|/)
  assert.match(page, /Rules over `spec`:\n\n- color cannot be changed \(`self\.color == oldSelf\.color`\)/)
})

test('a field that may be null says so in the schema, and stays required', () => {
  const { openApi } = s.object({ a: s.string().nullable(), b: s.string().nullable().optional(), c: s.string() })
  assert.deepEqual(openApi.properties, {
    a: { type: 'string', nullable: true },
    b: { type: 'string', nullable: true },
    c: { type: 'string' },
  })
  assert.deepEqual(openApi.required, ['a', 'c'])
})

test('conditions have the bounds of metav1.Condition', () => {
  const { items } = s.conditions().openApi
  assert.ok(items)
  assert.deepEqual([...(items.required ?? [])].sort(), ['lastTransitionTime', 'message', 'reason', 'status', 'type'])
  const bounds = Object.entries(items.properties ?? {}).map(([name, { minimum, minLength, maxLength }]) => [
    name,
    minimum ?? minLength,
    maxLength,
  ])
  assert.deepEqual(bounds, [
    ['type', undefined, 316],
    ['status', undefined, undefined],
    ['observedGeneration', 0, undefined],
    ['lastTransitionTime', undefined, undefined],
    ['reason', 1, 1024],
    ['message', undefined, 32768],
  ])
})
