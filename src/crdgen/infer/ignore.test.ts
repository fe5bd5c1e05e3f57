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
