// Which fields a kind has beside those that its operations give it, and which member is its ARN.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InferError } from '../infer-error.ts'
import { fieldsOf, inferSmall, structure } from './model.fixture.ts'

const model = {
  operations: {
    CreateThing: [
      { '!Name': 'String', Inner: 'Inner' },
      { Arn: 'String', RoleArn: 'String', Out: 'Outer' },
    ],
    ReadOther: [{ A: 'String' }, { B: 'String' }],
  },
  shapes: { Inner: structure({ Mode: 'String' }), Outer: structure({ Way: 'String' }) },
} as const

const plain = [
  'spec.inner: object',
  'spec.inner.mode: string',
  'spec.name: string required',
  'status.out: object',
  'status.out.way: string',
  'status.roleARN: string',
]

function fieldsWith(entry: string): readonly string[] {
  return fieldsOf(inferSmall(model, `resources:\n  Thing:\n    fields:\n      ${entry}\n`), 'Thing')
}

for (const [entry, more] of [
  ['Inner.More: {type: string}', 'spec.inner.more: string'],
  ['Out.More: {type: string}', 'status.out.more: string'],
  ['Inner.More: {from: {operation: ReadOther, path: A}}', 'spec.inner.more: string'],
  ['Nobody.More: {type: string}', undefined],
  ['Nobody.More: {custom_field: {list_of: String}}', 'spec.nobodyMore: array<string>'],
  ['Nobody.More: {from: {operation: ReadOther, path: A}}', 'spec.nobodyMore: string'],
  ['More: {from: {operation: ReadOther, path: A}}', 'spec.more: string'],
  ['More: {from: {operation: ReadOther, path: A}, is_read_only: true}', 'status.more: string'],
] as const)
  test(`\`${entry}\` adds ${more ?? 'nothing'}`, () => {
    assert.deepEqual(fieldsWith(entry).toSorted(), [...plain, ...(more === undefined ? [] : [more])].toSorted())
  })

for (const key of ['RoleArn', 'roleArn', 'ROLEARN', 'Role_Arn'])
  test(`a config that says that ${key} is the ARN takes it from the status, and leaves the other there`, () => {
    const other = [...plain.filter(line => !line.startsWith('status.roleARN')), 'status.arn: string']
    assert.deepEqual(fieldsWith(`${key}: {is_arn: true}`).toSorted(), other.toSorted())
  })

test('members that differ in the case of their first letter are told apart by numbers that no other has', () => {
  const alike = {
    operations: { CreateThing: [{ '!Name': 'String', foo: 'String', Foo_2: 'String', Foo: 'String' }, {}] },
  } as const
  assert.deepEqual(fieldsOf(inferSmall(alike), 'Thing'), [
    'spec.foo: string',
    'spec.foo2: string',
    'spec.foo3: string',
    'spec.name: string required',
  ])
})

const resource = (settings: string): string => `resources:\n  Thing:\n    ${settings}\n`
const name = { '!Name': 'String' } as const

for (const [what, [input, output], config, fields] of [
  [
    'an idempotency token is a field',
    [{ ...name, Token: 'String' }, {}],
    '',
    ['spec.name: string required', 'spec.token: string'],
  ],
  [
    'the attributes are one field where the config takes none out of them',
    [{ ...name, Attributes: 'StringMap' }, {}],
    '',
    ['spec.attributes: object{string}', 'spec.name: string required'],
  ],
  [
    'the attributes of the answer are a field where the config takes none out of them',
    [name, { Attributes: 'StringMap', Id: 'String' }],
    '',
    ['spec.name: string required', 'status.attributes: object{string}', 'status.id: string'],
  ],
  [
    'the attributes of the answer are none where the config takes some out of them',
    [name, { Attributes: 'StringMap', Id: 'String' }],
    resource('unpack_attributes_map: {}'),
    ['spec.name: string required', 'status.id: string'],
  ],
  [
    'one attribute among the fields of the config is enough to take them apart',
    [{ ...name, Attributes: 'StringMap' }, {}],
    resource('fields: {Delay: {is_attribute: true}, Name: {is_immutable: true}}'),
    ['spec.delay: string', 'spec.name: string required immutable'],
  ],
  [
    'an attribute that is the ARN is a field where the config defines it',
    [{ ...name, Attributes: 'StringMap' }, {}],
    resource('fields: {ThingArn: {is_attribute: true, type: string}, Delay: {is_attribute: true}}'),
    ['spec.delay: string', 'spec.name: string required', 'spec.thingARN: string'],
  ],
  [
    'a field that the config defines takes the place of the one that is written in another case',
    [{ ...name, Colour: 'String', Size: 'String' }, {}],
    resource('fields: {COLOUR: {type: int}}'),
    ['spec.cOLOUR: integer(int64)', 'spec.name: string required', 'spec.size: string'],
  ],
  [
    'the config may name a field in any case',
    [{ ...name, Colour: 'String' }, {}],
    resource('fields: {COLOUR: {is_immutable: true}}'),
    ['spec.colour: string immutable', 'spec.name: string required'],
  ],
  [
    'what is only read is not required, although a member that is written and called so is',
    [name, {}],
    resource('fields: {Name: {type: string, is_read_only: true}}'),
    ['spec.name: string required', 'status.name: string'],
  ],
  [
    'nothing that is only read is required or refers to another object',
    [name, { KeyId: 'String', Id: 'String' }],
    resource('fields: {KeyId: {is_required: true, references: {resource: Key, path: Status.KeyID}}}'),
    ['spec.name: string required', 'status.id: string', 'status.keyID: string'],
  ],
  [
    'a field is taken from the input of another operation first, and what is only read from its output',
    [name, {}],
    resource(
      'fields: {A: {from: {operation: GetOther, path: Both}}, B: {is_read_only: true, from: {operation: GetOther, path: Both}}}',
    ),
    ['spec.a: string', 'spec.name: string required', 'status.b: integer(int64)'],
  ],
  [
    'what a wrapper of the input leads to is the spec',
    [{ ...name, Options: 'Options' }, {}],
    'operations:\n  CreateThing: {input_wrapper_field_path: options}\n',
    ['spec.inner.mode: string', 'spec.inner: object', 'spec.size: integer(int64)'],
  ],
  [
    'a wrapper may lead through several structures',
    [name, { Options: 'Options', Id: 'String' }],
    'operations:\n  CreateThing: {output_wrapper_field_path: Options.Inner}\n',
    ['spec.name: string required', 'status.mode: string'],
  ],
] as const)
  test(what, () => {
    const small = {
      operations: { CreateThing: [input, output], GetOther: [{ Both: 'String' }, { Both: 'Integer' }] },
      shapes: { Options: structure({ Inner: 'Inner', Size: 'Integer' }), Inner: structure({ Mode: 'String' }) },
    } as const
    assert.deepEqual([...fieldsOf(inferSmall(small, config), 'Thing')].sort(), fields)
  })

const tokens = {
  operations: { CreateThing: [{ ...name, Size: 'Integer' }, {}], TagThing: [{}, {}] },
  shapes: {
    CreateThingRequest: {
      type: 'structure',
      required: ['Name'],
      members: { Name: { shape: 'String' }, Token: { shape: 'String', idempotencyToken: true } },
    },
  },
} as const

for (const [setting, fields] of [
  ['ignore_idempotency_token: true', ['spec.name: string required']],
  ['ignore_idempotency_token: false', ['spec.name: string required', 'spec.token: string']],
] as const)
  test(`with \`${setting}\` the fields are ${fields.join(', ')}`, () =>
    assert.deepEqual(fieldsOf(inferSmall(tokens, resource(setting)), 'Thing'), fields))

for (const [what, output, config, arn, status] of [
  ['the member called ARN', { Arn: 'String', Id: 'String' }, '', 'Arn', ['ID']],
  ['the member called after the resource', { ThingArn: 'String', Id: 'String' }, '', 'ThingArn', ['ID']],
  ['none of another name', { OtherArn: 'String', Id: 'String' }, '', undefined, ['ID', 'OtherARN']],
  [
    'a member by its name in the model, whatever it is renamed to',
    { ThingArn: 'String', Id: 'String' },
    resource('renames: {operations: {CreateThing: {output_fields: {ThingArn: Pointer}}}}'),
    'ThingArn',
    ['ID'],
  ],
  [
    'a member by the name that it is renamed to',
    { Pointer: 'String', Id: 'String' },
    resource('renames: {operations: {CreateThing: {output_fields: {Pointer: Arn}}}}'),
    'Pointer',
    ['ID'],
  ],
] as const)
  test(`the ARN is ${what}`, () => {
    const [kind] = inferSmall({ operations: { CreateThing: [name, output] } }, config).kinds
    assert.deepEqual([kind?.arnMember, [...(kind?.status.keys() ?? [])].sort()], [arn, status])
  })

const other = {
  operations: {
    CreateThing: [
      { ...name, inner: 'Inner', Attributes: 'StringMap' },
      { Id: 'String', ThingArn: 'String' },
    ],
    ReadOther: [{ A: 'String' }, { outer: 'Outer' }],
    MakePart: [{}, {}],
  },
  shapes: {
    Inner: structure({ mode: 'String', Low: 'Low' }),
    Low: structure({ Depth: 'Integer' }),
    Outer: structure({ depth: 'Integer', Low: 'Low' }),
  },
} as const

for (const [entry, messages] of [
  ['Nam: {is_immutable: true}', ['Thing has no field "Nam"; did you mean "Name"?']],
  ['Zebra: {is_immutable: true, is_primary_key: true}', ['Thing has no field "Zebra"']],
  ['Zebra: {is_attribute: true, is_immutable: true, type: string}', []],
  ['ThingArn: {is_immutable: true}', []],
  ['Nobody.More: {type: string}', ['Thing has no field "Nobody"']],
  [
    'More: {from: {operation: ReadOthr, path: A}}',
    ['field "More" of Thing: operation "ReadOthr" does not exist; did you mean "ReadOther"?'],
  ],
  ['More: {from: {operation: ReadOther, path: Aa}}', ['field "More" of Thing: ReadOther has no "Aa" in input or output']],
  [
    'More: {from: {operation: ReadOther, path: Outr.Depth}}',
    ['field "More" of Thing: ReadOther has no "Outr.Depth" in input or output; did you mean "Outer"?'],
  ],
  [
    'More: {from: {operation: ReadOther, path: Outer.Dpth}}',
    ['field "More" of Thing: ReadOther has no "Outer.Dpth" in input or output; did you mean "Depth"?'],
  ],
  [
    'More: {from: {operation: ReadOther, path: Outer.Loww.Depth}}',
    ['field "More" of Thing: ReadOther has no "Outer.Loww.Depth" in input or output; did you mean "Low"?'],
  ],
  ['Low.Deep: {is_attribute: true}', ['Thing has no field "Low"']],
  ['More: {custom_field: {map_of: Outr}}', ['shape "Outr" does not exist; did you mean "Outer"?']],
] as const)
  test(`with \`${entry}\` a model is refused with ${messages.join(' and ') || 'nothing'}`, () => {
    const infer = (): unknown => inferSmall(other, resource(`fields: {${entry}}`), { skew: 'refuse' })
    if (messages.length === 0) assert.doesNotThrow(infer)
    else
      assert.throws(infer, (error: unknown) => {
        assert.ok(error instanceof InferError)
        assert.deepEqual(
          error.message
            .split('\n')
            .slice(0, -1)
            .map(line => line.replace(/^[^:]*:\d+: /, '')),
          messages,
        )
        return true
      })
  })

for (const [entry, warning] of [
  ['Zebra: {is_primary_key: true}', 'Thing has no field "Zebra"'],
  ['Name.Deep: {is_immutable: true}', '"Name.Deep": "Name" has no members'],
  ['Inner.Mode.Deep: {is_immutable: true}', '"Inner.Mode.Deep": "Mode" has no members'],
  ['Inner.Mod: {is_immutable: true}', '"Inner.Mod": Inner has no member "Mod"; did you mean "Mode"?'],
  ['Inner.Low.Zebra: {is_immutable: true}', '"Inner.Low.Zebra": Low has no member "Zebra"'],
  ['Inner.Lo.More: {type: string}', '"Inner.Lo.More": Inner has no member "Lo"'],
] as const)
  test(`\`${entry}\` is warned of: ${warning}`, () => {
    const { warnings } = inferSmall(other, resource(`fields: {${entry}}`), { skew: 'refuse' })
    const said = warnings.map(line => line.replace(/^[^:]*:\d+: /, '')).filter(line => !line.includes('no operation'))
    assert.deepEqual(said, [warning])
  })

for (const [config, message] of [
  [resource('fields: {More: {custom_field: {}}}'), /: custom_field needs "list_of" or "map_of"$/],
  ['operations:\n  CreateThing: {input_wrapper_field_path: Innr}\n', /: "Innr": has no member "Innr"; did you mean "Inner"\?$/],
  ['operations:\n  CreateThing: {input_wrapper_field_path: Inner.Mode}\n', /: "Inner\.Mode": "Mode" is no structure$/],
  ['ignore:\n  shape_names: [CreateThingInput]\n', /^payload "CreateThingInput" is gone: ignore\.shape_names takes it out/],
] as const)
  test(`\`${config}\` is refused: ${message}`, () =>
    assert.throws(() => inferSmall(other, config), { name: 'InferError', message }))

test('two members that would be one field are told by their names in the model', () => {
  const alike = { operations: { CreateThing: [{ vpcId: 'String', VPCId: 'String' }, {}] } } as const
  assert.deepEqual(
    inferSmall(alike).refused.flatMap(({ problems }) => problems.map(({ message }) => message)),
    [
      'Thing: CreateThingRequest.VPCId and CreateThingRequest.vpcId would both be the field "vpcID"; rename one under resources.Thing.renames.operations.CreateThing',
    ],
  )
})

for (const [field, entry, origin] of [
  ['Inner', 'Inner: {is_immutable: true}', 'CreateThingRequest.inner'],
  ['ID', 'Id: {is_immutable: true}', 'CreateThingResponse.Id'],
  ['More', 'More: {from: {operation: ReadOther, path: Outer.Depth}}', 'Outer.depth'],
  ['More', 'More: {from: {operation: ReadOther, path: .}}', 'ReadOtherInput'],
] as const)
  test(`with \`${entry}\` ${field} comes from ${origin}, as the model spells it`, () => {
    const [kind] = inferSmall(other, resource(`fields: {${entry}}`)).kinds
    assert.equal((kind?.spec.get(field) ?? kind?.status.get(field))?.origin.member, origin)
  })

test('a field is described as its member is, and else as the shape of that', () => {
  const described = (text: string) => ({ documentation: `<p>${text}</p>` })
  const small = {
    operations: { CreateThing: [{}, {}], GetOther: [{}, {}] },
    shapes: {
      Said: { type: 'string', ...described('shape') },
      Thing: structure({}, described('thing')),
      Inner: {
        type: 'structure',
        members: { A: { shape: 'Said', ...described('member') }, B: { shape: 'Said' }, C: { shape: 'String' } },
      },
      CreateThingRequest: {
        type: 'structure',
        members: {
          A: { shape: 'Said', ...described('member') },
          B: { shape: 'Said' },
          C: { shape: 'String' },
          Inner: { shape: 'Inner' },
        },
      },
    },
  } as const
  const { kinds, types } = inferSmall(small, resource('fields: {D: {from: {operation: CreateThing, path: A}}}'))
  const told = (fields: ReadonlyMap<string, { readonly documentation?: string }> | undefined) =>
    Object.fromEntries([...(fields ?? [])].map(([camel, { documentation }]) => [camel, documentation]))
  const inner = { A: '<p>member</p>', B: '<p>shape</p>', C: undefined }
  assert.deepEqual(told(kinds[0]?.spec), { ...inner, D: '<p>member</p>', Inner: undefined })
  assert.deepEqual(told(types.fieldsOf('Inner')), inner)
  assert.equal(kinds[0]?.documentation, '<p>thing</p>')
})

test('an attribute of what takes none is refused for that', () =>
  assert.throws(
    () => inferSmall(model, resource('fields: {Delay: {is_attribute: true}}'), { skew: 'refuse' }),
    /: Thing has no field "Delay"; its Create operation has no attributes\n/,
  ))

test('each of several members that a config calls the ARN is taken from the status', () =>
  assert.deepEqual(
    fieldsWith('{Arn: {is_arn: true}, RoleArn: {is_arn: true}}').toSorted(),
    plain.filter(line => !line.startsWith('status.roleARN')).toSorted(),
  ))

test('what a config adds below a field is required of nobody, although a member called so is', () => {
  const small = { operations: { CreateThing: [{ '!Name': 'String', Inner: 'Inner' }, {}] }, shapes: model.shapes } as const
  const { types } = inferSmall(small, resource('fields: {Inner.Name: {type: string}}'))
  assert.equal(types.fieldsOf('Inner').get('Name')?.required, false)
})
