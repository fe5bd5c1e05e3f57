// Rules of custom resources over updates: what changes, what may not, and what was wrong before the rule.
import { definition, establish } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const transitionScripts: readonly Script[] = [
  { id: 'rules-transition', title: 'rules that compare with the old value', run: transitions },
  { id: 'rules-ratcheting', title: 'what was wrong before and is left alone', run: ratcheting },
  { id: 'rules-refused', title: 'rules and schemas that no definition may have', run: refusedSchemas },
]

const rule = (text: string, more: object = {}): object => ({ rule: text, ...more })
const int = { type: 'integer' }
const text = { type: 'string' }

const comparing = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      'x-kubernetes-validations': [
        rule('!has(oldSelf.kept) || has(self.kept)', {
          message: 'kept may not go',
          reason: 'FieldValueForbidden',
          fieldPath: '.kept',
        }),
        rule('oldSelf.hasValue() || self.count == 1', { optionalOldSelf: true, message: 'begins with one' }),
      ],
      properties: {
        kept: { ...text, 'x-kubernetes-validations': [rule('self == oldSelf', { messageExpression: "'was ' + oldSelf" })] },
        count: {
          ...int,
          'x-kubernetes-validations': [rule('self >= oldSelf && self - oldSelf <= 2', { reason: 'FieldValueInvalid' })],
        },
        parts: {
          type: 'array',
          maxItems: 5,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          'x-kubernetes-validations': [rule('oldSelf.all(o, self.exists(p, p.name == o.name))', { message: 'parts only come' })],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { ...text, maxLength: 9 },
              size: { ...int, 'x-kubernetes-validations': [rule('self > oldSelf')] },
            },
          },
        },
        labels: {
          type: 'object',
          maxProperties: 5,
          additionalProperties: { ...text, maxLength: 9, 'x-kubernetes-validations': [rule('self.startsWith(oldSelf)')] },
        },
      },
    },
    status: {
      type: 'object',
      properties: { phase: { ...text, 'x-kubernetes-validations': [rule("oldSelf != 'Done' || self == 'Done'")] } },
    },
  },
}

async function transitions(s: Session): Promise<void> {
  await establish(
    s,
    definition(s, { plural: 'movers', kind: 'Mover', schema: comparing as Json, version: { subresources: { status: {} } } }),
  )
  const at = s.path(`movers.${s.group}/v1`)
  const mover = (spec: object): Json =>
    ({ apiVersion: `${s.group}/v1`, kind: 'Mover', metadata: { name: 'm' }, spec }) as unknown as Json
  await s.post(at, mover({ count: 2 }))
  await s.post(at, mover({ count: 1, kept: 'a', parts: [{ name: 'x', size: 1 }], labels: { a: 'b' } }))
  for (const spec of [
    { kept: 'b' },
    { kept: null },
    { count: 4 },
    { count: 0 },
    { count: 3, kept: 'a' },
    { parts: [{ name: 'y', size: 1 }] },
    {
      parts: [
        { name: 'x', size: 1 },
        { name: 'y', size: 1 },
      ],
    },
    {
      parts: [
        { name: 'x', size: 2 },
        { name: 'y', size: 1 },
      ],
    },
    {
      parts: [
        { name: 'y', size: 1 },
        { name: 'x', size: 3 },
      ],
    },
    { parts: null },
    { labels: { a: 'x', b: 'y' } },
    { labels: { a: 'bc', b: 'y' } },
    { labels: { a: null, b: 'yz' } },
    { kept: 'z', count: 99, parts: [], labels: { b: 'q' } },
  ])
    await s.patch(`${at}/m`, 'merge', { spec } as unknown as Json)
  for (const phase of ['Done', 'Open', 'Done']) await s.patch(`${at}/m/status`, 'merge', { status: { phase } })
  await s.patch(`${at}/m?fieldManager=m`, 'apply', mover({ count: 9, kept: 'a' }))
  await s.patch(`${at}/m?fieldManager=m&force=true`, 'apply', mover({ count: 4, kept: 'a' }))
}

const number = (more: object): Json =>
  ({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          n: { ...int, ...more },
          list: {
            type: 'array',
            maxItems: 5,
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: { type: 'object', required: ['k'], properties: { k: { ...text, maxLength: 9 }, n: { ...int, ...more } } },
          },
          plain: { type: 'array', maxItems: 5, items: { ...int, ...more } },
          other: text,
        },
      },
    },
  }) as unknown as Json

async function ratcheting(s: Session): Promise<void> {
  const crd = definition(s, { plural: 'olds', kind: 'Old', schema: number({}) }) as {
    metadata: { name: string }
    spec: { versions: { schema: object }[] }
  }
  await establish(s, crd as unknown as Json)
  const at = s.path(`olds.${s.group}/v1`)
  const spec = {
    n: 9,
    list: [
      { k: 'a', n: 9 },
      { k: 'b', n: 1 },
    ],
    plain: [9, 1],
  }
  await s.post(at, { apiVersion: `${s.group}/v1`, kind: 'Old', metadata: { name: 'o' }, spec } as unknown as Json)
  const stricter = number({ maximum: 5, 'x-kubernetes-validations': [rule('self < 5', { message: 'less than five' })] })
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`
  await s.patch(path, 'json', [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: stricter }])
  await s.retry('POST', `${at}?dryRun=All`, ({ status }) => status === 422, {
    body: { apiVersion: `${s.group}/v1`, kind: 'Old', metadata: { name: 'new' }, spec: { n: 9 } } as unknown as Json,
  })
  for (const change of [
    { other: 'x' },
    { n: 8 },
    { n: 5 },
    {
      list: [
        { k: 'b', n: 1 },
        { k: 'a', n: 9 },
      ],
    },
    {
      list: [
        { k: 'a', n: 8 },
        { k: 'b', n: 1 },
      ],
    },
    { list: [{ k: 'c', n: 9 }] },
    { plain: [9, 2] },
    { plain: [9, 1], other: 'y' },
    { n: 1 },
    { n: 9 },
  ])
    await s.patch(`${at}/o`, 'merge', { spec: change } as unknown as Json)
}

const impossible: readonly object[] = [
  { type: 'array', items: { ...int, 'x-kubernetes-validations': [rule('self > oldSelf')] } },
  { type: 'array', 'x-kubernetes-list-type': 'set', items: { ...text, 'x-kubernetes-validations': [rule('self == oldSelf')] } },
  { ...int, 'x-kubernetes-validations': [rule('self > oldSelf', { optionalOldSelf: true })] },
  { ...int, 'x-kubernetes-validations': [rule('self > 1', { reason: 'Odd' })] },
  { ...int, 'x-kubernetes-validations': [rule('self > 1', { fieldPath: '.x' })] },
  { type: 'object', properties: { a: int }, 'x-kubernetes-validations': [rule('self.a > 1', { fieldPath: '.b' })] },
  { type: 'object', properties: { a: int }, 'x-kubernetes-validations': [rule('self.a > 1', { fieldPath: 'a' })] },
  { ...int, 'x-kubernetes-validations': [rule('self > 1', { message: 'two\nlines' })] },
  { ...int, 'x-kubernetes-validations': [rule('self > 1', { message: ' ' })] },
  { ...int, 'x-kubernetes-validations': [rule('')] },
  { ...int, 'x-kubernetes-validations': [{}] },
  { ...int, 'x-kubernetes-validations': [rule('self > 1'), rule('self > 1')] },
  { type: 'object', additionalProperties: true, properties: { a: int } },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
  { type: 'object', 'x-kubernetes-embedded-resource': true },
  { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'string', 'x-kubernetes-int-or-string': true },
  { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
  { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'string' }, { type: 'integer' }] },
  { type: 'array', items: int, 'x-kubernetes-list-type': 'map' },
  {
    type: 'array',
    items: { type: 'object', properties: { k: text } },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  },
  {
    type: 'array',
    items: { type: 'object', properties: { k: text }, required: ['k'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'k'],
  },
  {
    type: 'array',
    items: { type: 'object', properties: { k: { type: 'object' } }, required: ['k'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  },
  { type: 'array', 'x-kubernetes-list-type': 'atomic' },
  { type: 'array', items: [int, text] },
  { type: 'object', properties: { a: {} } },
  { type: 'object', not: { properties: { a: int } } },
  { type: 'object', properties: { a: { type: 'object', allOf: [{ properties: { b: { minimum: 1 } } }] } } },
  { ...text, default: 1 },
  { ...text, nullable: true, default: null },
  { ...text, format: 'odd', pattern: '(' },
  { ...text, enum: ['a', 'a'] },
  { ...text, uniqueItems: true },
  { ...text, $ref: '#/x' },
  { ...text, 'x-kubernetes-map-type': 'atomic' },
  { type: 'object', 'x-kubernetes-map-type': 'odd' },
  { type: 'number', exclusiveMinimum: true },
]

async function refusedSchemas(s: Session): Promise<void> {
  for (const [index, schema] of impossible.entries())
    await s.post(
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
      definition(s, {
        plural: `x${index}s`,
        kind: `X${index}`,
        schema: { type: 'object', properties: { spec: schema } } as Json,
      }),
    )
}
