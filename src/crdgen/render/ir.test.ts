import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceField, ResourceKind, ResourceService } from '#aws'
import { readGeneratorConfig } from '../config/read-config.ts'
import { inferService } from '../infer/infer-service.ts'
import { smallModel, structure } from '../infer/model.fixture.ts'
import { readModel } from '../read/read-model.ts'
import { resourceService, wireOperations } from './ir.ts'

const madeOf = { model: 'a', config: 'b', program: '1' }
const small = smallModel({
  operations: {
    CreateThing: [
      {
        '!Name': 'String',
        KeyId: 'String',
        Options: 'Options',
        OtherOptions: 'Options',
        Size: 'Integer',
        Token: 'Token',
        Zone: 'String',
      },
      { Thing: 'Thing', Extra: 'String' },
    ],
    GetThing: [{ '!Name': 'String' }, { Thing: 'Thing' }],
    UpdateThing: [{ '!Name': 'String', Size: 'Integer' }, {}],
    DeleteThing: [{ '!Name': 'String' }, {}],
    SetZone: [{ '!Name': 'String', Zone: 'String' }, {}],
    TagThing: [{ '!Name': 'String' }, {}],
    CreateBox: [{ '!Label': 'String', Content: 'Content' }, {}],
    DeleteBox: [{ '!Label': 'String' }, {}],
    Unrelated: [{ A: 'Alone' }, {}],
  },
  shapes: {
    Thing: structure({ Name: 'String', Size: 'Integer' }),
    Token: { type: 'string' },
    Options: { type: 'structure', members: { Token: { shape: 'String', idempotencyToken: true }, Mode: { shape: 'String' } } },
    Content: structure({ Weight: 'Integer' }),
    Alone: structure({ B: 'String' }),
  },
})

function made(resource = '', more = ''): ResourceService {
  const config = resource === '' ? more : `resources:\n  Thing: {${resource}}\n${more}`
  const service = inferService(small, { alias: 'small', loaded: readGeneratorConfig(config) })
  return resourceService(service, { kinds: service.kinds, madeOf })
}

function thing(resource = '', more = ''): ResourceKind {
  const found = made(resource, more).kinds['Thing']
  assert.ok(found)
  return found
}

const fieldNamed = (kind: ResourceKind, json: string): ResourceField | undefined =>
  [...kind.spec, ...kind.status].find(each => each.json === json)

test('a service tells its kinds, the structures that they lead to, and of the model what they need', () => {
  const service = made()
  assert.deepEqual(Object.keys(service.kinds), ['Box', 'Thing'])
  assert.deepEqual(Object.keys(service.structures), ['Content', 'Options', 'Thing'])
  assert.ok(!('Unrelated' in service.model.operations) && !('Alone' in service.model.shapes))
  assert.equal(service.madeOf.model, 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb')
  assert.equal(service.format, 1)
})

for (const [operation, binding] of [
  ['input_wrapper_field_path: Options', { inputWrapper: 'Options' }],
  ['output_wrapper_field_path: Thing', { outputWrapper: 'Thing' }],
  ['custom_implementation: a', { customImplementation: 'a' }],
  ['set_output_custom_method_name: b', { setOutputHook: 'b' }],
  ['custom_check_required_fields_missing_method: c', { requiredFieldsHook: 'c' }],
  [
    `override_values: {A: aws.Bool(true), B: 'aws.String("x y")', C: plain, D: '"quoted"'}`,
    { overrides: { A: 'true', B: 'x y', C: 'plain', D: 'quoted' } },
  ],
  ['{}', undefined],
] as const)
  test(`a runtime reads \`${operation}\` of an operation as ${JSON.stringify(binding)}`, () => {
    const { bindings } = thing('', `operations:\n  CreateThing: {${operation === '{}' ? '' : operation}}\n`)
    assert.deepEqual(bindings, binding === undefined ? {} : { CreateThing: binding })
  })

test('what a config renames is told with the operation, of the input and of the output', () => {
  const { bindings } = thing(
    'renames: {operations: {CreateThing: {input_fields: {Zone: Place}}, GetThing: {output_fields: {Zone: Place}}}}',
  )
  assert.deepEqual(bindings, { CreateThing: { inputRenames: { Zone: 'Place' } }, GetThing: { outputRenames: { Zone: 'Place' } } })
})

for (const [entry, told] of [
  ['{}', {}],
  ['is_primary_key: true', { primaryKey: true }],
  ['is_immutable: true', { immutable: true }],
  ['is_required: true', { required: true }],
  ['is_arn: true', { arn: true }],
  ['is_owner_account_id: true', { ownerAccount: true }],
  ['is_iam_policy: true', { iamPolicy: true }],
  ['is_document: true', { document: true }],
  ['late_initialize: {}', { lateInitialize: { skipIncompleteCheck: false } }],
  ['late_initialize: {skip_incomplete_check: {}}', { lateInitialize: { skipIncompleteCheck: true } }],
  ['compare: {is_ignored: true}', { compare: { ignored: true } }],
  ['compare: {is_ignored: false, nil_equals_zero_value: true}', { compare: { nilEqualsZero: true } }],
  ['compare: {pre_delete_include: true}', { compare: { preDelete: true } }],
  ['custom_sync: {}', { customSync: true }],
  ['set: [{from: Place}]', { set: [{ from: 'Place' }] }],
] as const)
  test(`a runtime reads \`${entry}\` of a field as ${JSON.stringify(told)}`, () => {
    const zone = { json: 'zone', camel: 'Zone', member: 'Zone', wire: 'Zone', type: { kind: 'string' } }
    assert.deepEqual(fieldNamed(thing(`fields: {Zone: {${entry === '{}' ? '' : entry}}}`), 'zone'), { ...zone, ...told })
  })

test('a reference is told with the kind that it leads to, and stands beside the field that it fills', () => {
  const config =
    'fields: {KeyId: {references: {resource: Key, service_name: kms, path: Status.ID, skip_resource_state_validations: true}}}'
  const kind = thing(config)
  const reference = { resource: 'Key', path: 'Status.ID', service: 'kms', skipStateChecks: true }
  assert.deepEqual(fieldNamed(kind, 'keyID')?.reference, reference)
  assert.equal(fieldNamed(kind, 'keyRef')?.referenceFor, 'KeyID')
})

test('the stored version of several is the one of the kind, and the first of one that says nothing', () => {
  assert.equal(thing().version, 'v1alpha1')
  assert.equal(thing('api_versions: [{name: v1}]').version, 'v1')
  assert.equal(thing('api_versions: [{name: v1}, {name: v2, storage: true}]').version, 'v2')
})

test('tokens of idempotency are told, of the payload and of the structures in it', () => {
  const document = {
    metadata: { apiVersion: '1', endpointPrefix: 'x', protocol: 'json', jsonVersion: '1.1', serviceId: 'X' },
    operations: { CreateThing: { input: { shape: 'In' } } },
    shapes: {
      Text: { type: 'string', documentation: 'of a text' },
      In: {
        type: 'structure',
        documentation: 'of a structure',
        members: {
          Key: { shape: 'Text', idempotencyToken: true },
          Name: { shape: 'Text', documentation: 'of a member' },
          Inner: { shape: 'Inner' },
          Map: { shape: 'Map' },
        },
      },
      Inner: { type: 'structure', members: { Key: { shape: 'Text', idempotencyToken: true }, Texts: { shape: 'Texts' } } },
      Texts: { type: 'list', member: { shape: 'Text', documentation: 'of an element' } },
      Map: {
        type: 'map',
        key: { shape: 'Text', documentation: 'of a key' },
        value: { shape: 'Text', documentation: 'of a value' },
      },
    },
  }
  const withText = inferService(readModel(JSON.stringify(document), { documentation: true }), { alias: 'x' })
  const service = resourceService(withText, { kinds: withText.kinds, madeOf })
  const tokensOf = (fields: readonly ResourceField[] = []): readonly string[] =>
    fields.filter(({ idempotencyToken }) => idempotencyToken).map(({ json }) => json)
  assert.deepEqual(tokensOf(service.kinds['Thing']?.spec), ['key'])
  assert.deepEqual(tokensOf(service.structures['Inner']), ['key'])
  // What is committed carries no text of the models.
  const bare = readModel(JSON.stringify(document))
  assert.deepEqual(service.model.shapes, bare.shapes)
})

test('operations are those of the verbs, around the resource, and those that a config takes fields from or renames for', () => {
  const config =
    'resources:\n  Thing:\n    fields: {Place: {from: {operation: SetZone, path: Zone}}}\n    renames: {operations: {DeleteBox: {input_fields: {Label: Name}}}}\n'
  const service = inferService(small, { alias: 'small', loaded: readGeneratorConfig(config) })
  const kind = service.kinds.find(each => each.kind === 'Thing')
  assert.ok(kind)
  const operations = ['CreateThing', 'DeleteBox', 'DeleteThing', 'GetThing', 'SetZone', 'TagThing', 'UpdateThing']
  assert.deepEqual(wireOperations(service, kind), operations)
})

for (const [get, operations] of [
  ['get: ReadLaw, ', ['CreateThing', 'DropLaw', 'PutLaw', 'ReadLaw', 'TellLaws']],
  ['', ['CreateThing', 'DropLaw', 'PutLaw', 'TellLaws']],
] as const)
  test(`operations of entries of a field are among those of its kind: ${operations.join(', ')} [9.28]`, () => {
    const id = { '!Name': 'String' }
    const entry = { ...id, '!LawName': 'String' }
    const model = smallModel({
      operations: {
        CreateThing: [id, {}],
        TellLaws: [id, { LawNames: 'Strings' }],
        ReadLaw: [entry, { Text: 'String' }],
        PutLaw: [{ ...entry, '!Text': 'String' }],
        DropLaw: [entry],
      },
    })
    const declared = `{field: Laws, list: TellLaws, ${get}put: PutLaw, delete: DropLaw, key: LawName}`
    const config = `resources:\n  Thing: {fields: {Laws: {custom_field: {map_of: String}}}, sub_resources: [${declared}]}\n`
    const service = inferService(model, { alias: 'small', loaded: readGeneratorConfig(config) })
    const [kind] = service.kinds
    assert.ok(kind)
    assert.deepEqual(wireOperations(service, kind), operations)
  })
