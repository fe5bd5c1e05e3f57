// What no schema can state, in which words it is refused, and that what is told mends it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from './model.fixture.ts'

const shapes: NonNullable<SmallModel['shapes']> = {
  Doc: structure({}, { document: true }),
  Docs: { type: 'list', member: { shape: 'Doc' } },
  Feed: structure({ A: 'String' }, { eventstream: true }),
  Empty: structure({}),
  Inner: structure({ Deep: 'Docs', Name: 'String' }),
  Outer: structure({ Inner: 'Inner', Name: 'String' }),
  Holder: structure({ Nothing: 'Empty', Name: 'String' }),
  House: structure({ Holder: 'Holder' }),
  Tree: structure({ Branch: 'Branch', Name: 'String' }),
  Branch: structure({ Trees: 'Trees', Name: 'String' }),
  Trees: { type: 'list', member: { shape: 'Tree' } },
  Wood: structure({ Tree: 'Tree' }),
  Alike: structure({ VpcId: 'String', VPCId: 'String' }),
  Thing: structure({ Name: 'String', Doc: 'Doc' }),
}

function problems(operations: SmallModel['operations'], config = ''): readonly string[] {
  const { refused } = inferSmall({ operations, shapes }, config)
  return refused.flatMap(each => each.problems.map(({ message }) => message))
}

/** The pieces of config that a message tells, each on its own. */
function fixesIn(message: string): readonly string[] {
  const fixes = [...message.matchAll(/\n((?: *\w+:\n)+ *- [\w.]+)$/gm)].map(([, fix = '']) => fix.replaceAll(/^ {2}/gm, ''))
  assert.ok(fixes.length > 0)
  return fixes
}

const leave = (path: string): string => `leave it out:\n  ignore:\n    field_paths:\n    - ${path}`
const from = (path: string): string =>
  `resources:\n  Thing:\n    fields:\n      Extra: {from: {operation: GetThing, path: ${path}}}\n`

for (const [what, create, message, config = ''] of [
  [
    'a document of the input',
    [{ Name: 'String', Doc: 'Doc' }],
    `Thing: doc: holds a document, which a schema cannot state; ${leave('CreateThingInput.Doc')}`,
  ],
  [
    'a stream of the input',
    [{ Name: 'String', Feed: 'Feed' }],
    `Thing: feed: holds an event stream, which a schema cannot state; ${leave('CreateThingInput.Feed')}`,
  ],
  [
    'documents beside others of the output',
    [{ Name: 'String' }, { Id: 'String', Docs: 'Docs' }],
    `Thing: docs: holds a document, which a schema cannot state; ${leave('CreateThingOutput.Docs')}`,
  ],
  [
    'a document in the one structure of the output',
    [{ Name: 'String' }, { Thing: 'Thing' }],
    `Thing: doc: holds a document, which a schema cannot state; ${leave('Thing.Doc')}`,
  ],
  [
    'a document that the config takes from another operation',
    [{ Name: 'String' }],
    `Thing: extra: holds a document, which a schema cannot state; ${leave('Thing.Doc')}`,
    from('Thing.Doc'),
  ],
  [
    'documents two structures below',
    [{ Outer: 'Outer' }],
    `Thing: outer.Inner.Deep: holds a document, which a schema cannot state; ${leave('Inner.Deep')}`,
  ],
] as const)
  test(`${what} refuse the kind, and the path that is told mends it`, () => {
    const operations: SmallModel['operations'] = { CreateThing: create, GetThing: [{}, { Thing: 'Thing' }] }
    assert.deepEqual(problems(operations, config), [message])
    for (const fix of fixesIn(message)) assert.deepEqual(problems(operations, `${fix}\n${config}`), [], fix)
  })

for (const [what, fields, messages] of [
  [
    'a structure that holds itself by another',
    { Wood: 'Wood' },
    [
      'Thing: Tree.Branch.Trees: a Tree would contain itself; leave out the member that closes the circle:\n  ignore:\n    field_paths:\n    - Branch.Trees',
    ],
  ],
  [
    'a structure without members at the top',
    { Nothing: 'Empty', Name: 'String' },
    [
      'Thing: nothing: structure "Empty" has no members; say that it is a map of text:\n  empty_shapes:\n  - Empty\nor leave it out:\n  ignore:\n    shape_names:\n    - Empty',
    ],
  ],
  [
    'a structure without members two structures below',
    { Name: 'String', House: 'House' },
    [
      'Thing: house.Holder.Nothing: structure "Empty" has no members; say that it is a map of text:\n  empty_shapes:\n  - Empty\nor leave it out:\n  ignore:\n    shape_names:\n    - Empty\nor leave out the member:\n  ignore:\n    field_paths:\n    - Holder.Nothing',
    ],
  ],
  [
    'two members of one name in a structure',
    { Alike: 'Alike' },
    [
      'Thing: Alike: member "VpcId" would have the name of another member; leave one out:\n  ignore:\n    field_paths:\n    - Alike.VpcId',
    ],
  ],
] as const)
  test(`${what} refuses the kind, and what is told mends it`, () => {
    const operations: SmallModel['operations'] = { CreateThing: [fields], DeleteThing: [{}] }
    assert.deepEqual(problems(operations), messages)
    for (const fix of messages.flatMap(fixesIn)) assert.deepEqual(problems(operations, fix), [], fix)
  })

test('what is wrong with a structure is told once, wherever it is', () => {
  const operations: SmallModel['operations'] = {
    CreateThing: [{ Here: 'Holder', There: 'Holder', Inner: 'Inner', Void: 'Empty' }],
  }
  const told = problems(operations).map(message => message.split(':')[1]?.trim())
  assert.deepEqual(told, ['here.Nothing', 'inner.Deep'])
})
