// Other ways to make a resource than its creation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel } from '../infer/model.fixture.ts'
import { makingsOf } from './find-makings.ts'

const id = { '!ThingName': 'String' }
const made = { ThingName: 'String', ThingArn: 'String' } as const
const of = (operation: string, ...names: readonly string[]): string =>
  names.map(name => `      ${name}: {from: {operation: ${operation}, path: ${name}}}\n`).join('')

for (const [what, makings, operations, fields, more = ''] of [
  [
    'a field that a restoration takes makes it',
    [{ operation: 'RestoreThing', fields: ['Snapshot'] }],
    { RestoreThing: [{ ...id, Snapshot: 'String' }, made] },
    of('RestoreThing', 'Snapshot'),
  ],
  [
    'of the fields that one way takes, what it is made from decides',
    [{ operation: 'RestoreThing', fields: ['SnapshotARN', 'SourceName'] }],
    { RestoreThing: [{ ...id, SourceName: 'String', SnapshotArn: 'String', Speed: 'String' }, made] },
    of('RestoreThing', 'SourceName', 'SnapshotArn', 'Speed'),
  ],
  [
    'one thing that it is made from decides alone',
    [{ operation: 'RestoreThing', fields: ['SnapshotID'] }],
    { RestoreThing: [{ ...id, SnapshotId: 'String', Speed: 'String' }, made] },
    of('RestoreThing', 'SnapshotId', 'Speed'),
  ],
  [
    'without anything that it is made from all fields decide',
    [{ operation: 'RestoreThing', fields: ['Moment', 'Speed'] }],
    { RestoreThing: [{ ...id, Speed: 'String', Moment: 'String' }, made] },
    of('RestoreThing', 'Speed', 'Moment'),
  ],
  [
    'several ways are in the order of their names, each as it is called on the wire',
    [
      { operation: 'CopyThing', fields: ['SourceID'] },
      { operation: 'restoreThing', fields: ['SnapshotID'] },
    ],
    { restoreThing: [{ ...id, SnapshotId: 'String' }, made], CopyThing: [{ ...id, SourceId: 'String' }, made] },
    of('RestoreThing', 'SnapshotId') + of('CopyThing', 'SourceId'),
  ],
  ['the creation itself is no other way', [], {}, of('CreateThing', 'Colour')],
  ['what sets a field is no way to make it', [], { PutThing: [{ ...id, Note: 'String' }, made] }, of('PutThing', 'Note')],
  [
    'what answers otherwise makes something else',
    [],
    { RestoreThing: [{ ...id, Snapshot: 'String' }, { ThingName: 'String' }] },
    of('RestoreThing', 'Snapshot'),
  ],
  [
    'what takes no tags, where the creation does, leaves no mark',
    [],
    { CreateThing: [{ ...id, Tags: 'StringMap' }, made], RestoreThing: [{ ...id, Snapshot: 'String' }, made] },
    of('RestoreThing', 'Snapshot'),
  ],
  [
    'what takes no tags under the name of the config, where the creation does, leaves no mark',
    [],
    { CreateThing: [{ ...id, Marks: 'StringMap' }, made], RestoreThing: [{ ...id, Snapshot: 'String' }, made] },
    of('RestoreThing', 'Snapshot'),
    '    tags: {path: Marks.Items}\n',
  ],
  [
    'what takes tags as the creation does makes it',
    [{ operation: 'RestoreThing', fields: ['Snapshot'] }],
    {
      CreateThing: [{ ...id, Tags: 'StringMap' }, made],
      RestoreThing: [{ ...id, Snapshot: 'String', Tags: 'StringMap' }, made],
    },
    of('RestoreThing', 'Snapshot'),
  ],
] as const)
  test(what, () => {
    const created: SmallModel['operations'] = { CreateThing: [{ ...id, Colour: 'String' }, made] }
    const service = inferSmall(
      { operations: { ...created, ...(operations as SmallModel['operations']) } },
      `resources:\n  Thing:\n    fields:\n${fields}${more}`,
    )
    const [kind] = service.kinds
    assert.ok(kind)
    assert.deepEqual(makingsOf(service, kind), makings)
  })
