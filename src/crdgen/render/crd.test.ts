import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CustomResourceDefinition, StructuralSchema } from '#kube'
import { readGeneratorConfig } from '../config/read-config.ts'
import { type InferredService, inferService } from '../infer/infer-service.ts'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { readModel } from '../read/read-model.ts'
import { crdOf, crdYaml } from './crd.ts'
import type { CrdMode } from './crd-mode.ts'

const model: SmallModel = {
  operations: {
    CreateThing: [
      { '!Name': 'String', Opts: 'Opts' },
      { State: 'String', Told: 'Opts' },
    ],
  },
  shapes: { Opts: structure({ KeyId: 'String' }) },
}

function crd(service: InferredService, mode?: CrdMode): CustomResourceDefinition {
  const [kind] = service.kinds
  assert.ok(kind)
  return crdOf(service, kind, mode)
}

/** What the schema says at a path of names. */
function schemaAt(service: InferredService, path: string, mode?: CrdMode): StructuralSchema | undefined {
  const [version] = crd(service, mode).spec.versions
  let schema = (version?.schema as { readonly openAPIV3Schema: StructuralSchema } | undefined)?.openAPIV3Schema
  for (const step of path === '' ? [] : path.split('.')) schema = schema?.properties?.[step]
  return schema
}

test('a CRD is written in the order of its keys, with each text on one line and each value in full', () => {
  const shared = { z: 1, a: 'word '.repeat(40).trim() }
  const document = { kind: 'Thing', apiVersion: 'v1', list: [shared, shared] } as unknown as CustomResourceDefinition
  const item = `- z: 1\n  a: ${shared.a}\n`
  assert.equal(crdYaml(document), `---\nkind: Thing\napiVersion: v1\nlist:\n${item}${item}`)
})

test('a version that says nothing is v1alpha1, served, stored and in use, and one alone needs to say nothing', () => {
  for (const [versions, told] of [
    ['', [['v1alpha1', true, true, undefined]]],
    ['[{}]', [['v1alpha1', true, true, undefined]]],
    ['[{name: v1}]', [['v1', true, true, undefined]]],
    ['[{name: v1, deprecated: true}]', [['v1', true, true, true]]],
    [
      '[{name: v1, storage: true, deprecated: false}, {name: v2}]',
      [
        ['v1', true, true, undefined],
        ['v2', true, false, undefined],
      ],
    ],
  ] as const) {
    const service = inferSmall(model, versions === '' ? '' : `resources:\n  Thing: {api_versions: ${versions}}\n`)
    const found = crd(service).spec.versions.map(({ name, served, storage, deprecated }) => [name, served, storage, deprecated])
    assert.deepEqual(found, told, versions)
  }
})

test('columns for a kind without any are four, and the ARN is only shown where more is asked for [9.16]', () => {
  assert.deepEqual(crd(inferSmall(model), 'extended').spec.versions[0]?.additionalPrinterColumns, [
    { jsonPath: '.status.conditions[?(@.type=="Ready")].status', name: 'Ready', type: 'string' },
    { jsonPath: '.status.conditions[?(@.type=="ACK.ResourceSynced")].status', name: 'Synced', type: 'string' },
    { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' },
    { jsonPath: '.status.ackResourceMetadata.arn', name: 'ARN', priority: 1, type: 'string' },
  ])
})

for (const [config, names] of [
  ['', ['ackResourceMetadata', 'conditions', 'state', 'told']],
  ['include_ack_metadata: true\n', ['ackResourceMetadata', 'conditions', 'state', 'told']],
  ['include_ack_metadata: false\n', ['state', 'told']],
] as const)
  test(`the status of a service with \`${config.trim()}\` holds ${names.join(', ')}`, () => {
    const service = inferSmall(model, config)
    assert.deepEqual(Object.keys(schemaAt(service, 'status')?.properties ?? {}), names)
    assert.equal(schemaAt(service, 'status', 'seed')?.required === undefined, names.length === 2)
  })

test('extended: a structure is the same in spec and status, with what its references name outside [4.13.6]', () => {
  const references = '{references: {resource: Key, service_name: kms, path: Status.KeyID}}'
  const service = inferSmall(model, `resources:\n  Thing:\n    fields:\n      Opts.KeyId: ${references}\n`)
  for (const [mode, names] of [
    ['current', ['from']],
    ['extended', ['external', 'from']],
  ] as const)
    for (const path of ['spec.opts.keyRef', 'status.told.keyRef'])
      assert.deepEqual(Object.keys(schemaAt(service, path, mode)?.properties ?? {}), names, `${mode} ${path}`)
})

test('descriptions are those of the model: of the kind behind ours, and of a field with the pattern of its values', () => {
  const document = {
    metadata: { apiVersion: '1', endpointPrefix: 'x', protocol: 'json', jsonVersion: '1.1', serviceId: 'X' },
    operations: { CreateThing: { input: { shape: 'In' }, output: { shape: 'Out' } } },
    shapes: {
      In: {
        type: 'structure',
        members: {
          Name: { shape: 'Name', documentation: '<p>What it is called.</p>' },
          Zone: { shape: 'Text', documentation: '<p>Where it is.</p>' },
          Size: { shape: 'Size' },
        },
      },
      Out: { type: 'structure', members: { Thing: { shape: 'Thing' } } },
      Thing: { type: 'structure', members: { Zone: { shape: 'Text' } }, documentation: '<p>A thing of ours.</p>' },
      Name: { type: 'string', pattern: '^[a-z]+$' },
      Size: { type: 'integer' },
      Text: { type: 'string' },
    },
  }
  const of = (documentation: boolean): InferredService =>
    inferService(readModel(JSON.stringify(document), { documentation }), { alias: 'x', loaded: readGeneratorConfig('') })
  const descriptionsOf = (service: InferredService): readonly unknown[] =>
    ['spec', 'spec.name', 'spec.zone', 'spec.size'].map(path => schemaAt(service, path)?.description)
  assert.deepEqual(descriptionsOf(of(true)), [
    'ThingSpec defines the desired state of Thing.\n\nA thing of ours.',
    'What it is called.\n\nRegex Pattern: `^[a-z]+$`',
    'Where it is.',
    undefined,
  ])
  assert.deepEqual(descriptionsOf(of(false)), ['ThingSpec defines the desired state of Thing.', undefined, undefined, undefined])
})
