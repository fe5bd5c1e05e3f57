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

test('an entry is known by the kind or by the resource, its note stands behind the description, and one of no kind is told of', () => {
  const dns = {
    operations: { CreateDnsName: [{ '!Name': 'String' }, {}], CreateOther: [{ '!Name': 'String' }, {}] },
    shapes: { DnsName: structure({}, { documentation: '<p>A name.</p>' }) },
  } as const
  const notesOf = (name: string) => {
    const documentation = readDocumentationConfig(
      `resources:\n  ${name}:\n    note: Noted.\n    fields:\n      Name: {append: x}\n`,
    )
    const { kinds, warnings } = inferSmall(dns, '', { documentation })
    const told = kinds.map(({ kind, spec, documentation: note }) => [kind, note, spec.get('Name')?.documentation])
    return { told, said: warnings.filter(warning => warning.startsWith('documentation: ')) }
  }
  const told = [
    ['DNSName', '<p>A name.</p><p>Noted.</p>', '<p>x</p>'],
    ['Other', undefined, undefined],
  ]
  assert.deepEqual(notesOf('DNSName'), { told, said: [] })
  assert.deepEqual(notesOf('DnsName'), { told, said: [] })
  assert.deepEqual(notesOf('DnsNam').said, ['documentation: "DnsNam" is no kind; did you mean "DNSName"?'])
})
