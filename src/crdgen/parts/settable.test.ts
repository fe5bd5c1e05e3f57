// Which fields can be set after the creation, and by what.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel } from '../infer/model.fixture.ts'
import { settableFields } from './settable.ts'

const id = { '!ThingName': 'String' }

function counted(operations: SmallModel['operations'], config = '') {
  const made: SmallModel['operations'] = {
    CreateThing: [{ ...id, Colour: 'String', Size: 'Integer', RoleArn: 'String', SubnetIds: 'Strings', Note: 'String' }],
  }
  const service = inferSmall({ operations: { ...made, ...operations } }, `resources:\n  Thing:\n${config}`)
  const [kind] = service.kinds
  assert.ok(kind)
  return settableFields(service, kind)
}

test('a field that no update and no part sets can be set by nothing', () => {
  const { settable, ...by } = counted({}, '    fields: {}\n')
  assert.deepEqual(settable, ['Colour', 'Note', 'RoleARN', 'Size', 'SubnetIDs', 'ThingName'])
  assert.deepEqual(by, { byUpdate: [], byParts: [], parts: [] })
})

test('what a rule makes immutable and what refers to another object is not counted, one reference or several', () => {
  const fields = [
    'Colour: {is_immutable: true}',
    'RoleArn: {references: {resource: Role, path: Status.ARN}}',
    'SubnetIds: {references: {resource: Subnet, path: Status.ID}}',
  ]
  const { settable } = counted({}, `    fields:\n${fields.map(each => `      ${each}\n`).join('')}`)
  assert.deepEqual(settable, ['Note', 'RoleARN', 'Size', 'SubnetIDs', 'ThingName'])
})

for (const [what, operations] of [
  ['an update', { UpdateThing: [{ ...id, Tint: 'String', Size: 'Integer' }] }],
  ['a replacement', { CreateOrUpdateThing: [{ ...id, Tint: 'String', Size: 'Integer' }] }],
  ['what sets attributes', { SetThingAttributes: [{ ...id, Tint: 'String', Size: 'Integer' }] }],
  ['two of them', { UpdateThing: [{ ...id, Tint: 'String' }], SetThingAttributes: [{ ...id, Size: 'Integer' }] }],
] as const)
  test(`what ${what} takes under the name of the model or of the field is set by it, and not counted as a part's`, () => {
    const renamed = '    renames:\n      operations:\n        CreateThing: {input_fields: {Colour: Tint, Size: Length}}\n'
    const put: SmallModel['operations'] = { PutThingSize: [{ ...id, Size: 'Integer', '!Note': 'String' }] }
    const { byUpdate, byParts, parts } = counted({ ...(operations as SmallModel['operations']), ...put }, renamed)
    assert.deepEqual([...byUpdate].sort(), ['Length', 'ThingName', 'Tint'])
    assert.deepEqual(byParts, ['Note'])
    assert.equal(parts.length, 1)
  })
