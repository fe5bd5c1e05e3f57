import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NumberText } from '#base'
import type { Json, JsonObject } from '../json.ts'
import { type MergeMap, type MergeShape, stringShape, untyped } from '../shape.ts'
import { schemaOf } from '../testing/refusals.ts'
import { atRest as restingOf } from './at-rest.ts'
import { decodeAs, zeroStruct } from './decode.ts'
import { renderInGoOrder } from './go-order.ts'
import { shapeOfType } from './shape.ts'
import { type StructType, type TypeField, typeNamed } from './types.ts'
import { wrapIntegers } from './wrap.ts'

const type = (name: string): StructType => typeNamed(`io.k8s.api.${name}`) as StructType
const pod = type('core.v1.Pod')
const claim = type('core.v1.PersistentVolumeClaim')
const review = type('authorization.v1.SubjectAccessReview')
const schema = typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps') as StructType
const into = (field: string, wanted: string): string => `into Go struct field ${field} of type ${wanted}`
const spec = (content: JsonObject): JsonObject => ({ spec: { containers: [], ...content } })

const rows: readonly (readonly [what: string, of: StructType, value: JsonObject, malformed: string])[] = [
  [
    'a text for a number',
    pod,
    spec({ priority: 'x' }),
    `json: cannot unmarshal string ${into('PodSpec.spec.priority', 'int32')}`,
  ],
  [
    'a fraction for a number',
    pod,
    spec({ priority: 1.5 }),
    `json: cannot unmarshal number 1.5 ${into('PodSpec.spec.priority', 'int32')}`,
  ],
  [
    'a large number for a small one',
    pod,
    spec({ priority: 2147483648 }),
    `json: cannot unmarshal number 2147483648 ${into('PodSpec.spec.priority', 'int32')}`,
  ],
  [
    'a small number for a larger one',
    pod,
    spec({ priority: -2147483649 }),
    `json: cannot unmarshal number -2147483649 ${into('PodSpec.spec.priority', 'int32')}`,
  ],
  [
    'more than 64 bits',
    pod,
    spec({ activeDeadlineSeconds: 9223372036854775808n }),
    `json: cannot unmarshal number 9223372036854775808 ${into('PodSpec.spec.activeDeadlineSeconds', 'int64')}`,
  ],
  ['a number for a text', pod, spec({ nodeName: 1 }), `json: cannot unmarshal number ${into('PodSpec.spec.nodeName', 'string')}`],
  ['a truth for a text', pod, spec({ nodeName: true }), `json: cannot unmarshal bool ${into('PodSpec.spec.nodeName', 'string')}`],
  ['a text for a truth', pod, spec({ hostPID: 'x' }), `json: cannot unmarshal string ${into('PodSpec.spec.hostPID', 'bool')}`],
  ['a list for a structure', pod, { spec: [] }, `json: cannot unmarshal array ${into('Pod.spec', 'v1.PodSpec')}`],
  [
    'an object for a list',
    pod,
    { spec: { containers: {} } },
    `json: cannot unmarshal object ${into('PodSpec.spec.containers', '[]v1.Container')}`,
  ],
  [
    'a text for a map',
    pod,
    spec({ nodeSelector: 'x' }),
    `json: cannot unmarshal string ${into('PodSpec.spec.nodeSelector', 'map[string]string')}`,
  ],
  [
    'a text for a list of texts',
    pod,
    { metadata: { finalizers: 'x' } },
    `json: cannot unmarshal string ${into('ObjectMeta.metadata.finalizers', '[]string')}`,
  ],
  [
    'a number for an id',
    pod,
    { metadata: { uid: 1 } },
    `json: cannot unmarshal number ${into('ObjectMeta.metadata.uid', 'types.UID')}`,
  ],
  [
    'a number for a time',
    pod,
    { metadata: { creationTimestamp: 1 } },
    `json: cannot unmarshal number ${into('ObjectMeta.metadata.creationTimestamp', 'string')}`,
  ],
  [
    'an odd time',
    pod,
    { metadata: { creationTimestamp: 'x' } },
    'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  ],
  [
    'a truth for a number or a text',
    type('core.v1.Service'),
    { spec: { ports: [{ targetPort: true }] } },
    `json: cannot unmarshal bool ${into('ServicePort.spec.ports.targetPort', 'int32')}`,
  ],
  [
    'a number for bytes',
    type('core.v1.Secret'),
    { data: { a: 1 } },
    `json: cannot unmarshal number ${into('Secret.data', '[]uint8')}`,
  ],
  ['odd bytes', type('core.v1.Secret'), { data: { a: 'YQ!=' } }, 'illegal base64 data at input byte 2'],
  ['too few bytes', type('core.v1.Secret'), { data: { a: 'YWJjYQ' } }, 'illegal base64 data at input byte 4'],
  [
    'an odd amount',
    type('core.v1.ResourceQuota'),
    { spec: { hard: { cpu: 'x' } } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  [
    'a truth for an amount',
    type('core.v1.ResourceQuota'),
    { spec: { hard: { cpu: true } } },
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  ['a wrong beginning of bytes', type('core.v1.Secret'), { data: { a: '!AAA' } }, 'illegal base64 data at input byte 0'],
  ['a wrong end of bytes', type('core.v1.Secret'), { data: { a: 'YWJjYWJjY' } }, 'illegal base64 data at input byte 8'],
  [
    'a list for a structure of another version',
    type('autoscaling.v2.HorizontalPodAutoscaler'),
    { spec: [] },
    `json: cannot unmarshal array ${into('HorizontalPodAutoscaler.spec', 'v2.HorizontalPodAutoscalerSpec')}`,
  ],
  [
    'a number for a text whose type has a name',
    pod,
    spec({ restartPolicy: 1 }),
    `json: cannot unmarshal number ${into('PodSpec.spec.restartPolicy', 'v1.RestartPolicy')}`,
  ],
  [
    'an object for a list of such texts',
    claim,
    { spec: { accessModes: {} } },
    `json: cannot unmarshal object ${into('PersistentVolumeClaimSpec.spec.accessModes', '[]v1.PersistentVolumeAccessMode')}`,
  ],
  [
    'a number for one in such a list',
    claim,
    { spec: { accessModes: [1] } },
    `json: cannot unmarshal number ${into('PersistentVolumeClaimSpec.spec.accessModes', 'v1.PersistentVolumeAccessMode')}`,
  ],
  [
    'a number for a map whose type has a name',
    claim,
    { spec: { resources: { limits: 5 } } },
    `json: cannot unmarshal number ${into('VolumeResourceRequirements.spec.resources.limits', 'v1.ResourceList')}`,
  ],
  [
    'a number for a map of such lists',
    review,
    { spec: { extra: 5 } },
    `json: cannot unmarshal number ${into('SubjectAccessReviewSpec.spec.extra', 'map[string]v1.ExtraValue')}`,
  ],
  [
    'a number for a list in such a map',
    review,
    { spec: { extra: { a: 5 } } },
    `json: cannot unmarshal number ${into('SubjectAccessReviewSpec.spec.extra', 'v1.ExtraValue')}`,
  ],
  [
    'a number behind a structure in a list',
    pod,
    spec({ volumes: [{ name: 'a', emptyDir: {} }, 5] }),
    `json: cannot unmarshal number ${into('PodSpec.spec.volumes', 'v1.Volume')}`,
  ],
  [
    'an object for a list of what is open',
    schema,
    { properties: { a: { enum: {} } } },
    `json: cannot unmarshal object ${into('JSONSchemaProps.properties.enum', '[]v1.JSON')}`,
  ],
  [
    'a fault in the schema of items, told of the items',
    schema,
    { properties: { a: { items: { items: { type: 5 } } } } },
    `json: cannot unmarshal number ${into('JSONSchemaProps.properties.items', 'string')}`,
  ],
  [
    'a number among the schemas of items',
    schema,
    { items: [5] },
    `json: cannot unmarshal number ${into('JSONSchemaProps.items', 'v1.JSONSchemaProps')}`,
  ],
  ['a text for a schema or a truth', schema, { additionalProperties: 'x' }, 'boolean or JSON schema expected'],
  ['a list for a schema or a truth', schema, { additionalProperties: [] }, 'boolean or JSON schema expected'],
]

for (const [what, of, value, malformed] of rows)
  test(`${what} cannot be read`, () => {
    assert.equal(decodeAs(of, value).malformed, malformed)
  })

test('in the schema of items nobody knows which fields are unknown', () => {
  const odd = { odd: 1 }
  assert.deepEqual(decodeAs(schema, { items: odd, additionalProperties: odd, properties: { a: odd } }).unknown, [
    'properties.a.odd',
  ])
})

test('what is left open is kept also where it is empty', () => {
  const revision = type('apps.v1.ControllerRevision')
  for (const data of [[], {}, '', 0, false]) assert.deepEqual(decodeAs(revision, { data }).object['data'], data)
})

test('of a value of another type it is told which kind of type is the right one', () => {
  const wanted = (of: StructType, value: JsonObject): string | undefined => decodeAs(of, value).wanted
  assert.equal(wanted(pod, spec({ restartPolicy: 1 })), 'string')
  assert.equal(wanted(pod, { spec: [] }), 'struct')
  assert.equal(wanted(pod, spec({ tolerations: 1 })), 'list')
  assert.equal(wanted(claim, { spec: { resources: { limits: 5 } } }), 'map')
  assert.equal(wanted(type('core.v1.Service'), { spec: { ports: [{ targetPort: true }] } }), 'int-or-string')
  assert.equal(wanted(pod, { metadata: { creationTimestamp: 1 } }), 'time')
  assert.equal(wanted(type('core.v1.Secret'), { data: { a: 1 } }), 'bytes')
  assert.equal(wanted(type('core.v1.Secret'), { data: { a: '?' } }), undefined)
})

test('what is told of a type is whether the merge knows it', () => {
  const { fields } = typeNamed('io.k8s.api.core.v1.ServicePort') as StructType
  assert.deepEqual(shapeOfType((fields['targetPort'] as TypeField).type), untyped)
  const { fields: times } = typeNamed('io.k8s.api.coordination.v1.LeaseSpec') as StructType
  assert.deepEqual(shapeOfType((times['renewTime'] as TypeField).type), { kind: 'scalar', type: 'any' })
})

const read: readonly (readonly [
  what: string,
  of: StructType,
  value: JsonObject,
  part: (object: JsonObject) => Json | undefined,
  becomes: Json | undefined,
])[] = [
  ['the greatest small number', pod, spec({ priority: 2147483647 }), at('spec', 'priority'), 2147483647],
  ['the least small number', pod, spec({ priority: -2147483648 }), at('spec', 'priority'), -2147483648],
  [
    'the greatest number',
    pod,
    spec({ activeDeadlineSeconds: 9223372036854775807n }),
    at('spec', 'activeDeadlineSeconds'),
    9223372036854775807n,
  ],
  ['a null', pod, spec({ priority: null }), at('spec', 'priority'), undefined],
  ['a null in a list', pod, { metadata: { finalizers: ['a', null] } }, at('metadata', 'finalizers'), ['a', '']],
  ['a null in a map', pod, spec({ nodeSelector: { a: null } }), at('spec', 'nodeSelector'), { a: '' }],
  ['an empty text where it is absence', pod, spec({ nodeName: '' }), at('spec', 'nodeName'), undefined],
  ['an empty list where it is absence', pod, { metadata: { finalizers: [] } }, at('metadata', 'finalizers'), undefined],
  ['an empty map where it is absence', pod, spec({ nodeSelector: {} }), at('spec', 'nodeSelector'), undefined],
  ['no where it is absence', pod, spec({ hostPID: false }), at('spec', 'hostPID'), undefined],
  ['no where it is said', pod, spec({ enableServiceLinks: false }), at('spec', 'enableServiceLinks'), false],
  ['lines in bytes', type('core.v1.Secret'), { data: { a: 'YQ\n==' } }, at('data', 'a'), 'YQ=='],
  ['a number for an amount', type('core.v1.ResourceQuota'), { spec: { hard: { cpu: 2 } } }, at('spec', 'hard'), { cpu: '2' }],
  [
    'a fine amount in a list of resources',
    type('core.v1.ResourceQuota'),
    { spec: { hard: { cpu: '1u' } } },
    at('spec', 'hard'),
    { cpu: '1m' },
  ],
  [
    'a name for a port',
    type('core.v1.Service'),
    { spec: { ports: [{ port: 1, targetPort: 'web' }] } },
    at('spec', 'ports'),
    [{ port: 1, targetPort: 'web' }],
  ],
  [
    'a reference without a group, which is written as null',
    claim,
    { spec: { dataSource: { kind: 'K', name: 'n' } } },
    at('spec', 'dataSource'),
    { kind: 'K', name: 'n', apiGroup: null },
  ],
  [
    'a null in a list of numbers',
    pod,
    spec({ securityContext: { supplementalGroups: [1, null] } }),
    at('spec', 'securityContext', 'supplementalGroups'),
    [1, 0],
  ],
  [
    'a null in a list of small numbers',
    type('batch.v1.JobSpec'),
    { podFailurePolicy: { rules: [{ onExitCodes: { values: [null] } }] } },
    at('podFailurePolicy', 'rules', '0', 'onExitCodes', 'values'),
    [0],
  ],
  [
    'a large number for an amount',
    type('core.v1.ResourceQuota'),
    { spec: { hard: { pods: 9007199254740993n } } },
    at('spec', 'hard'),
    { pods: '9007199254740993' },
  ],
  ['no structure where one is always written', type('apps.v1.Deployment'), { spec: {} }, at('spec', 'selector'), null],
  ['the kind that was read before', pod, { apiVersion: 1, kind: null }, at('apiVersion'), 1],
]

function at(...path: string[]): (object: JsonObject) => Json | undefined {
  return object => path.reduce<Json | undefined>((value, key) => (value as JsonObject | undefined)?.[key], object)
}

for (const [what, of, value, part, becomes] of read)
  test(`${what} is read as it is kept`, () => {
    const decoded = decodeAs(of, value)
    assert.equal(decoded.malformed, undefined)
    assert.deepEqual(part(decoded.object), becomes)
  })

test('what a kind does not know goes, and up to a hundred paths of it are told', () => {
  const value = {
    odd: 1,
    metadata: { odd: 1 },
    spec: { containers: [{ name: 'a', odd: 1 }, { odd: { a: 1 } }], nodeSelector: { odd: 'x' } },
  }
  assert.deepEqual(decodeAs(pod, value).unknown, ['odd', 'metadata.odd', 'spec.containers[0].odd', 'spec.containers[1].odd'])
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, 1]))
  assert.equal(decodeAs(pod, many).unknown.length, 100)
})

const definition = typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition') as StructType
const schemaField = 'JSONSchemaProps.spec.versions.schema.openAPIV3Schema.minimum'
const ofSchema = (schema: Json): JsonObject => ({ spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } })
const versionIn = (object: JsonObject): JsonObject => at('spec', 'versions', '0')(object) as JsonObject
const schemaIn = at('spec', 'versions', '0', 'schema', 'openAPIV3Schema')

test('what a schema says in numbers is any number, and what it leaves open is anything', () => {
  const number = (text: string): Json => new NumberText(text) as unknown as Json
  const read = (schema: Json): Json | undefined =>
    schemaIn(decodeAs(definition, ofSchema(schema), { hasNumberTexts: true }).object)
  assert.deepEqual(read({ minimum: number('1.50') }), { minimum: 1.5 })
  assert.deepEqual(read({ minimum: 9007199254740993n }), { minimum: 9007199254740993n })
  assert.deepEqual(read({ default: { a: [number('1.50'), 'x', null], b: true } }), { default: { a: [1.5, 'x', null], b: true } })
  const told = (schema: Json): string | undefined => decodeAs(definition, ofSchema(schema), { hasNumberTexts: true }).malformed
  assert.equal(told({ minimum: number('1e999') }), `json: cannot unmarshal number 1e999 ${into(schemaField, 'float64')}`)
  assert.equal(told({ default: number('1e999') }), 'json: cannot unmarshal number 1e999 into Go value of type float64')
  assert.equal(told({ minimum: 'x' }), `json: cannot unmarshal string ${into(schemaField, 'float64')}`)
})

test('a version of a definition is neither served nor stored unless it says so', () => {
  const { served, storage } = versionIn(decodeAs(definition, ofSchema({})).object)
  assert.deepEqual([served, storage], [false, false])
})

test('structures that are always there are there, with what is always in them', () => {
  assert.deepEqual(decodeAs(pod, { apiVersion: 'v1', kind: 'Pod' }).object, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {},
    spec: { containers: null },
    status: {},
  })
  assert.deepEqual(zeroStruct(type('core.v1.Container')), { name: '', resources: {} })
  assert.deepEqual(decodeAs(type('core.v1.Event'), {}).object, {
    metadata: {},
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  })
})

test('a number that was written as no whole one is none, where a whole one is wanted', () => {
  const told = (of: StructType, value: JsonObject): string | undefined => decodeAs(of, value, { hasNumberTexts: true }).malformed
  const number = (text: string): Json => new NumberText(text) as unknown as Json
  assert.equal(
    told(pod, spec({ priority: number('1.0') })),
    `json: cannot unmarshal number 1.0 ${into('PodSpec.spec.priority', 'int32')}`,
  )
  assert.equal(
    told(type('core.v1.Service'), { spec: { ports: [{ targetPort: number('8e1') }] } }),
    `json: cannot unmarshal number 8e1 ${into('ServicePort.spec.ports.targetPort', 'int32')}`,
  )
  const crd = type('core.v1.ResourceQuota')
  const decoded = decodeAs(crd, { spec: { hard: { cpu: number('1.50') } } }, { hasNumberTexts: true })
  assert.deepEqual((decoded.object.spec as JsonObject).hard, { cpu: '1500m' })
})

test('a whole number that its type is too small for wraps round', () => {
  const wrapped = (content: JsonObject): Json | undefined => wrapIntegers(pod, { spec: content }).spec
  assert.deepEqual(wrapped({ priority: 2147483648, activeDeadlineSeconds: 2147483648 }), {
    priority: -2147483648,
    activeDeadlineSeconds: 2147483648,
  })
  assert.deepEqual(wrapped({ priority: 4294967297n }), { priority: 1 })
  assert.deepEqual(wrapped({ activeDeadlineSeconds: 9223372036854775808n }), { activeDeadlineSeconds: -(2n ** 63n) })
  assert.deepEqual(wrapped({ activeDeadlineSeconds: 9223372036854775807n }), { activeDeadlineSeconds: 9223372036854775807n })
  assert.deepEqual(
    wrapped({
      priority: 1.5,
      nodeName: 'x',
      odd: 1,
      containers: [{ ports: [{ hostPort: 4294967296 }] }],
      nodeSelector: { a: 'b' },
    }),
    {
      priority: 1.5,
      nodeName: 'x',
      odd: 1,
      containers: [{ ports: [{ hostPort: 0 }] }],
      nodeSelector: { a: 'b' },
    },
  )
})

test('fields stand in the order of the types, but where a patch went in', () => {
  const value = {
    spec: { containers: [{ image: 'i', name: 'a', args: ['z', 'y'] }], hostPID: true, volumes: [] },
    metadata: { name: 'p' },
    kind: 'Pod',
    zodd: 1,
    apiVersion: 'v1',
  }
  assert.equal(
    renderInGoOrder(pod, value, undefined),
    '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"p"},"spec":{"volumes":[],"containers":[{"name":"a","image":"i","args":["z","y"]}],"hostPID":true},"zodd":1}',
  )
  assert.equal(
    renderInGoOrder(pod, value, { spec: { containers: [{}] } }),
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"args":["z","y"],"image":"i","name":"a"}],"hostPID":true,"volumes":[]},"zodd":1}',
  )
  assert.deepEqual(
    ['a', null, 1, {}].map(one => renderInGoOrder(undefined, one)),
    ['"a"', 'null', '1', '{}'],
  )
  assert.equal(renderInGoOrder(undefined, { a: 1 }, {}), '{"a":1}')
  assert.equal(renderInGoOrder(undefined, [1, null, 'a', { b: 1, a: 2 }], undefined), '[1,null,"a",{"a":2,"b":1}]')
})

test('the kind of what is named elsewhere stands where its type has it', () => {
  const claim = { kind: 'PersistentVolumeClaim', spec: { dataSource: { name: 'n', kind: 'K', apiGroup: 'g' } } }
  assert.equal(
    renderInGoOrder(typeNamed('io.k8s.api.core.v1.PersistentVolumeClaim'), claim, undefined),
    '{"kind":"PersistentVolumeClaim","spec":{"dataSource":{"apiGroup":"g","kind":"K","name":"n"}}}',
  )
})

test('the claim of a volume has owners field by field, and what a controller keeps has one', () => {
  const shape = (name: string, field: string): MergeShape | undefined =>
    shapeOfType(((typeNamed(name) as StructType).fields[field] as TypeField).type)
  const claim = shape('io.k8s.api.core.v1.PersistentVolumeSpec', 'claimRef') as MergeMap
  assert.deepEqual([claim.kind, claim.atomic, claim.fields['name']?.shape], ['map', false, stringShape])
  const target = shape('io.k8s.api.core.v1.EndpointAddress', 'targetRef') as MergeMap
  assert.deepEqual([target.kind, target.atomic], ['map', true])
  assert.deepEqual(shape('io.k8s.api.apps.v1.ControllerRevision', 'data'), { kind: 'scalar', type: 'whole' })
})

test('an empty list and none are the same at rest', () => {
  const { atRest } = schemaOf({ apiVersion: 'v1', kind: 'Pod' })
  assert.deepEqual(atRest?.({ spec: { containers: [], volumes: [] } }), { spec: { containers: null, volumes: [] } })
  const kept = { spec: { containers: [{ name: 'a' }] } }
  assert.equal(atRest?.(kept), kept)
  const role = schemaOf({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' })
  assert.deepEqual(role.atRest?.({ rules: [] }), { rules: null })
  assert.deepEqual(role.atRest?.({ rules: [{ verbs: [] }] }), { rules: [{ verbs: null }] })
  assert.deepEqual(role.atRest?.({ rules: [{ verbs: [] }, { verbs: ['get'] }, { verbs: [] }] }), {
    rules: [{ verbs: null }, { verbs: ['get'] }, { verbs: null }],
  })
  assert.deepEqual(role.atRest?.({ rules: null }), { rules: null })
  const review = type('authorization.v1.SubjectRulesReviewStatus')
  assert.deepEqual(restingOf(review, { resourceRules: [], nonResourceRules: [], incomplete: false }), {
    resourceRules: null,
    nonResourceRules: null,
    incomplete: false,
  })
})
