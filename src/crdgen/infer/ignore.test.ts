// What a config leaves out of a model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, inferSmall, structure } from './model.fixture.ts'

const model = {
  operations: {
    CreateThing: [
      { '!Name': 'String', Inner: 'Inner', Inners: 'Inners', Deep: 'Deep', Named: 'Named', Kept: 'Strings' },
      { Made: 'Timestamp' },
    ],
  },
  shapes: {
    Inner: structure({ Mode: 'String' }),
    Inners: { type: 'list', member: { shape: 'Inner' } },
    Deep: { type: 'list', member: { shape: 'Inners' } },
    Named: { type: 'map', key: { shape: 'String' }, value: { shape: 'Inners' } },
  },
} as const

test('with a shape that is left out go the lists and maps of it, and those of them, and nothing else', () => {
  const all = ['spec.deep', 'spec.inner', 'spec.inners', 'spec.kept', 'spec.name', 'spec.named']
  const namesOf = (config: string): readonly string[] =>
    fieldsOf(inferSmall(model, config), 'Thing')
      .map(line => line.split(':')[0] ?? '')
      .filter(path => /^spec\.\w+$/.test(path))
      .toSorted()
  assert.deepEqual(namesOf(''), all)
  assert.deepEqual(namesOf('ignore: {shape_names: [Inner]}\n'), ['spec.kept', 'spec.name'])
  assert.deepEqual(namesOf('ignore: {shape_names: [Inners]}\n'), ['spec.inner', 'spec.kept', 'spec.name'])
  assert.deepEqual(namesOf('ignore: {shape_names: [Deep]}\n'), [
    'spec.inner',
    'spec.inners',
    'spec.kept',
    'spec.name',
    'spec.named',
  ])
})

for (const [entry, warning] of [
  ['shape_names: [Inner]', undefined],
  ['shape_names: [Inne]', 'Inne: no shape "Inne"; did you mean "Inner"?'],
  ['field_paths: [Inner.Mode]', undefined],
  ['field_paths: [Inner]', 'Inner: names a shape and no member; use ignore.shape_names to leave out a shape'],
  ['field_paths: [Inner.Mod]', 'Inner.Mod: "Mod" is no member of Inner; did you mean "Mode"?; nothing is left out'],
  [
    'field_paths: [CreateThingInput.Inners.Mode]',
    'CreateThingInput.Inners.Mode: Inners is a list, so nothing is left out; to leave "Mode" out of its elements, put ".Inner" before it',
  ],
  [
    'field_paths: [CreateThingInput.Named.Mode]',
    'CreateThingInput.Named.Mode: Named is a map, so nothing is left out; to leave "Mode" out of its elements, put ".Inners" before it',
  ],
  ['field_paths: [CreateThingInput.Name.Mode]', 'CreateThingInput.Name.Mode: String is a string, so nothing is left out'],
  [
    'field_paths: [CreateThingInput.Inne.Mode]',
    'CreateThingInput.Inne.Mode: "Inne" is no member of CreateThingInput; nothing is left out',
  ],
] as const)
  test(`\`${entry}\` is told of with ${warning ?? 'nothing'}`, () => {
    const { warnings } = inferSmall(model, `ignore:\n  ${entry}\n`, { skew: 'refuse' })
    const said = warnings.filter(each => each.startsWith('generator.yaml'))
    assert.deepEqual(said, warning === undefined ? [] : [`generator.yaml:2: ${warning}`])
  })
