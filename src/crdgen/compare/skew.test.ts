import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import type { DifferenceClass } from './diff.ts'
import { judgeSkew } from './skew.ts'

const model: SmallModel = {
  operations: {
    CreateThing: [
      { '!Name': 'String', Opts: 'Opts', Items: 'Items', Choice: 'Choice', SubnetArn: 'String', GroupIds: 'Strings' },
      { Thing: 'ThingData', Beside: 'String' },
    ],
    DescribeThing: [{ Name: 'String' }, { Name: 'String' }],
    CreateOther: [{ Ways: 'Opts' }, {}],
  },
  shapes: {
    Opts: structure({ Mode: 'String' }),
    Items: { type: 'list', member: { shape: 'Item' } },
    Item: structure({ Key: 'String' }),
    Choice: structure({ Left: 'String' }, { union: true }),
    ThingData: structure({ State: 'String' }),
  },
}
const config = `custom_shapes:
  Own: {text: string}
resources:
  Thing:
    renames:
      operations:
        CreateThing:
          input_fields: {Old: Fresh, Mode: Style}
        DescribeThing:
          output_fields: {Former: Latter}
    fields:
      Name: {is_immutable: true}
      Owns: {custom_field: {list_of: Own}}
      Taken: {from: {operation: DescribeThing, path: Gone}}
      Lost: {from: {operation: DescribeLost, path: Gone}}
`
const service = inferSmall(model, config)
const kind = service.kinds.find(each => each.kind === 'Thing')

function proofOf(name: DifferenceClass, path: string, published: readonly string[] = []): string | undefined {
  assert.ok(kind !== undefined)
  return judgeSkew([{ class: name, path }], { service, kind, published: new Set(published) })[0]?.proof
}

const nowhere = 'neither input nor output of CreateThing has a member that is called '

for (const [path, proof] of [
  ['spec.name', undefined],
  ['spec.gone', `${nowhere}gone`],
  ['status.gone.deeper', `${nowhere}gone`],
  ['spec.name.gone', `${nowhere}gone`],
  ['spec.opts.gone', 'shape Opts has no member that is called gone'],
  ['spec.items[].gone', 'shape Item has no member that is called gone'],
  ['spec.choice.gone', 'shape Choice has no member that is called gone'],
  // The model has the member, in the payload or one structure below it: a rule of ours lost the field.
  ['status.name', undefined],
  ['spec.mode', undefined],
  ['status.state', undefined],
  ['spec.opts.mode_', undefined],
  // A reference stands for what it refers to.
  ['spec.nameRef', undefined],
  ['spec.subnetRef', undefined],
  ['spec.groupRefs', undefined],
  ['spec.otherRef', `${nowhere}otherRef`],
  ['spec.group', `${nowhere}group`],
  // What the config renames to it counts, of the input and of the output.
  ['spec.fresh', `${nowhere}fresh or old`],
  ['status.latter', `${nowhere}latter or former`],
  ['spec.style', undefined],
  // What the config says of it decides.
  ['spec.owns[].gone', undefined],
  ['spec.taken', undefined],
  ['spec.lost', 'operation DescribeLost does not exist'],
] as const)
  test(`that ${path} is missing is ${proof === undefined ? 'a failure of ours' : `proved: ${proof}`} [10.1]`, () =>
    assert.equal(proofOf('missing', path), proof))

const onlyHere = (member: string): string => `${member} is in this model and in no published kind`

for (const [path, published, proof] of [
  ['spec.opts', [], onlyHere('CreateThingRequest.Opts')],
  ['status.beside', ['spec.name'], onlyHere('CreateThingResponse.Beside')],
  ['spec.opts.mode', ['spec.opts'], onlyHere('Opts.Mode')],
  ['spec.items[].key', ['spec.items'], onlyHere('Item.Key')],
  // Below what is extra itself, that one is proved.
  ['spec.opts.mode', [], onlyHere('CreateThingRequest.Opts')],
  ['spec.items[].key', [], onlyHere('CreateThingRequest.Items')],
  // The member is published, at this path or at another, of this kind or of another.
  ['status.beside', ['spec.name', 'status.beside'], undefined],
  ['spec.opts.mode', ['spec.opts', 'spec.ways.mode'], undefined],
  // No member of the model, or one of which a config speaks.
  ['spec.gone', [], undefined],
  ['spec.name', [], undefined],
] as const)
  test(`that ${path} is more than ${published.join(' and ') || 'nothing'} is ${proof ?? 'a failure of ours'} [10.1]`, () =>
    assert.equal(proofOf('extra', path, published), proof))

test('a difference of any other class is never a matter of versions [10.1]', () => {
  for (const name of ['type', 'required', 'immutable', 'column', 'name', 'common'] as const)
    assert.equal(proofOf(name, 'spec.gone'), undefined, name)
})
