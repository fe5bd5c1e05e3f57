// Which members of an operation's input say whose it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel } from '../infer/model.fixture.ts'
import { type Addresses, addressesOf } from './addresses.ts'

const id = { '!ReplicaKeyName': 'String' }

function addresses(operations: SmallModel['operations'], field = ''): Addresses {
  const config = field === '' ? '' : `resources:\n  ReplicaKey:\n    fields:\n      ${field}\n`
  const created = {
    CreateReplicaKey: [
      { ...id, Colour: 'String' },
      { ReplicaKeyId: 'String', Pointer: 'String' },
    ],
  } as const
  const service = inferSmall({ operations: { ...created, ...operations } }, config)
  const [kind] = service.kinds
  assert.ok(kind)
  return addressesOf(service, kind)
}

for (const [member, names, common] of [
  ['Name', true, true],
  ['id', true, true],
  ['Arn', true, true],
  ['identifier', true, true],
  ['resource_arn', true, true],
  ['ReplicaKey', true, false],
  ['replica-key-name', true, false],
  ['ReplicaKeyId', true, false],
  ['ReplicaKeyIdentifier', true, false],
  ['KeyId', true, false],
  ['KeyARN', true, false],
  ['EyId', false, false],
  ['OtherId', false, false],
  ['Key', false, false],
  ['KeyColour', false, false],
  ['Colour', false, false],
  ['Pointer', false, false],
] as const)
  test(`${member} ${names ? 'names' : 'does not name'} a ReplicaKey${common ? ', as it might name anything' : ''}`, () => {
    const { isIdentity, isAddress, isCommon } = addresses({})
    assert.deepEqual([isIdentity(member), isAddress(member), isCommon(member)], [names, names, common])
  })

test('what a config calls the primary key or the ARN names the resource', () => {
  assert.ok(addresses({}, 'Colour: {is_primary_key: true}').isIdentity('Colour'))
  assert.ok(!addresses({}, 'Colour: {is_primary_key: false}').isIdentity('Colour'))
  assert.ok(addresses({}, 'Pointer: {is_arn: true}').isIdentity('Pointer'))
})

const list = { ListReplicaKeys: [{ '!Account': 'String', Alias: 'String' }, {}] } as const

for (const [what, operations, told] of [
  ['its deletion', { DeleteReplicaKey: [{ ...id, Zone: 'String' }] }, ['Zone']],
  ['its read', { GetReplicaKey: [{ ...id, Zone: 'String' }, {}] }, ['Zone']],
  ['the read of its attributes', { GetReplicaKeyAttributes: [{ ...id, Zone: 'String' }, {}] }, ['Zone']],
  ['nothing but its update', { UpdateReplicaKey: [{ ...id, Zone: 'String' }] }, []],
  ['its list, where nothing else reads it', list, ['Account', 'Alias']],
  ['its list, if need be, where a read reads it', { ...list, GetReplicaKey: [id, {}] }, ['Account']],
  ['its list, if need be, where attributes are read', { ...list, GetReplicaKeyAttributes: [id, {}] }, ['Account']],
] as const)
  test(`what is told to ${what} says where it is, and does not name it`, () => {
    const { isAddress, isIdentity } = addresses(operations)
    const members = ['Zone', 'Account', 'Alias']
    assert.deepEqual([members.filter(isAddress), members.filter(isIdentity)], [told, []])
  })
