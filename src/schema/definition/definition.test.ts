import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { refusals, schemaOf } from '../testing/refusals.ts'
import { definitionWarnings } from './definition.ts'
import { internalRule, internalSchema, internalVersions } from './internal-form.ts'

const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' }
const version = (content: JsonObject = {}, name = 'v1'): JsonObject => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object' } },
  ...content,
})

function definition(spec: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version()], ...spec },
    status: { storedVersions: ['v1'] },
    ...more,
  }
}

const ofNames = (content: JsonObject): JsonObject => ({ names: { ...names, ...content } })
const mixed = 'may have mixed case, but should otherwise match: '
const converting = (webhook: JsonObject, strategy = 'Webhook'): JsonObject => ({ conversion: { strategy, webhook } })
const service = { service: { name: 's', namespace: 'n' } }
const config = 'spec.conversion.webhookClientConfig'
const reviews = 'spec.conversion.conversionReviewVersions'
const unset = 'should not be set when strategy is not set to Webhook'

const missing =
  'missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions'

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [
    ofNames({ plural: 'things' }),
    'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group',
  ],
  [{ scope: '' }, 'spec.scope: Required value'],
  [{ scope: 'World' }, 'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"'],
  [{ scope: 'Cluster' }],
  [
    {
      scope: 'World',
      names: { ...names, singular: 'W' },
      versions: [
        version({ subresources: { scale: {} }, additionalPrinterColumns: [{}], schema: { openAPIV3Schema: { type: 'string' } } }),
        version({ schema: {} }, 'V'),
      ],
    },
    'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    'spec.versions[1].schema.openAPIV3Schema: Required value',
    'spec.versions[0].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root',
    'spec.versions[0].subresources.scale.specReplicasPath: Required value',
    'spec.versions[0].subresources.scale.statusReplicasPath: Required value',
    'spec.versions[0].additionalPrinterColumns[0].name: Required value',
    'spec.versions[0].additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string',
    'spec.versions[0].additionalPrinterColumns[0].JSONPath: Required value',
    `spec.versions[1].name: Invalid value: "V": ${label}`,
    `spec.names.singular: Invalid value: "W": ${label}`,
  ],
  [
    ofNames({ shortNames: [''], categories: [''] }),
    `spec.names.shortNames[0]: Invalid value: "": ${label}`,
    `spec.names.categories[0]: Invalid value: "": ${label}`,
  ],
  [
    { versions: [version({}, '')] },
    `spec.versions[0].name: Invalid value: "": ${label}`,
    'spec.versions: must have exactly one version marked as storage version',
    `status.storedVersions[0]: Invalid value: "v1": ${missing}`,
  ],
  [
    {
      preserveUnknownFields: true,
      conversion: { strategy: 'Webhook' },
      versions: [
        version({ schema: { openAPIV3Schema: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } } }),
      ],
    },
    'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
    'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    `${config}: Required value: required when strategy is set to Webhook`,
    `${reviews}: Required value`,
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  ],
  [
    { versions: [version(), version({ storage: true })] },
    'spec.versions: must contain unique version names',
    'spec.versions: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: ["v1"]: must have the storage version v1',
  ],
  [
    { versions: [version({ schema: null, selectableFields: [{ jsonPath: '.a' }] })] },
    'spec.versions[0].schema.openAPIV3Schema: Required value',
    'spec.selectableFields: Invalid value: "": may only be set when validations.schema is included',
  ],
  [ofNames({ shortNames: ['w', 'wi'], categories: ['all'] })],
  [
    ofNames({ singular: 'Widget', shortNames: ['W'], categories: ['all', '1'] }),
    `spec.names.singular: Invalid value: "Widget": ${label}`,
    `spec.names.shortNames[0]: Invalid value: "W": ${label}`,
    `spec.names.categories[1]: Invalid value: "1": ${label}`,
  ],
  [ofNames({ kind: 'Wid_get' }), `spec.names.kind: Invalid value: "Wid_get": ${mixed}${label}`],
  [ofNames({ listKind: '1' }), `spec.names.listKind: Invalid value: "1": ${mixed}${label}`],
  [ofNames({ listKind: 'Widget' }), 'spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same'],
  [
    ofNames({ kind: '', singular: '', listKind: '' }),
    'spec.names.singular: Required value',
    'spec.names.kind: Required value',
    'spec.names.listKind: Required value',
  ],
  [
    { preserveUnknownFields: true },
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  ],
  [{ versions: [version(), version({}, 'v2')] }],
  [{ versions: [version({ storage: false })] }, 'spec.versions: must have exactly one version marked as storage version'],
  [
    { versions: [version(), version({ storage: true }, 'v2')] },
    'spec.versions: must have exactly one version marked as storage version',
    'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
  ],
  [{ versions: [version(), version({ storage: false })] }, 'spec.versions: must contain unique version names'],
  [{ versions: [version(), version({}, 'V2')] }, `spec.versions[1].name: Invalid value: "V2": ${label}`],
  [{ versions: [version({ schema: null })] }, 'spec.versions[0].schema.openAPIV3Schema: Required value'],
  [{ versions: [version({ deprecated: true, deprecationWarning: 'w'.repeat(256) })] }],
  [
    { versions: [version({ deprecated: true, deprecationWarning: 'w'.repeat(257) })] },
    `spec.versions[0].deprecationWarning: Invalid value: "${'w'.repeat(257)}": must be <= 256 characters long`,
  ],
  [
    { versions: [version({ deprecationWarning: '' })] },
    'spec.versions[0].deprecationWarning: Invalid value: "": can only be set for deprecated versions',
  ],
  [
    { versions: [version({ deprecated: true, deprecationWarning: '' })] },
    'spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string',
  ],
  [
    { versions: [version({ deprecated: true, deprecationWarning: 'é'.repeat(129) })] },
    `spec.versions[0].deprecationWarning: Invalid value: "${'é'.repeat(129)}": must be <= 256 characters long`,
  ],
  [
    { versions: [version({ deprecated: true, deprecationWarning: 'a\tb' })] },
    'spec.versions[0].deprecationWarning: Invalid value: "a\\tb": must only contain printable UTF-8 characters; non-printable character found at index 1',
  ],
  [
    { versions: [version({ deprecated: true, deprecationWarning: '\tb' })] },
    'spec.versions[0].deprecationWarning: Invalid value: "\\tb": must only contain printable UTF-8 characters; non-printable character found at index 0',
  ],
  [converting({ clientConfig: service, conversionReviewVersions: ['v1', 'v2'] })],
  [converting({ clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1beta1'] })],
  [
    { conversion: { strategy: 'Magic' } },
    'spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"',
  ],
  [{ conversion: { strategy: '' } }, 'spec.conversion.strategy: Required value'],
  [
    { conversion: { strategy: 'Webhook' } },
    `${config}: Required value: required when strategy is set to Webhook`,
    `${reviews}: Required value`,
  ],
  [
    converting({ clientConfig: {}, conversionReviewVersions: ['v1'] }),
    `${config}: Required value: exactly one of url or service is required`,
  ],
  [
    converting({ clientConfig: { url: 'https://a', ...service }, conversionReviewVersions: ['v1'] }),
    `${config}: Required value: exactly one of url or service is required`,
  ],
  [
    converting({ clientConfig: { url: 'http://a' }, conversionReviewVersions: ['v1'] }),
    `${config}.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
  ],
  [
    converting({ clientConfig: { service: { name: '', namespace: '', port: 0 } }, conversionReviewVersions: ['v1'] }),
    `${config}.service.name: Required value`,
    `${config}.service.namespace: Required value`,
    `${config}.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`,
  ],
  [
    converting({ clientConfig: service, conversionReviewVersions: ['v2'] }),
    `${reviews}: Invalid value: ["v2"]: must include at least one of v1, v1beta1`,
  ],
  [
    converting({ clientConfig: service, conversionReviewVersions: ['v1', 'v1', 'V'] }),
    `${reviews}[1]: Invalid value: "v1": duplicate version`,
    `${reviews}[2]: Invalid value: "V": ${label}`,
  ],
  [converting({ conversionReviewVersions: [] }, 'None')],
  [
    converting({ clientConfig: service, conversionReviewVersions: ['v1'] }, 'None'),
    `${config}: Forbidden: ${unset}`,
    `${reviews}: Forbidden: ${unset}`,
  ],
]

/** What is quoted of all versions is long and its own test. */
const short = (line: string): string => line.replace(/^(spec\.versions: )Invalid value: \[.*\]: /, '$1')

for (const [spec, ...told] of rows)
  test(`a definition with ${JSON.stringify(spec).slice(0, 120)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(definition(spec)).map(short), told)
  })

test('all versions are quoted by the names that their fields have in Go', () => {
  const shown = (name: string): string =>
    `{"Name":"${name}","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}`
  assert.deepEqual(refusals(definition({ versions: [version({ storage: false })] })), [
    `spec.versions: Invalid value: [${shown('v1')}]: must have exactly one version marked as storage version`,
  ])
})

test('the group of a definition is a domain, and that of Kubernetes needs leave', () => {
  const of = (group: string, annotations: JsonObject = {}): JsonObject =>
    definition({ group }, { metadata: { name: `widgets.${group}`, annotations } })
  assert.deepEqual(
    refusals(of('')),
    ['metadata.name: Invalid value: "widgets.": must be spec.names.plural+"."+spec.group', 'spec.group: Required value'].slice(1),
  )
  assert.deepEqual(refusals(of('Example.com')), [`spec.group: Invalid value: "Example.com": ${subdomain}`])
  assert.deepEqual(refusals(of('example')), ['spec.group: Invalid value: "example": should be a domain with at least one dot'])
  const key = 'api-approved.kubernetes.io'
  const link = 'see https://github.com/kubernetes/enhancements/pull/1111'
  const missing = `metadata.annotations[${key}]: Required value: protected groups must have approval annotation "${key}", ${link}`
  for (const group of ['x.k8s.io', 'k8s.io', 'x.kubernetes.io']) {
    assert.deepEqual(refusals(of(group)), [missing])
    assert.deepEqual(refusals(of(group, { [key]: '' })), [missing])
    assert.deepEqual(refusals(of(group, { [key]: 'https://github.com/a/pull/1' })), [])
    assert.deepEqual(refusals(of(group, { [key]: 'unapproved, on trial' })), [])
    assert.deepEqual(refusals(of(group, { [key]: 'yes' })), [
      `metadata.annotations[${key}]: Invalid value: "yes": protected groups must have approval annotation "${key}" with either a URL or a reason starting with "unapproved", ${link}`,
    ])
    assert.deepEqual(refusals(of(group), { old: of(group) }), [])
    assert.deepEqual(refusals(of(group), { old: of(group, { [key]: 'unapproved' }) }), [missing])
  }
  assert.deepEqual(refusals(of('myk8s.io')), [])
})

test('versions in which something is stored are named, and stay', () => {
  const stored = (...storedVersions: string[]): JsonObject => definition({}, { status: { storedVersions } })
  const at = 'status.storedVersions'
  assert.deepEqual(refusals(stored()), [`${at}: Invalid value: null: must have at least one stored version`])
  assert.deepEqual(refusals(stored('v1', 'v0')), [
    `${at}[1]: Invalid value: "v0": missing from spec.versions; v0 was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in v0 and removes v0 from status.storedVersions`,
  ])
})

test('what a definition names stays, its kind and scope once it is served', () => {
  const established = { status: { storedVersions: ['v1'], conditions: [{ type: 'Established', status: 'True' }] } }
  const accepted = { type: 'NamesAccepted', status: 'False' }
  const late = { status: { storedVersions: ['v1'], conditions: [accepted, { type: 'Established', status: 'True' }] } }
  assert.equal(refusals(definition({ scope: 'Cluster' }), { old: definition({}, late) }).length, 1)
  const now = definition({ scope: 'Cluster', ...ofNames({ kind: 'Gadget' }) })
  assert.deepEqual(refusals(now, { old: definition({}) }), [])
  assert.deepEqual(
    refusals(now, { old: definition({}, { status: { conditions: [{ type: 'Established', status: 'False' }] } }) }),
    [],
  )
  assert.deepEqual(refusals(now, { old: definition({}, established) }), [
    'spec.scope: Invalid value: "Cluster": field is immutable',
    'spec.names.kind: Invalid value: "Gadget": field is immutable',
  ])
  const moved = definition(
    { group: 'example.org', ...ofNames({ plural: 'things' }) },
    { metadata: { name: 'things.example.org' } },
  )
  assert.deepEqual(refusals(moved, { old: definition({}) }), [
    'spec.group: Invalid value: "example.org": field is immutable',
    'spec.names.plural: Invalid value: "things": field is immutable',
  ])
})

test('versions that do not change are not judged again, nor is what kept unknown fields', () => {
  const bad = { versions: [version({ schema: { openAPIV3Schema: { type: 'object', nullable: true } } })] }
  assert.deepEqual(refusals(definition(bad), { old: definition(bad) }), [])
  assert.equal(refusals(definition(bad), { old: definition({}) }).length, 1)
  const keeping = definition({ preserveUnknownFields: true })
  assert.deepEqual(refusals(keeping, { old: keeping }), [])
  assert.equal(refusals(keeping, { old: definition({}) }).length, 1)
})

test('formats that nothing checks are warned of, each once', () => {
  const { validate } = schemaOf({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' })
  const text = (format: string): JsonObject => ({ type: 'string', format })
  const properties = {
    a: text('weird'),
    b: { type: 'array', items: text('odd') },
    c: { type: 'object', additionalProperties: text('weird') },
    d: text('date-time'),
    e: { type: 'integer', format: 'odd' },
    f: text(''),
    g: text('ipv4'),
    h: { 'x-kubernetes-int-or-string': true, format: 'odder' },
    i: { type: 'object', format: 'odder' },
    j: text('int32'),
  }
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  assert.deepEqual(validate(definition({ versions: [version({ schema })] })).warnings, [
    'unrecognized format "int32"',
    'unrecognized format "odd"',
    'unrecognized format "weird"',
  ])
})

const root = 'spec.validation.openAPIV3Schema'

function ofSchema(schema: Json): readonly string[] {
  return refusals(definition({ versions: [version({ schema: { openAPIV3Schema: schema } })] }))
}

const field = (content: Json): JsonObject => ({ type: 'object', properties: { a: content } })
const at = `${root}.properties[a]`
const text = { type: 'string' }
const structural = 'to be structural'
const types = 'supported values: "array", "boolean", "integer", "number", "object", "string"'
const listed = (keys: readonly string[], items: Json, more: JsonObject = {}): JsonObject =>
  field({ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, items, ...more })
const keyed = { type: 'object', required: ['k'], properties: { k: text, l: { type: 'integer' }, o: { type: 'object' } } }
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }
const either = [{ type: 'integer' }, text]
const scalar = "must be a scalar type if parent array's x-kubernetes-list-type is map"
const ofKey = 'this property is in x-kubernetes-list-map-keys, so it'
const mapKeys = `${at}.x-kubernetes-list-map-keys`

const schemas: readonly (readonly [schema: Json, ...told: string[]])[] = [
  [{ type: 'object' }],
  [{ type: 'string' }, `${root}.type: Invalid value: "string": must be object at the root`],
  [{ description: 'x' }, `${root}.type: Required value: must not be empty at the root`],
  [{ type: 'object', nullable: true }, `${root}.nullable: Forbidden: nullable cannot be true at the root`],
  [{ type: 'object', additionalProperties: text }, `${root}.additionalProperties: Forbidden: must not be used at the root`],
  [field({}), `${at}.type: Required value: must not be empty for specified object fields`],
  [field({ 'x-kubernetes-preserve-unknown-fields': true })],
  [field({ 'x-kubernetes-int-or-string': true })],
  [
    field({ type: 'text' }),
    `${at}.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", "object", "string"`,
  ],
  [
    field({ type: 'null' }),
    `${at}.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", "string"`,
    `${at}.type: Forbidden: type cannot be set to null, use nullable as an alternative`,
  ],
  [field({ type: 'array' }), `${at}.items: Required value: must be specified`],
  [field({ type: 'array', items: {} }), `${at}.items.type: Required value: must not be empty for specified array items`],
  [field({ type: 'array', items: [text] }), `${at}.items: Forbidden: items must be a schema object and not an array`],
  [field({ $ref: '#/a' }), `${at}.$ref: Forbidden: $ref is not supported`],
  [field({ type: 'string', id: 'x' }), `${at}.id: Forbidden: id is not supported`],
  [
    field({ type: 'string', uniqueItems: true }),
    `${at}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
  ],
  [
    field({ type: 'object', properties: { b: text }, additionalProperties: text }),
    `${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
  ],
  [
    field({ type: 'object', properties: { b: text }, additionalProperties: false }),
    `${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
  ],
  [field({ type: 'object', properties: {}, additionalProperties: text })],
  [
    field({ type: 'object', additionalProperties: { type: 'array' } }),
    `${at}.additionalProperties.items: Required value: must be specified`,
  ],
  [
    field({ type: 'string', 'x-kubernetes-preserve-unknown-fields': false }),
    `${at}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`,
  ],
  [
    field({ ...embedded, 'x-kubernetes-int-or-string': true }),
    `${at}.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
    `${at}.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-or-string is true`,
  ],
  [field(embedded)],
  [
    field({ type: 'object', 'x-kubernetes-embedded-resource': true }),
    `${at}.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields`,
  ],
  [field({ type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } })],
  [
    field({ ...embedded, type: 'string' }),
    `${at}.type: Invalid value: "string": must be object if x-kubernetes-embedded-resource is true`,
  ],
  [
    field({ 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true }),
    `${at}.type: Required value: must be object if x-kubernetes-embedded-resource is true`,
  ],
  [
    { type: 'object', properties: { apiVersion: { type: 'integer' }, kind: { type: 'boolean' }, metadata: { type: 'string' } } },
    `${root}.properties[apiVersion].type: Invalid value: "integer": must be string`,
    `${root}.properties[kind].type: Invalid value: "boolean": must be string`,
    `${root}.properties[metadata].type: Invalid value: "string": must be object`,
  ],
  [
    field({ ...embedded, properties: { kind: { type: 'boolean' } } }),
    `${at}.properties[kind].type: Invalid value: "boolean": must be string`,
  ],
  [{ type: 'object', properties: { metadata: { type: 'object', properties: { name: text, generateName: text } } } }],
  [
    { type: 'object', properties: { metadata: { type: 'object', description: 'x', properties: { name: text } } } },
    `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ],
  [
    { type: 'object', properties: { apiVersion: {}, metadata: { properties: { name: {} } } } },
    `${root}.properties[apiVersion].type: Invalid value: "": must be string`,
    `${root}.properties[apiVersion].type: Required value: must not be empty for specified object fields`,
    `${root}.properties[metadata].properties[name].type: Required value: must not be empty for specified object fields`,
    `${root}.properties[metadata].type: Invalid value: "": must be object`,
    `${root}.properties[metadata].type: Required value: must not be empty for specified object fields`,
  ],
  [
    { type: 'object', properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } } },
    `${root}.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`,
  ],
  [
    field({
      type: 'text',
      items: {},
      properties: { c: {}, b: { type: 'text' } },
      additionalProperties: {},
      pattern: '(',
      anyOf: [{ type: 'text' }],
    }),
    `${at}.additionalProperties.type: Required value: must not be empty for specified object fields`,
    `${at}.anyOf[0].type: Forbidden: must be empty ${structural}`,
    `${at}.items.type: Required value: must not be empty for specified array items`,
    `${at}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
    `${at}.properties[c].type: Required value: must not be empty for specified object fields`,
    `${at}.type: Unsupported value: "text": ${types}`,
    `${at}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
    `${at}.properties[b].type: Unsupported value: "text": ${types}`,
    `${at}.anyOf[0].type: Unsupported value: "text": ${types}`,
  ],
  [
    field({
      type: 'array',
      id: 'x',
      items: [text, { type: 'text' }],
      not: { id: 'x' },
      allOf: [{ id: 'x' }],
      oneOf: [{ id: 'x' }],
      anyOf: [{ id: 'x' }],
      'x-kubernetes-list-type': 'bag',
    }),
    `${at}.id: Forbidden: id is not supported`,
    `${at}.items: Forbidden: items must be a schema object and not an array`,
    ...['.not', '.allOf[0]', '.oneOf[0]', '.anyOf[0]'].map(part => `${at}${part}.id: Forbidden: id is not supported`),
    `${at}.items[1].type: Unsupported value: "text": ${types}`,
    `${at}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`,
  ],
  [
    listed(['k'], []),
    `${at}.items: Required value: must be specified`,
    `${at}.items: Invalid value: {"Schema":null,"JSONSchemas":[]}: must only have a single schema if x-kubernetes-list-type is map`,
  ],
  [
    { type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } },
    `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ],
  [
    { type: 'object', properties: { metadata: { type: 'object', minProperties: 1 } } },
    `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
  ],
  [
    field({ type: 'string', pattern: '(' }),
    `${at}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: error parsing regexp: missing closing ): \`(\``,
  ],
  [field({ type: 'object', 'x-kubernetes-map-type': 'atomic' })],
  [
    field({ type: 'string', 'x-kubernetes-map-type': 'loose' }),
    `${at}.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
    `${at}.x-kubernetes-map-type: Unsupported value: "loose": supported values: "atomic", "granular"`,
  ],
  [
    field({ 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-map-type': 'granular' }),
    `${at}.type: Required value: must be object if x-kubernetes-map-type is specified`,
  ],
  [field({ type: 'array', 'x-kubernetes-list-type': 'atomic', items: text })],
  [
    field({ type: 'object', 'x-kubernetes-list-type': 'bag' }),
    `${at}.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified`,
    `${at}.x-kubernetes-list-type: Unsupported value: "bag": supported values: "atomic", "set", "map"`,
  ],
  [
    field({ type: 'array', items: text, 'x-kubernetes-list-map-keys': ['k'] }),
    `${at}.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty`,
  ],
  [
    field({ type: 'array', items: text, 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['k'] }),
    `${at}.x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-keys is non-empty`,
  ],
  [listed(['k'], keyed)],
  [listed([], keyed), `${mapKeys}: Required value: must not be empty if x-kubernetes-list-type is map`],
  [
    field({ type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
    `${at}.items: Required value: must be specified`,
    `${at}.items: Required value: must have a schema if x-kubernetes-list-type is map`,
  ],
  [
    listed(['k'], { type: 'string' }),
    `${at}.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map`,
  ],
  [
    listed(['k', 'l', 'm', 'l'], {
      type: 'object',
      nullable: true,
      properties: { k: { ...text, nullable: true }, l: { type: 'array', items: text } },
    }),
    `${at}.items.properties[l].type: Invalid value: "object": ${scalar}`,
    `${mapKeys}: Invalid value: ["k","l","m","l"]: entries must all be names of item properties`,
    `${at}.items.properties[l].type: Invalid value: "object": ${scalar}`,
    `${mapKeys}: Invalid value: ["k","l","m","l"]: must not contain duplicate entries`,
    `${at}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
    `${at}.items.properties[k].default: Required value: ${ofKey} must have a default or be a required property`,
    `${at}.items.properties[k].nullable: Forbidden: ${ofKey} cannot be nullable`,
    `${at}.items.properties[l].default: Required value: ${ofKey} must have a default or be a required property`,
    `${at}.items.properties[l].default: Required value: ${ofKey} must have a default or be a required property`,
  ],
  [
    listed(['k'], { ...keyed, nullable: true }),
    `${at}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map`,
  ],
  [listed(['k'], { ...keyed, nullable: false })],
  [listed(['k', 'z'], keyed), `${mapKeys}: Invalid value: ["k","z"]: entries must all be names of item properties`],
  [listed(['__proto__'], keyed), `${mapKeys}: Invalid value: ["__proto__"]: entries must all be names of item properties`],
  [listed(['k', 'k'], keyed), `${mapKeys}: Invalid value: ["k","k"]: must not contain duplicate entries`],
  [
    listed(['k', 'o'], { ...keyed, required: ['k', 'o'] }),
    `${at}.items.properties[o].type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is map`,
  ],
  [
    listed(['k', 'l'], keyed),
    `${at}.items.properties[l].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
  ],
  [listed(['k', 'l'], { ...keyed, properties: { k: text, l: { type: 'integer', default: 1 } } })],
  [
    listed(['k'], { ...keyed, properties: { k: { type: 'string', nullable: true } } }),
    `${at}.items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable`,
  ],
  [field({ type: 'array', 'x-kubernetes-list-type': 'set', items: text })],
  [
    field({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', nullable: true } }),
    `${at}.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set`,
  ],
  [field({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object', 'x-kubernetes-map-type': 'atomic' } })],
  [
    field({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object', 'x-kubernetes-map-type': 'granular' } }),
    `${at}.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set`,
  ],
  [field({ type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'array', items: text } })],
  [
    field({
      type: 'array',
      'x-kubernetes-list-type': 'set',
      items: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    }),
    `${at}.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set`,
  ],
  [
    field({
      type: 'string',
      allOf: [{ minLength: 1 }],
      anyOf: [{ pattern: 'a' }],
      oneOf: [{ enum: ['a'] }],
      not: { enum: ['b'] },
    }),
  ],
  [field({ type: 'string', allOf: [{ type: 'string' }] }), `${at}.allOf[0].type: Forbidden: must be empty ${structural}`],
  [
    field({
      type: 'object',
      anyOf: [
        {
          default: {},
          description: 'x',
          nullable: true,
          title: 't',
          additionalProperties: text,
          properties: { b: { type: 'string' } },
        },
      ],
    }),
    `${at}.anyOf[0].additionalProperties: Forbidden: must be undefined ${structural}`,
    `${at}.anyOf[0].default: Forbidden: must be undefined ${structural}`,
    `${at}.anyOf[0].description: Forbidden: must be empty ${structural}`,
    `${at}.anyOf[0].nullable: Forbidden: must be false ${structural}`,
    `${at}.anyOf[0].properties[b].type: Forbidden: must be empty ${structural}`,
    `${at}.anyOf[0].title: Forbidden: must be empty ${structural}`,
    `${at}.anyOf[0].additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`,
  ],
  [field({ type: 'string', oneOf: [{ nullable: false, description: '' }] })],
  [field({ type: 'string', not: { not: { type: 'string' } } }), `${at}.not.not.type: Forbidden: must be empty ${structural}`],
  [
    field({ type: 'array', items: text, allOf: [{ items: { type: 'string' }, oneOf: [{ type: 'array' }] }] }),
    `${at}.allOf[0].items.type: Forbidden: must be empty ${structural}`,
    `${at}.allOf[0].oneOf[0].type: Forbidden: must be empty ${structural}`,
  ],
  [field({ 'x-kubernetes-int-or-string': true, anyOf: either })],
  [field({ 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: either }, { minimum: 1 }] })],
  [
    field({ 'x-kubernetes-int-or-string': true, oneOf: either }),
    `${at}.oneOf[0].type: Forbidden: must be empty ${structural}`,
    `${at}.oneOf[1].type: Forbidden: must be empty ${structural}`,
  ],
  [field({ type: 'string', anyOf: either })],
  [field({ type: 'string', allOf: [{ anyOf: either }] })],
  [
    field({ type: 'string', allOf: [{ minimum: 1 }, { anyOf: either }] }),
    `${at}.allOf[1].anyOf[0].type: Forbidden: must be empty ${structural}`,
    `${at}.allOf[1].anyOf[1].type: Forbidden: must be empty ${structural}`,
  ],
  [field({ type: 'string', default: 'a' })],
  [field({ type: 'string', nullable: true, default: null })],
  [field({ type: 'string', default: 1 }), `${at}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
  [
    field({ type: 'object', properties: { b: text }, default: { c: 1 } }),
    `${at}.default: Invalid value: {"c":1}: must not have unknown fields`,
  ],
  [
    field({ type: 'object', properties: { b: { type: 'integer', maximum: 1 } }, default: { b: 2 } }),
    `${at}.default.b: Invalid value: 2: b in body should be less than or equal to 1`,
  ],
  [
    field({ type: 'array', items: { type: 'object', properties: { b: { type: 'integer', default: 'x' } } } }),
    `${at}.items.properties[b].default: Invalid value: "string":  in body must be of type integer: "string"`,
  ],
  [field({ type: 'object', additionalProperties: { type: 'integer', default: 'x' } })],
  [
    field({ type: 'object', additionalProperties: text, default: { x: 5 } }),
    `${at}.default.x: Invalid value: "integer": .x in body must be of type string: "integer"`,
  ],
  [
    field({ type: 'object', properties: { b: text }, required: ['c'], default: { d: 1, b: 5 }, maxProperties: 0 }),
    `${at}.default: Invalid value: {"b":5,"d":1}: must not have unknown fields`,
    `${at}.default: Too many: 2: must have at most 0 items`,
    `${at}.default.b: Invalid value: "integer": b in body must be of type string: "integer"`,
    `${at}.default.c: Required value`,
  ],
  [
    field({ type: 'array', items: { type: 'string', maxLength: 1, enum: ['x'] }, default: ['ab'], minItems: 2 }),
    `${at}.default.[0]: Too long: may not be more than 1 byte`,
    `${at}.default.[0]: Unsupported value: "ab": supported values: "x"`,
    `${at}.default: Invalid value: 1:  in body should have at least 2 items`,
  ],
  [field({ ...embedded, default: {} }), `${at}.default.apiVersion: Required value`, `${at}.default.kind: Required value`],
  [field({ ...embedded, default: { apiVersion: 5, kind: '' } }), `${at}.default.apiVersion: Invalid value: 5: must be a string`],
  [field({ ...embedded, default: { apiVersion: 'v1', kind: '' } }), `${at}.default.kind: Invalid value: "": must not be empty`],
  [
    field({ type: 'object', additionalProperties: embedded, default: { x: {} } }),
    `${at}.default[x].apiVersion: Required value`,
    `${at}.default[x].kind: Required value`,
  ],
  [
    field({ type: 'object', properties: { b: embedded }, default: { b: { kind: 'K' } } }),
    `${at}.default.b.apiVersion: Required value`,
  ],
  // A default stands as it is: what is within it gets no defaults.
  [
    field({ type: 'object', required: ['c'], default: {}, properties: { c: { type: 'string', default: 'x' } } }),
    `${at}.default.c: Required value`,
  ],
  [
    field({ type: 'object', default: { c: null }, properties: { c: { type: 'string', default: 'x' } } }),
    `${at}.default.c: Invalid value: "null": c in body must be of type string: "null"`,
  ],
  ...['id', '$ref'].map((word): readonly [Json, string] => [
    { type: 'object', properties: { a: { type: 'string', not: { [word]: 'x' } }, b: {}, c: { type: 'string', default: 5 } } },
    `${at}.not.${word}: Forbidden: ${word} is not supported`,
  ]),
  [
    { type: 'object', properties: { a: { type: 'string', allOf: [{ items: [{}] }] }, b: {} } },
    `${at}.allOf[0].items: Forbidden: items must be a schema object and not an array`,
  ],
  [{ type: 'object', default: { apiVersion: 'v1', kind: 'K', metadata: { name: 'a' } } }],
  [{ type: 'object', default: {} }, `${root}.default.apiVersion: Required value`, `${root}.default.kind: Required value`],
  // Defaults of what is no structure are not looked at, and rules only where all else is well.
  [
    field({ type: 'object', properties: { b: {}, c: { type: 'string', default: 5 } } }),
    `${at}.properties[b].type: Required value: must not be empty for specified object fields`,
  ],
  [
    field({ type: 'string', id: 'x', 'x-kubernetes-validations': [{ rule: 'self.x' }] }),
    `${at}.id: Forbidden: id is not supported`,
  ],
  [
    {
      ...field({ type: 'string', default: 5, 'x-kubernetes-validations': [{}] }),
      'x-kubernetes-validations': [{ reason: '' }, { rule: 'self.x' }],
    },
    `${at}.default: Invalid value: "integer":  in body must be of type string: "integer"`,
    `${at}.x-kubernetes-validations[0].rule: Required value: rule is not specified`,
    `${root}.x-kubernetes-validations[0].rule: Required value: rule is not specified`,
    `${root}.x-kubernetes-validations[0].reason: Unsupported value: "": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
  ],
  [
    {
      ...field({ type: 'string', 'x-kubernetes-validations': [{ rule: 'self == 1' }] }),
      'x-kubernetes-validations': [{ rule: 'self.x', message: ' ' }],
    },
    `${root}.x-kubernetes-validations[0].message: Invalid value: " ": must be non-empty if specified`,
    `${at}.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self == 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(string, int)'\n | self == 1\n | .....^`,
  ],
]

for (const [schema, ...told] of schemas)
  test(`the schema ${JSON.stringify(schema).slice(0, 150)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(ofSchema(schema), told)
  })

test('a schema with a status has little beside its fields', () => {
  const told = refusals(
    definition({
      versions: [
        version({
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', nullable: true, minProperties: 1 } },
        }),
      ],
    }),
  )
  assert.deepEqual(told.slice(1), [`${root}.nullable: Forbidden: nullable cannot be true at the root`])
  assert.match(
    told[0] ?? '',
    /^spec\.validation\.openAPIV3Schema: Invalid value: \{"ID":"","Schema":"","Ref":null,.*\}: only \[Description Type Format Title .* XValidations\] fields are allowed at the root of the schema if the status subresource is enabled$/,
  )
  const one = version({ subresources: { status: {} }, schema: { openAPIV3Schema: { type: 'object', minProperties: 1 } } })
  const other = version({ schema: { openAPIV3Schema: { type: 'object', minProperties: 1 } } }, 'v2')
  assert.equal(refusals(definition({ versions: [one, other] })).length, 1)
  const text = version({ subresources: { status: {} }, schema: { openAPIV3Schema: { type: 'string', title: 't' } } })
  assert.deepEqual(refusals(definition({ versions: [text] })), [
    `${root}.type: Invalid value: "string": only "object" is allowed as the type at the root of the schema if the status subresource is enabled`,
    `${root}.type: Invalid value: "string": must be object at the root`,
  ])
  const fine = {
    type: 'object',
    id: '',
    default: null,
    description: 'x',
    required: ['spec'],
    properties: { spec: { type: 'object' } },
    nullable: false,
  }
  assert.deepEqual(
    refusals(definition({ versions: [version({ subresources: { status: {} }, schema: { openAPIV3Schema: fine } })] })),
    [],
  )
})

test('what versions do not share is told of each', () => {
  const bad = (name: string): JsonObject => ({
    schema: { openAPIV3Schema: { type: 'object', nullable: true, description: name } },
  })
  assert.deepEqual(refusals(definition({ versions: [version(bad('a')), version(bad('b'), 'v2')] })), [
    'spec.versions[0].schema.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root',
    'spec.versions[1].schema.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at the root',
  ])
  assert.deepEqual(refusals(definition({ versions: [version(bad('a')), version(bad('a'), 'v2')] })), [
    `${root}.nullable: Forbidden: nullable cannot be true at the root`,
  ])
})

test('the name of the first version is told twice', () => {
  const told = (name: string): readonly string[] =>
    refusals(definition({ versions: [version({ storage: true }, name)] }, { status: { storedVersions: [name] } }))
  assert.deepEqual(told('V1'), [
    `spec.versions[0].name: Invalid value: "V1": ${label}`,
    `spec.version: Invalid value: "V1": ${label}`,
  ])
})

test('subresources, columns and fields that versions do not share are told of each', () => {
  const first = version({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }] })
  const second = version(
    {
      subresources: { scale: {} },
      additionalPrinterColumns: [{ name: 'A', type: 'odd', jsonPath: '.a' }],
      selectableFields: [{ jsonPath: '.odd' }],
    },
    'v2',
  )
  const own = 'spec.versions[1]'
  assert.deepEqual(refusals(definition({ versions: [first, second] })), [
    `${own}.subresources.scale.specReplicasPath: Required value`,
    `${own}.subresources.scale.statusReplicasPath: Required value`,
    `${own}.additionalPrinterColumns[0].type: Invalid value: "odd": must be one of boolean,date,integer,number,string`,
    `${own}.selectableFields: Invalid value: "": may only be set when \`version.schema.openAPIV3Schema\` is not included`,
  ])
  const shared = { selectableFields: [{ jsonPath: '.odd' }] }
  assert.deepEqual(refusals(definition({ versions: [version(shared), version(shared, 'v2')] })), [
    'spec.selectableFields[0].jsonPath: Invalid value: ".odd": is an invalid path: does not refer to a valid field',
  ])
})

test('formats are looked for down to the two hundredth level', () => {
  const nested = (wrap: (below: JsonObject) => JsonObject, depth: number): JsonObject =>
    depth === 0 ? { type: 'string', format: 'odd' } : wrap(nested(wrap, depth - 1))
  for (const wrap of [
    (below: JsonObject): JsonObject => ({ properties: { a: below } }),
    (below: JsonObject): JsonObject => ({ items: below }),
    (below: JsonObject): JsonObject => ({ additionalProperties: below }),
  ]) {
    const found = (depth: number): number =>
      definitionWarnings({ spec: { versions: [{ schema: { openAPIV3Schema: nested(wrap, depth) } }] } }).length
    assert.deepEqual([found(200), found(201)], [1, 0])
  }
  assert.deepEqual([definitionWarnings({}), definitionWarnings({ spec: {} })], [[], []])
})

test('a definition is shown as the server holds it', () => {
  const empty = internalSchema({})
  assert.deepEqual(
    Object.entries(empty)
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => [name, value]),
    ['Nullable', 'ExclusiveMaximum', 'ExclusiveMinimum', 'UniqueItems', 'XEmbeddedResource', 'XIntOrString'].map(name => [
      name,
      false,
    ]),
  )
  assert.equal(Object.keys(empty).length, 44)
  const held = (schema: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(internalSchema(schema)).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(empty[name])),
    )
  const string = { ...empty, Type: 'string' }
  assert.deepEqual(held({ type: 'object', default: null, maxLength: 5 }), { Type: 'object', MaxLength: 5 })
  assert.deepEqual(held({ not: text, allOf: [text], properties: { b: text, a: true } }), {
    Not: string,
    AllOf: [string],
    Properties: { a: true, b: string },
  })
  assert.deepEqual(Object.keys(held({ properties: { b: text, a: text } })['Properties'] as JsonObject), ['a', 'b'])
  assert.deepEqual(held({ items: text }), { Items: { Schema: string, JSONSchemas: null } })
  assert.deepEqual(held({ items: [text] }), { Items: { Schema: null, JSONSchemas: [string] } })
  assert.deepEqual(held({ additionalProperties: text }), { AdditionalProperties: { Allows: true, Schema: string } })
  assert.deepEqual(held({ additionalProperties: false }), { AdditionalProperties: { Allows: false, Schema: null } })
  assert.deepEqual(held({ additionalProperties: true }), { AdditionalProperties: { Allows: true, Schema: null } })
  const rule = {
    rule: 'r',
    message: 'm',
    messageExpression: 'e',
    reason: 'FieldValueInvalid',
    fieldPath: '.a',
    optionalOldSelf: true,
  }
  const shownRule = {
    Rule: 'r',
    Message: 'm',
    MessageExpression: 'e',
    Reason: 'FieldValueInvalid',
    FieldPath: '.a',
    OptionalOldSelf: true,
  }
  assert.deepEqual(held({ 'x-kubernetes-validations': [rule] }), { XValidations: [shownRule] })
  assert.deepEqual(internalRule({}), {
    Rule: '',
    Message: '',
    MessageExpression: '',
    Reason: null,
    FieldPath: '',
    OptionalOldSelf: null,
  })
  const rest = { Schema: null, Subresources: null, AdditionalPrinterColumns: null, SelectableFields: null }
  assert.deepEqual(
    internalVersions([{ name: 'v1', served: true, storage: true, deprecated: true, deprecationWarning: 'w' }, {}], new Set()),
    [
      { Name: 'v1', Served: true, Storage: true, Deprecated: true, DeprecationWarning: 'w', ...rest },
      { Name: '', Served: false, Storage: false, Deprecated: false, DeprecationWarning: null, ...rest },
    ],
  )
})

const scaled = (scale: JsonObject): JsonObject => ({ versions: [version({ subresources: { scale } })] })
const scale = 'spec.subresources.scale'
const under = 'should be a json path under'
const simple = 'must be a simple json path starting with .'
const replicas = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
const columns = (column: JsonObject): JsonObject => ({
  versions: [version({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a', ...column }] })],
})
const column = 'spec.additionalPrinterColumns[0]'
const selectable = (...jsonPaths: string[]): JsonObject => ({
  versions: [
    version({
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                a: text,
                metadata: text,
                b: { type: 'boolean' },
                c: { type: 'integer' },
                d: { type: 'object' },
                e: { type: 'number' },
              },
            },
          },
        },
      },
      selectableFields: jsonPaths.map(jsonPath => ({ jsonPath })),
    }),
  ],
})
const selected = 'spec.selectableFields'
const nowhere = 'is an invalid path: does not refer to a valid field'
const kinds = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'

const parts: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [scaled({ ...replicas, labelSelectorPath: '.status.selector' })],
  [scaled({ ...replicas, labelSelectorPath: '.spec.selector' })],
  [scaled({}), `${scale}.specReplicasPath: Required value`, `${scale}.statusReplicasPath: Required value`],
  [
    scaled({ specReplicasPath: 'spec.replicas', statusReplicasPath: '.spec.replicas', labelSelectorPath: '.selector' }),
    `${scale}.specReplicasPath: Invalid value: "spec.replicas": ${simple}`,
    `${scale}.statusReplicasPath: Invalid value: ".spec.replicas": ${under} .status`,
    `${scale}.labelSelectorPath: Invalid value: ".selector": should be a json path under either .spec or .status`,
  ],
  [
    scaled({ ...replicas, specReplicasPath: '.status.replicas', labelSelectorPath: 'status.selector' }),
    `${scale}.specReplicasPath: Invalid value: ".status.replicas": ${under} .spec`,
    `${scale}.labelSelectorPath: Invalid value: "status.selector": ${simple}`,
  ],
  [columns({ format: 'date-time' })],
  [
    columns({ name: '', type: '', jsonPath: '' }),
    `${column}.name: Required value`,
    `${column}.type: Required value: must be one of boolean,date,integer,number,string`,
    `${column}.JSONPath: Required value`,
  ],
  [
    columns({ type: 'object', format: 'odd', jsonPath: 'a' }),
    `${column}.type: Invalid value: "object": must be one of boolean,date,integer,number,string`,
    `${column}.format: Invalid value: "odd": must be one of byte,date,date-time,double,float,int32,int64,password`,
    `${column}.JSONPath: Invalid value: "a": ${simple}`,
  ],
  [selectable('.spec.a', '.spec.b', '.spec.c')],
  [selectable('.spec.a', '.spec.a'), `${selected}[1].jsonPath: Duplicate value: ".spec.a"`],
  [selectable(''), `${selected}[0].jsonPath: Required value`],
  [selectable('spec.a'), `${selected}[0].jsonPath: Invalid value: "spec.a": is an invalid path: expected [ or . but got: spec`],
  [selectable('.spec.x'), `${selected}[0].jsonPath: Invalid value: ".spec.x": ${nowhere}`],
  [selectable('.spec.metadata')],
  [selectable('.spec.a.b'), `${selected}[0].jsonPath: Invalid value: ".spec.a.b": ${nowhere}`],
  [selectable('.metadata.name'), `${selected}[0].jsonPath: Invalid value: ".metadata.name": ${nowhere}`],
  [
    selectable('.spec.a[0]'),
    `${selected}[0].jsonPath: Invalid value: ".spec.a[0]": is an invalid path: array notation is not allowed`,
  ],
  [selectable('.spec.d'), `${selected}[0].jsonPath: Invalid value: ".spec.d": ${kinds}`],
  [selectable('.spec.e'), `${selected}[0].jsonPath: Invalid value: ".spec.e": ${kinds}`],
]

for (const [spec, ...told] of parts)
  test(`a version with ${JSON.stringify((spec['versions'] as JsonObject[])[0]).slice(100, 250)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(definition(spec)), told)
  })

test('objects can be selected by up to eight fields', () => {
  const many = (count: number): readonly string[] => {
    const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, text]))
    const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties } } }
    const selectableFields = Object.keys(properties).map(name => ({ jsonPath: `.spec.${name}` }))
    return refusals(definition({ versions: [version({ schema: { openAPIV3Schema }, selectableFields })] }))
  }
  assert.deepEqual(many(8), [])
  assert.deepEqual(many(9), [`${selected}: Too many: 9: must have at most 8 items`])
})

test('a definition without a name is told that alone, and one that is to be named what its name must be', () => {
  assert.deepEqual(refusals(definition({}, { metadata: {} })), [])
  const why = 'must be spec.names.plural+"."+spec.group'
  assert.deepEqual(refusals(definition({}, { metadata: { generateName: 'a-', name: 'a-bcdfg' } })), [
    `metadata.generateName: Invalid value: "a-": ${why}`,
    `metadata.name: Invalid value: "a-bcdfg": ${why}`,
  ])
})

test('what versions do not share is shown with them', () => {
  const second = version(
    {
      schema: { openAPIV3Schema: { type: 'object', description: 'x' } },
      subresources: { status: {}, scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a' } },
      additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a' }],
      selectableFields: [],
    },
    'v1',
  )
  const [told = ''] = refusals(definition({ versions: [version(), second] }))
  assert.match(
    told,
    /^spec\.versions: Invalid value: \[\{"Name":"v1",.*"Schema":\{"OpenAPIV3Schema":\{"ID":"",.*\}\},"Subresources":null/,
  )
  assert.match(
    told,
    /"Subresources":\{"Status":\{\},"Scale":\{"SpecReplicasPath":"\.spec\.a","StatusReplicasPath":"\.status\.a","LabelSelectorPath":null\}\},"AdditionalPrinterColumns":\[\{"Name":"A","Type":"string","Format":"","Description":"","Priority":0,"JSONPath":"\.a"\}\]/,
  )
})
