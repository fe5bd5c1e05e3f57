// The edge cases of §4.16 of docs/rules/resources.md and the vectors of its 10.2, on models made by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGeneratorConfig } from '../config/read-config.ts'
import { resourceService } from '../render/ir.ts'
import { classify } from './classify.ts'
import { inferService } from './infer-service.ts'
import { fieldsOf, inferSmall, smallModel, structure } from './model.fixture.ts'

const plain = {
  CreateThing: [{ '!Name': 'String' }, {}],
  DeleteThing: [{ Name: 'String' }],
  GetThing: [{ Name: 'String' }, {}],
} as const

test('every row of the classification table [3.2]', () => {
  const listed = new Set(['dhcpoptions', 'settings'])
  const rows = [
    ['CreateOrUpdateTags', 'Replace', 'Tags'],
    ['BatchCreateThings', 'CreateBatch', 'Thing'],
    ['BatchCreateThing', 'CreateBatch', 'Thing'],
    ['CreateBatchSettings', 'CreateBatch', 'Settings'],
    ['CreateKeyPair', 'Create', 'KeyPair'],
    ['CreateDhcpOptions', 'Create', 'DhcpOptions'],
    ['CreateTags', 'CreateBatch', 'Tag'],
    ['ModifyThings', 'Update', 'Things'],
    ['UpdateThing', 'Update', 'Thing'],
    ['DeleteThing', 'Delete', 'Thing'],
    ['DescribeDhcpOptions', 'List', 'DhcpOptions'],
    ['DescribeVpcs', 'List', 'Vpc'],
    ['DescribeThing', 'Get', 'Thing'],
    ['GetQueueAttributes', 'GetAttributes', 'Queue'],
    ['GetSettings', 'Get', 'Settings'],
    ['GetThings', 'List', 'Thing'],
    ['GetThing', 'Get', 'Thing'],
    ['ListThings', 'List', 'Thing'],
    ['ListSettings', 'List', 'Settings'],
    ['ListInventory', 'List', 'Inventory'],
    ['SetQueueAttributes', 'SetAttributes', 'Queue'],
    ['PutThing', 'Unknown', ''],
    ['AdvertiseByoipCidr', 'Unknown', ''],
    ['AcceptTransitGatewayVpcAttachment', 'Unknown', ''],
    ['CreateMedia', 'CreateBatch', 'Media'],
    ['Update', 'Unknown', ''],
    ['Describe', 'Unknown', ''],
  ]
  const seen = rows.map(([operation = '']) => {
    const { type, resource } = classify(operation, listed)
    return [operation, type, resource]
  })
  assert.deepEqual(seen, rows)
})

test('overrides write every listed type for every listed resource, and win over inference [3.4]', () => {
  const service = inferSmall(
    { operations: { ChangeThings: [{ Name: 'String' }, {}], DeleteThing: [{ Name: 'String' }] } },
    'operations:\n  ChangeThings:\n    operation_type: [Create, delete]\n    resource_name: [Thing, Other]\n',
  )
  const operations = service.kinds.map(kind => [kind.kind, kind.operations])
  assert.deepEqual(operations, [
    ['Other', { Create: 'ChangeThings', Delete: 'ChangeThings' }],
    ['Thing', { Delete: 'ChangeThings', Create: 'ChangeThings' }],
  ])
})

test('what the name of an overridden operation says counts no more, and a type that does not exist is warned of [3.4]', () => {
  const service = (types: string) =>
    inferSmall({ operations: plain }, `operations:\n  DeleteThing: {operation_type: [${types}], resource_name: [Thing]}\n`)
  assert.deepEqual(service('Update').kinds[0]?.operations, { Create: 'CreateThing', Get: 'GetThing', Update: 'DeleteThing' })
  assert.ok(!service('Update').warnings.join().includes('operation type'))
  assert.equal(
    service('Delete, Deleet').warnings[0],
    'generator.yaml:2: operation type "Deleet" is unknown and stands for none; did you mean "delete"?',
  )
})

test('an ignored operation leaves its slot empty and the kind in place [3.4.5]', () => {
  const service = inferSmall({ operations: plain }, 'ignore:\n  operations: [DeleteThing]\n')
  assert.deepEqual(service.kinds[0]?.operations, { Create: 'CreateThing', Get: 'GetThing' })
  assert.match(service.warnings.join('\n'), /Thing: no operation deletes it/)
})

test('without an output the status holds only the common fields [4.16]', () => {
  const service = inferSmall({ operations: { CreateThing: [{ '!Name': 'String' }] } })
  assert.deepEqual(fieldsOf(service, 'Thing'), ['spec.name: string required'])
})

test('one structure in the output is unwrapped, one list is not [4.16]', () => {
  const shapes = { Thing: structure({ Name: 'String', State: 'String' }) }
  const wrapped = inferSmall({ operations: { CreateThing: [{ Name: 'String' }, { Thing: 'Thing' }] }, shapes })
  assert.deepEqual(fieldsOf(wrapped, 'Thing'), ['spec.name: string', 'status.state: string'])
  const list = inferSmall({ operations: { CreateThing: [{ Name: 'String' }, { Items: 'Strings' }] } })
  assert.deepEqual(fieldsOf(list, 'Thing'), ['spec.name: string', 'status.items: array<string>'])
})

test('an output member is suppressed by a rename only where the rename applies to it [4.16]', () => {
  const model = {
    operations: {
      CreateRole: [{ RoleName: 'String' }, { RoleName: 'String', RoleId: 'String' }],
      GetRole: [{ RoleName: 'String' }, {}],
    },
  } as const
  const rename = (operation: string): string =>
    `resources:\n  Role:\n    renames:\n      operations:\n        ${operation}:\n          input_fields:\n            RoleName: Name\n`
  assert.deepEqual(fieldsOf(inferSmall(model, rename('CreateRole')), 'Role'), ['spec.name: string', 'status.roleID: string'])
  assert.deepEqual(fieldsOf(inferSmall(model, rename('GetRole')), 'Role'), ['spec.roleName: string', 'status.roleID: string'])
})

test('what input and output both hold is one field of the spec [4.16]', () => {
  const service = inferSmall({ operations: { CreateThing: [{ Tags: 'StringMap' }, { Tags: 'StringMap', Id: 'String' }] } })
  assert.deepEqual(fieldsOf(service, 'Thing'), ['spec.tags: object{string}', 'status.id: string'])
})

test('an output wrapper may lead through a list [4.16]', () => {
  const shapes = { Instances: { type: 'list', member: { shape: 'Instance' } }, Instance: structure({ InstanceId: 'String' }) }
  const service = inferSmall(
    { operations: { CreateThing: [{ Name: 'String' }, { Instances: 'Instances', Owner: 'String' }] }, shapes },
    'operations:\n  CreateThing:\n    output_wrapper_field_path: Instances\n',
  )
  assert.deepEqual(fieldsOf(service, 'Thing'), ['spec.name: string', 'status.instanceID: string'])
})

test('attributes are texts, read-only ones in the status, the ARN in the common metadata [4.16]', () => {
  const service = inferSmall(
    { operations: { CreateQueue: [{ '!QueueName': 'String', Attributes: 'StringMap' }, { QueueUrl: 'String' }] } },
    `resources:
  Queue:
    unpack_attributes_map: {}
    fields:
      DelaySeconds: {is_attribute: true}
      FifoQueue: {is_attribute: true}
      CreatedTimestamp: {is_attribute: true, is_read_only: true}
      QueueArn: {is_attribute: true, is_read_only: true}
`,
  )
  const expected = [
    'spec.delaySeconds: string',
    'spec.fifoQueue: string',
    'spec.queueName: string required',
    'status.createdTimestamp: string',
    'status.queueURL: string',
  ]
  assert.deepEqual(fieldsOf(service, 'Queue'), expected)
  assert.equal(service.kinds[0]?.arnMember, 'QueueArn')
})

test('a dotted type adds a member to the shared structure, in every kind that uses it [4.16]', () => {
  const shapes = { Code: structure({ Key: 'String' }) }
  const service = inferSmall(
    { operations: { CreateThing: [{ Code: 'Code' }], CreateOther: [{ Code: 'Code' }] }, shapes },
    'resources:\n  Thing:\n    fields:\n      Code.Sha256: {type: string}\n      Code.Key: {is_immutable: true}\n',
  )
  const below = ['spec.code: object', 'spec.code.key: string immutable', 'spec.code.sha256: string']
  assert.deepEqual([fieldsOf(service, 'Thing'), fieldsOf(service, 'Other')], [below, below])
})

test('a read-only int of the config is an integer of the status [4.16]', () => {
  const service = inferSmall(
    { operations: plain },
    'resources:\n  Thing:\n    fields:\n      DesiredSize: {is_read_only: true, type: int}\n',
  )
  assert.deepEqual(fieldsOf(service, 'Thing'), ['spec.name: string required', 'status.desiredSize: integer(int64)'])
})

test('a path that ends at a list takes nothing away and says how to; the element takes it away [5.2]', () => {
  const shapes = { Items: { type: 'list', member: { shape: 'Item' } }, Item: structure({ Id: 'String', TagList: 'Strings' }) }
  const model = { operations: { CreateThing: [{ Name: 'String' }, { Items: 'Items' }] }, shapes } as const
  const noop = inferSmall(model, 'ignore:\n  field_paths: [CreateThingOutput.Items.TagList]\n')
  assert.ok(fieldsOf(noop, 'Thing').includes('status.items[].tagList: array<string>'))
  assert.match(noop.warnings.join('\n'), /put "\.Item" before it/)
  const gone = inferSmall(model, 'ignore:\n  field_paths: [CreateThingOutput.Items.Item.TagList]\n')
  assert.ok(!fieldsOf(gone, 'Thing').join().includes('tagList'))
})

test('a path of one payload leaves the others that share its structure alone [2.3]', () => {
  const service = inferSmall(
    { operations: { CreateThing: [{ Name: 'String', Token: 'String' }], CreateOther: [{ Name: 'String', Token: 'String' }] } },
    'ignore:\n  field_paths: [CreateThingInput.Token]\n',
  )
  assert.deepEqual(
    [fieldsOf(service, 'Thing'), fieldsOf(service, 'Other')],
    [['spec.name: string'], ['spec.name: string', 'spec.token: string']],
  )
})

test('a name that is a keyword ends in an underscore, unless a tag says otherwise [4.7.2]', () => {
  const shapes = { Deep: structure({ Func: 'String' }) }
  const model = {
    operations: { CreateThing: [{ '!Type': 'String', Default: 'String', Range: 'String', Package: 'String', Deep: 'Deep' }] },
    shapes,
  } as const
  const expected = [
    'spec.deep: object',
    'spec.deep.func_: string',
    'spec.default_: string',
    'spec.package_: string',
    'spec.range_: string',
  ]
  assert.deepEqual(fieldsOf(inferSmall(model), 'Thing'), [...expected, 'spec.type_: string required'])
  const tagged = `resources:\n  Thing:\n    fields:\n      Type: {go_tag: 'json:"type,omitempty"'}\n`
  assert.deepEqual(fieldsOf(inferSmall(model, tagged), 'Thing'), [...expected, 'spec.type: string required'])
})

test('the regions that no model of RDS has are in the spec [2.3]', () => {
  const service = inferSmall({ serviceId: 'RDS', operations: { CreateDBCluster: [{ DBClusterIdentifier: 'String' }] } })
  assert.deepEqual(fieldsOf(service, 'DBCluster'), [
    'spec.dbClusterIdentifier: string',
    'spec.destinationRegion: string',
    'spec.sourceRegion: string',
  ])
})

test('references and secrets, at the top, below and in lists [4.10, 4.11]', () => {
  const shapes = { Net: structure({ '!SubnetIds': 'Strings', Passwords: 'Strings' }) }
  const service = inferSmall(
    { operations: { CreateThing: [{ '!RoleArn': 'String', '!Password': 'String', Net: 'Net' }] }, shapes },
    `resources:
  Thing:
    fields:
      RoleArn: {references: {resource: Role, service_name: iam, path: Status.ACKResourceMetadata.ARN}}
      Password: {is_secret: true}
      Net.SubnetIds: {references: {resource: Subnet, path: Status.ID}}
      Net.Passwords: {is_secret: true}
`,
  )
  const top = fieldsOf(service, 'Thing').filter(line => !/\.(?:from|key|name|namespace)\b/.test(line))
  assert.deepEqual(top, [
    'spec.net: object',
    'spec.net.passwords: array<object atomic requires key>',
    'spec.net.subnetIDs: array<string>',
    'spec.net.subnetRefs: array<object>',
    'spec.password: object atomic requires key required',
    'spec.roleARN: string',
    'spec.roleRef: object',
  ])
})

test('a structure that contains itself refuses the kind and names the path to leave out, which mends it [4.6.4]', () => {
  const shapes = { Tree: structure({ Value: 'String', Children: 'Trees' }), Trees: { type: 'list', member: { shape: 'Tree' } } }
  const model = { operations: { CreateThing: [{ Tree: 'Tree' }], CreateOther: [{ Name: 'String' }] }, shapes } as const
  const service = inferSmall(model)
  assert.deepEqual(
    service.kinds.map(({ kind }) => kind),
    ['Other'],
  )
  const [problem] = service.refused[0]?.problems ?? []
  assert.equal(problem?.code, 'cycle')
  assert.match(
    problem?.message ?? '',
    /^Thing: Tree\.Children: a Tree would contain itself; .*\n {2}ignore:\n {4}field_paths:\n {4}- Tree\.Children$/,
  )
  const mended = inferSmall(model, 'ignore:\n  field_paths:\n  - Tree.Children\n')
  assert.deepEqual(fieldsOf(mended, 'Thing'), ['spec.tree: object', 'spec.tree.value: string'])
})

test('an empty structure refuses the kind, unless it is a map of text or left out [4.6.3]', () => {
  const model = { operations: { CreateThing: [{ Mode: 'Empty', Name: 'String' }] }, shapes: { Empty: structure({}) } } as const
  const [problem] = inferSmall(model).refused[0]?.problems ?? []
  assert.equal(problem?.code, 'empty-structure')
  assert.match(
    problem?.message ?? '',
    /structure "Empty" has no members; say that it is a map of text:\n {2}empty_shapes:\n {2}- Empty/,
  )
  assert.deepEqual(fieldsOf(inferSmall(model, 'empty_shapes: [Empty]\n'), 'Thing'), [
    'spec.mode: object{string}',
    'spec.name: string',
  ])
  assert.deepEqual(fieldsOf(inferSmall(model, 'ignore:\n  shape_names: [Empty]\n'), 'Thing'), ['spec.name: string'])
})

test('documents and streams of events refuse the kind with the path to leave out; unions are objects [4.6.1]', () => {
  const shapes = {
    Doc: structure({}, { document: true }),
    Stream: { ...structure({ A: 'String' }), eventstream: true },
    Either: { ...structure({ A: 'String', B: 'Integer' }), union: true },
  }
  const service = inferSmall({
    operations: { CreateDoc: [{ Doc: 'Doc' }], CreateFeed: [{ Feed: 'Stream' }], CreateChoice: [{ '!Choice': 'Either' }] },
    shapes,
  })
  const refused = service.refused.map(({ resource, problems }) => [
    resource,
    problems[0]?.code,
    problems[0]?.message.split('\n').at(-1)?.trim(),
  ])
  assert.deepEqual(refused, [
    ['Doc', 'unsupported', '- CreateDocInput.Doc'],
    ['Feed', 'unsupported', '- CreateFeedInput.Feed'],
  ])
  assert.deepEqual(fieldsOf(service, 'Choice'), [
    'spec.choice: object required',
    'spec.choice.a: string',
    'spec.choice.b: integer(int64)',
  ])
})

test('name collisions: two members of one name refuse the kind, a member in two cases keeps both', () => {
  const both = inferSmall({ operations: { CreateThing: [{ VpcId: 'String', VPCId: 'String' }] } })
  assert.equal(both.refused[0]?.problems[0]?.code, 'name-collision')
  const cases = inferSmall({ operations: { CreateThing: [{ foo: 'String', Foo: 'String' }] } })
  assert.deepEqual(fieldsOf(cases, 'Thing'), ['spec.foo: string', 'spec.foo2: string'])
})

test('the flagged member is the ARN, and then only that one; what a config declares itself stays [4.9.2]', () => {
  const model = {
    operations: { CreateThing: [{ Name: 'String' }, { Arn: 'String', ThingArn: 'String', OtherArn: 'String' }] },
  } as const
  assert.deepEqual(fieldsOf(inferSmall(model), 'Thing'), ['spec.name: string', 'status.otherARN: string'])
  const flagged = inferSmall(model, 'resources:\n  Thing:\n    fields:\n      OtherArn: {is_arn: true}\n')
  assert.deepEqual(fieldsOf(flagged, 'Thing'), ['spec.name: string', 'status.arn: string', 'status.thingARN: string'])
  const declared = inferSmall(model, 'resources:\n  Thing:\n    fields:\n      ThingArn: {type: string, is_read_only: true}\n')
  assert.deepEqual(fieldsOf(declared, 'Thing'), ['spec.name: string', 'status.otherARN: string', 'status.thingARN: string'])
})

test('columns in the order asked for, Synced and Age last [4.12]', () => {
  const service = inferSmall(
    { operations: plain },
    `resources:
  Thing:
    fields:
      Name: {print: {name: NAME, index: 2}}
    print:
      add_age_column: true
      order_by: index
      additional_columns:
      - {name: FIRST, json_path: .spec.name, type: string, index: 1, priority: 1}
`,
  )
  const columns = service.kinds[0]?.columns.map(({ name, type, priority, jsonPath }) => [name, type, priority, jsonPath])
  assert.deepEqual(columns, [
    ['FIRST', 'string', 1, '.spec.name'],
    ['NAME', 'string', undefined, '.spec.name'],
    ['Synced', 'string', undefined, '.status.conditions[?(@.type=="ACK.ResourceSynced")].status'],
    ['Age', 'date', undefined, '.metadata.creationTimestamp'],
  ])
})

test('a name that the model lacks is refused with file, line and the nearest name [3.6, 4.4.3]', () => {
  const refusals: readonly (readonly [config: string, message: RegExp])[] = [
    [
      'resources:\n  Thing:\n    fields:\n      Nam: {is_immutable: true}\n',
      /^generator\.yaml:4: Thing has no field "Nam"; did you mean "Name"\?\n/,
    ],
    [
      'resources:\n  Thing:\n    fields:\n      X: {from: {operation: GetThin, path: A}}\n',
      /^generator\.yaml:4: field "X" of Thing: operation "GetThin" does not exist; did you mean "GetThing"\?\n/,
    ],
    [
      'resources:\n  Thing:\n    fields:\n      X: {from: {operation: GetThing, path: Naem}}\n',
      /GetThing has no "Naem" in input or output; did you mean "Name"\?/,
    ],
    ['resources:\n  Thing:\n    fields:\n      X: {custom_field: {list_of: Nothing}}\n', /shape "Nothing" does not exist/],
    ['resources:\n  Thing:\n    fields:\n      X: {type: strin}\n', /"strin" is no type; did you mean "string"\?/],
    [
      'resources:\n  Thing:\n    renames:\n      operations:\n        MakeThing: {}\n',
      /^generator\.yaml:5: operation "MakeThing" does not exist/,
    ],
    [
      'ignore:\n  operations: [DeleteThings]\n',
      /^generator\.yaml:2: operation "DeleteThings" does not exist; did you mean "DeleteThing"\?\n/,
    ],
    ['ignore:\n  field_paths: [CreateThngInput.Name]\n', /"CreateThngInput" is no shape; did you mean "CreateThingInput"\?/],
    [
      'operations:\n  Foo: {resource_name: Thing, operation_type: Create}\n',
      /^generator\.yaml:2: operation "Foo" does not exist\n/,
    ],
    [
      'resources:\n  Thing:\n    updateable:\n      when:\n      - {path: Status.Nope, in: [A]}\n',
      /Thing has no field "Status\.Nope"/,
    ],
    ['resources:\n  Thing:\n    fields:\n      Name: {custom_sync: {}}\n', /Thing has no Update operation/],
    ['resources:\n  Thing:\n    print: {order_by: size}\n', /"size" is no order/],
  ]
  for (const [config, message] of refusals)
    assert.throws(() => inferSmall({ operations: plain }, config, { skew: 'refuse' }), { name: 'InferError', message })
})

test('a config for another version of the model: strange names, one or several, are reported and left out, near misses never', () => {
  const one = 'resources:\n  Thing:\n    fields:\n      Zebra: {is_immutable: true}\n'
  assert.deepEqual(inferSmall({ operations: plain }, one).skew, ['generator.yaml:4: Thing has no field "Zebra"'])
  const config = 'resources:\n  Thing:\n    fields:\n      Zebra: {is_immutable: true}\n      Giraffe: {is_immutable: true}\n'
  assert.equal(inferSmall({ operations: plain }, config).skew.length, 2)
  assert.throws(() => inferSmall({ operations: plain }, config, { skew: 'refuse' }), /no field "Giraffe"[^]*no field "Zebra"/)
  assert.throws(
    () => inferSmall({ operations: plain }, `${config}      Nmae: {is_immutable: true}\n`),
    /^InferError: generator\.yaml:6: Thing has no field "Nmae"[^]*--skew allow leaves such names out$/,
  )
})

test('documentation.yaml edits descriptions and nothing else', () => {
  const documentation = {
    resources: new Map([['Thing', { note: 'A note.', fields: new Map([['Name', { override: 'Its <name>.' }]]) }]]),
  }
  const service = inferSmall({ operations: plain }, '', { documentation })
  assert.equal(service.kinds[0]?.spec.get('Name')?.documentation, '<p>Its &lt;name&gt;.</p>')
  assert.deepEqual(fieldsOf(service, 'Thing'), fieldsOf(inferSmall({ operations: plain }), 'Thing'))
})

test('an attribute that is a member of the input too is one field, with what the model says of the member [4.2]', () => {
  const service = inferSmall(
    {
      operations: {
        CreateEndpoint: [{ Attributes: 'StringMap', '!Token': 'String', Data: 'Integer' }, {}],
        GetEndpointAttributes: [{ Token: 'String' }, { Attributes: 'StringMap' }],
        DeleteEndpoint: [{ Token: 'String' }],
      },
    },
    'resources:\n  Endpoint:\n    fields:\n      Enabled: {is_attribute: true}\n      Token: {is_attribute: true}\n      Data: {is_attribute: true}\n',
  )
  assert.deepEqual(service.refused, [])
  assert.deepEqual(fieldsOf(service, 'Endpoint'), [
    'spec.data: integer(int64)',
    'spec.enabled: string',
    'spec.token: string required',
  ])
  const fields = service.kinds[0]?.spec
  assert.deepEqual([fields?.get('Token')?.origin.by, fields?.get('Enabled')?.origin.by], ['input', 'attribute'])
})

test('a list is entered with an empty step in a path too [4.4.1]', () => {
  const model = {
    operations: { CreateBroker: [{ Users: 'Users' }, {}] },
    shapes: { Users: { type: 'list', member: { shape: 'User' } }, User: structure({ Name: 'String', Password: 'String' }) },
  } as const
  const config = (path: string): string =>
    `resources:\n  Broker:\n    fields:\n      ${path}: {is_secret: true, print: {name: P}}\n`
  const [plainPath, emptyStep] = ['Users.Password', 'Users..Password'].map(path => inferSmall(model, config(path)))
  assert.ok(plainPath !== undefined && emptyStep !== undefined)
  assert.deepEqual(fieldsOf(emptyStep, 'Broker'), fieldsOf(plainPath, 'Broker'))
  assert.match(fieldsOf(emptyStep, 'Broker').join(), /users\[\]\.password: object atomic requires key/)
  assert.deepEqual(emptyStep.kinds[0]?.columns, plainPath.kinds[0]?.columns)
  assert.ok(!emptyStep.warnings.some(warning => warning.includes('Password')))
})

test('required is what the model says of the member that a name goes back to [4.8]', () => {
  const model = { operations: { CreateThing: [{ '!ThingName': 'String', '!Id': 'String' }, { ThingId: 'String' }] } } as const
  const renamed = 'renames:\n      operations:\n        CreateThing:\n'
  const typed = `resources:\n  Thing:\n    fields:\n      Name: {type: string}\n    ${renamed}          input_fields: {ThingName: Name}\n`
  assert.deepEqual(fieldsOf(inferSmall(model, typed), 'Thing'), [
    'spec.id: string required',
    'spec.name: string required',
    'status.thingID: string',
  ])
  // A name that the output is renamed to is the output's, of which nothing is required.
  const fromOutput = `resources:\n  Thing:\n    ${renamed}          output_fields: {ThingId: Id}\n`
  assert.deepEqual(fieldsOf(inferSmall(model, fromOutput), 'Thing'), ['spec.id: string', 'spec.thingName: string required'])
})

test('what is taken from an operation under a dotted name that leads into no field is a field at the top [4.4]', () => {
  const model = {
    operations: {
      CreateStream: [{ '!Name': 'String', Config: 'Config' }, {}],
      GetStream: [{ Name: 'String' }, { Encryption: 'Encryption' }],
      DeleteStream: [{ Name: 'String' }],
    },
    shapes: { Encryption: structure({ Status: 'String', Failure: 'Config' }), Config: structure({ A: 'String' }) },
  } as const
  const fields = (...lines: readonly string[]): string => `resources:\n  Stream:\n    fields:\n      ${lines.join('\n      ')}\n`
  const service = inferSmall(
    model,
    fields(
      'Encryption.Status: {is_read_only: true, print: {name: E}, from: {operation: GetStream, path: Encryption.Status}}',
      'Encryption.Failure: {is_read_only: true, from: {operation: GetStream, path: Encryption.Failure}}',
      'Config.B: {type: int}',
    ),
  )
  assert.deepEqual(fieldsOf(service, 'Stream').toSorted(), [
    'spec.config.a: string',
    'spec.config.b: integer(int64)',
    'spec.config: object',
    'spec.name: string required',
    'status.encryptionFailure.a: string',
    'status.encryptionFailure.b: integer(int64)',
    'status.encryptionFailure: object',
    'status.encryptionStatus: string',
  ])
  assert.deepEqual(service.kinds[0]?.columns, [{ name: 'E', type: 'string', jsonPath: '.status.encryptionStatus' }])
  assert.throws(
    () => inferSmall(model, fields('Encryption.Status: {is_secret: true}'), { skew: 'refuse' }),
    /Stream has no field "Encryption"/,
  )
})

test('a reference below a field is for what users write; the structure that is only read has none [4.10]', () => {
  const service = inferSmall(
    {
      operations: { CreateThing: [{ Subnets: 'Wanted' }, {}], GetThing: [{}, { Subnets: 'Seen' }], DeleteThing: [{}] },
      shapes: {
        Wanted: { type: 'list', member: { shape: 'WantedSubnet' } },
        Seen: { type: 'list', member: { shape: 'SeenSubnet' } },
        WantedSubnet: structure({ SubnetId: 'String' }),
        SeenSubnet: structure({ SubnetId: 'String', State: 'String' }),
      },
    },
    'resources:\n  Thing:\n    fields:\n      Subnets: {is_read_only: true, custom_field: {list_of: SeenSubnet}}\n      Subnets.SubnetId: {references: {resource: Subnet, path: Status.ID}}\n',
  )
  assert.deepEqual(fieldsOf(service, 'Thing'), [
    'spec.subnets: array<object>',
    'spec.subnets[].subnetID: string',
    'spec.subnets[].subnetRef: object',
    'spec.subnets[].subnetRef.from: object',
    'spec.subnets[].subnetRef.from.name: string',
    'spec.subnets[].subnetRef.from.namespace: string',
    'status.subnets: array<object>',
    'status.subnets[].state: string',
    'status.subnets[].subnetID: string',
  ])
})

test('a shape keeps its name unless an operation needs that name for its own input or output [4.4]', () => {
  const model = {
    operations: { CreateThing: [{ Own: 'CreateThingInput' }, {}], GetThing: [{}, {}], DeleteThing: [{}] },
    shapes: { CreateThingInput: structure({ Inner: 'String' }), SettingsInput: structure({ Size: 'Integer' }) },
  } as const
  const fields = (shape: string) =>
    fieldsOf(inferSmall(model, `resources:\n  Thing:\n    fields:\n      More: {custom_field: {list_of: ${shape}}}\n`), 'Thing')
  const own = ['spec.own.inner: string', 'spec.own: object']
  assert.deepEqual(fields('SettingsInput').toSorted(), ['spec.more: array<object>', 'spec.more[].size: integer(int64)', ...own])
  assert.deepEqual(fields('CreateThingInput_').toSorted(), ['spec.more: array<object>', 'spec.more[].inner: string', ...own])
})

test('a resource of the config that no operation creates is told with its line, and with the nearest that is one', () => {
  const warnings = (name: string) => inferSmall({ operations: plain }, `resources:\n  ${name}: {}\n`).warnings
  const said = (name: string) => `generator.yaml:2: no operation creates "${name}", so this says nothing`
  assert.deepEqual(warnings('Zebra'), [said('Zebra')])
  assert.deepEqual(warnings('Thin'), [`${said('Thin')}; did you mean "Thing"?`])
})

test('kinds and operations are called as the model calls them, also where a date stands behind their names on the wire', () => {
  const model = smallModel({ operations: { CreateFilm: [{ '!Name': 'String' }], DeleteFilm: [{ '!Name': 'String' }] } })
  const dated = Object.entries(model.operations).map(([key, operation]) => [key, { ...operation, name: `${key}2020_05_31` }])
  const loaded = readGeneratorConfig('')
  const service = inferService({ ...model, operations: Object.fromEntries(dated) }, { alias: 'small', loaded })
  const { kinds } = resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } })
  assert.deepEqual(kinds['Film']?.operations, { create: 'CreateFilm', delete: 'DeleteFilm' })
})

test('a rename of a member that neither the payload nor what is in it has is told with its line and the nearest', () => {
  const model = {
    operations: {
      CreateThing: [
        { Name: 'String', Inner: 'Inner' },
        { Thing: 'Inner', Id: 'String' },
      ],
    },
    shapes: { Inner: structure({ Mode: 'String' }) },
  } as const
  const renamed = (member: string): readonly string[] => {
    const fields = ['input', 'output'].map(part => `          ${part}_fields:\n            ${member}: Other${part}\n`).join('')
    const config = `resources:\n  Thing:\n    renames:\n      operations:\n        CreateThing:\n${fields}`
    return inferSmall(model, config).warnings.filter(warning => warning.includes('member'))
  }
  assert.deepEqual(renamed('Mode'), [])
  assert.deepEqual(renamed('Name'), ['generator.yaml:9: CreateThing has no output member "Name"'])
  assert.deepEqual(renamed('Id'), ['generator.yaml:7: CreateThing has no input member "Id"'])
  assert.deepEqual(renamed('Moda'), [
    'generator.yaml:7: CreateThing has no input member "Moda"; did you mean "Mode"?',
    'generator.yaml:9: CreateThing has no output member "Moda"; did you mean "Mode"?',
  ])
})
