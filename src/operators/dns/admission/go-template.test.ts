import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedLabelLength, templateProblem } from './go-template.ts'

const [open, closed, noEnd] = ['an action has no closing brackets', undefined, 'an action is not ended']

for (const [text, problem] of [
  ['', closed],
  ['plain.example.com', closed],
  ['{{.Name}}.example.com', closed],
  ['{{ .Name }}-{{ $x }}', closed],
  ['{{.Name}', open],
  ['{{', open],
  ['{{"}}', open],
  ['{{"}}"}}', closed],
  ['{{`}}`}}', closed],
  ["{{'}}'}}", closed],
  ['{{/* a comment }} */}}', closed],
  ['{{ "a\\"b" }}', closed],
  ['{{ lower .Name }}', 'function "lower" is not defined'],
  ['{{ toLower .Name | trimSuffix "x" }}', closed],
  ['{{ .Name }}{{ lower }}', 'function "lower" is not defined'],
  ['{{if .A}}a{{end}}', closed],
  ['{{if .A}}a{{else}}b{{end}}', closed],
  ['{{if .A}}{{range .B}}{{end}}{{end}}', closed],
  ['{{if .A}}{{range .B}}{{end}}', noEnd],
  ['{{if .A}}a', noEnd],
  ['{{end}}', 'an end ends nothing'],
  ['{{if .A}}{{end}}{{end}}', 'an end ends nothing'],
  ['{{with .A}}x{{end}}{{range .B}}y{{end}}', closed],
  ['{{ nil }}{{ true }}', closed],
  ['{{.if}}', closed],
  ['{{{.Name}}', closed],
] as const)
  test(`the template ${text === '' ? 'without a word' : text} is ${problem === undefined ? 'one' : `none: ${problem}`}`, () =>
    assert.equal(templateProblem(text), problem))

for (const [text, length] of [
  ['', 0],
  ['abc.example.com', 3],
  ['a{{.Name}}bc.example.com', 3],
  ['{{ "x.y" }}ab.c', 2],
] as const)
  test(`the fixed text of the first label of ${text === '' ? 'nothing' : text} has ${length} characters`, () =>
    assert.equal(fixedLabelLength(text), length))
