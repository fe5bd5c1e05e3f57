// What an owner writes to the descriptions of a kind's fields.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDocumentationConfig } from '../config/read-config.ts'
import { inferSmall, structure } from './model.fixture.ts'

const model = {
  operations: { CreateThing: [{ '!Name': 'String', Inner: 'Inner' }, { Made: 'Timestamp' }] },
  shapes: { Inner: structure({ Mode: 'String' }) },
} as const

function described(field: string, edit: string) {
  const documentation = readDocumentationConfig(`resources:\n  Thing:\n    fields:\n      ${field}: ${edit}\n`)
  const { kinds, types, warnings } = inferSmall(model, '', { documentation })
  const [kind] = kinds
  assert.ok(kind !== undefined)
  const inner = kind.spec.get('Inner')?.type
  const fields = [kind.spec, kind.status, ...(inner?.kind === 'structure' ? [types.fieldsOf(inner.shape)] : [])]
  const told = fields.flatMap(map => [...map].flatMap(([name, one]) => (one.documentation ? [[name, one.documentation]] : [])))
  const said = warnings.filter(warning => warning.startsWith('documentation: '))
  return { told: Object.fromEntries(told) as Readonly<Record<string, string>>, said }
}

for (const [field, edit, told] of [
  ['Name', '{prepend: before}', { Name: '<p>before</p>' }],
  ['Name', '{append: behind}', { Name: '<p>behind</p>' }],
  ['Name', '{prepend: before, append: behind}', { Name: '<p>before</p><p>behind</p>' }],
  ['Name', '{prepend: before, override: instead}', { Name: '<p>instead</p>' }],
  ['Name', '{override: "a < b & c > d\\n\\nmore"}', { Name: '<p>a &lt; b &amp; c &gt; d</p><p>more</p>' }],
  ['spec.Name', '{append: behind}', { Name: '<p>behind</p>' }],
  ['Made', '{append: behind}', { Made: '<p>behind</p>' }],
  ['Inner.Mode', '{append: behind}', { Mode: '<p>behind</p>' }],
] as const)
  test(`${field} is described by ${edit}`, () => assert.deepEqual(described(field, edit), { told, said: [] }))

for (const field of ['Nobody', 'Name.Mode', 'Inner.Nobody', 'Inner.Mode.Deep'])
  test(`${field}, which is no field, is told of`, () =>
    assert.deepEqual(described(field, '{append: behind}'), {
      told: {},
      said: [`documentation: Thing has no field "${field}"`],
    }))
