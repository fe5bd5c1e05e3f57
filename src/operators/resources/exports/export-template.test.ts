// Texts with fields and secrets in them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplate } from './export-template.ts'

const rows: readonly (readonly [template: string, parts: readonly string[] | undefined])[] = [
  ['', []],
  ['plain', ['plain']],
  ['{{ .status.a }}', ['<.status.a>']],
  ['{{.a}}{{.b}}', ['<.a>', '<.b>']],
  ['x{{ .a }}y{{ .b }}z', ['x', '<.a>', 'y', '<.b>', 'z']],
  ['postgres://{{ secret "db" "user" }}@host', ['postgres://', '<secret db/user>', '@host']],
  ['{{ secret "db"   "pass.word-1" }}', ['<secret db/pass.word-1>']],
  ['a } b }} c', ['a } b }} c']],
  ['{ .a }', ['{ .a }']],
  ['{{ .a', undefined],
  ['x {{ .a }', undefined],
  ['{{ }}', undefined],
  ['{{ a }}', undefined],
  ['{{ secret "db" }}', undefined],
  ['{{ secret "DB" "user" }}', undefined],
  ['{{ .a }} and {{ b }}', undefined],
  ['x'.repeat(16_384), ['x'.repeat(16_384)]],
  ['x'.repeat(16_385), undefined],
]

for (const [template, parts] of rows) {
  const shown = template.length > 60 ? `one of ${template.length} characters` : JSON.stringify(template)
  test(`the template ${shown} ${parts === undefined ? 'is none' : `has ${parts.length} parts`}`, () => {
    const found = parseTemplate(template)?.map(part =>
      part.kind === 'text' ? part.text : part.kind === 'field' ? `<${part.path}>` : `<secret ${part.name}/${part.key}>`,
    )
    assert.deepEqual(found, parts)
  })
}

test('a field of a template is walked as its path is', () =>
  assert.deepEqual(parseTemplate('{{ .status.list[0] }}'), [
    { kind: 'field', path: '.status.list[0]', steps: ['status', 'list', 0] },
  ]))
