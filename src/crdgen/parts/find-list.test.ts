// Which of several lists shows the resources of a kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { listOf } from './find-list.ts'

const id = { '!ThingName': 'String' }
const names = [{}, { Names: 'Strings' }] as const
const others = [{}, { Things: 'Others' }] as const
const bare = [{}, { Things: 'Bare', NextToken: 'String' }] as const
const full = [{}, { Things: 'Full' }] as const
const get = { GetThing: [id, {}] } as const
const attributes = { GetThingAttributes: [id, {}] } as const

for (const [what, list, operations, config = ''] of [
  ['without a list there is none', undefined, {}],
  ['the later by name is the list', 'ListThings', { ...get, DescribeThings: full, ListThings: full }],
  ['a list of names alone gives way to one of resources', 'DescribeThings', { ...get, DescribeThings: bare, ListThings: names }],
  [
    'a list of resources of which it tells no field is one of resources',
    'ListThings',
    { ...get, DescribeThings: full, ListThings: others },
  ],
  [
    'a list of names alone gives way to one of resources of which that tells no field',
    'DescribeThings',
    { ...get, DescribeThings: others, ListThings: names },
  ],
  [
    'a list of names alone gives way to no other list of names',
    'GetThings',
    { ...get, DescribeThings: names, GetThings: full, ListThings: names },
  ],
  ['where all tell names alone the later stays', 'ListThings', { ...get, DescribeThings: names, ListThings: names }],
  [
    'a list of names alone gives way to no list of another kind',
    'ListThings',
    { ...get, DescribeParts: full, ListThings: names },
  ],
  [
    'a list that the config ignores is none',
    'ListThings',
    { ...get, DescribeThings: full, ListThings: names },
    'ignore:\n  operations: [DescribeThings]\n',
  ],
  [
    'a list that the config names stays, whatever it tells',
    'ListThings',
    { ...get, DescribeThings: full, ListThings: names },
    'operations:\n  ListThings: {operation_type: [List], resource_name: [Thing]}\n',
  ],
  [
    'where attributes are read, what tells most does not count',
    'ListThings',
    { ...attributes, DescribeThings: full, ListThings: bare },
  ],
  ['where a read reads it, what tells most does not count', 'ListThings', { ...get, DescribeThings: full, ListThings: bare }],
  ['where nothing else reads it, the list tells most', 'DescribeThings', { DescribeThings: full, ListThings: bare }],
  [
    'where nothing else reads it, the later of two that tell the same stays',
    'ListThings',
    { DescribeThings: full, ListThings: full },
  ],
] as const)
  test(what, () => {
    const made: SmallModel['operations'] = { CreateThing: [{ ...id, Colour: 'String' }, { State: 'String' }] }
    const service = inferSmall(
      {
        operations: { ...made, ...(operations as unknown as SmallModel['operations']) },
        shapes: {
          Full: { type: 'list', member: { shape: 'FullThing' } },
          Bare: { type: 'list', member: { shape: 'BareThing' } },
          Others: { type: 'list', member: { shape: 'Other' } },
          FullThing: structure({ ThingName: 'String', Colour: 'String', State: 'String', Age: 'Integer' }),
          BareThing: structure({ ThingName: 'String', Age: 'Integer', Size: 'Integer', Weight: 'Integer' }),
          Other: structure({ Age: 'Integer' }),
        },
      },
      config,
    )
    const [kind] = service.kinds
    assert.ok(kind)
    assert.equal(listOf(service, kind), list)
  })
