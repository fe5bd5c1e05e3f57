import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FormNode, formTree, parseForm } from './form.ts'
import { readMultipartForm } from './multipart-form.ts'

for (const [text, form] of [
  ['', {}],
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1&a=2', { a: '1' }],
  ['a', { a: '' }],
  ['a=', { a: '' }],
  ['=1', { '': '1' }],
  ['a=b=c', { a: 'b=c' }],
  ['&a=1&&b=2&', { a: '1', b: '2' }],
  ['a+b=c+d', { 'a b': 'c d' }],
  ['a%20b=c%2Bd', { 'a b': 'c+d' }],
  ['a=100%', { a: '100%' }],
  ['a=%C3%A4', { a: 'ä' }],
] as const) {
  test(`the form ${text || 'of nothing'}`, () => assert.deepEqual(Object.fromEntries(parseForm(text)), form))
}

test('a form has five thousand parameters at most', () => {
  const form = (count: number): string => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')
  assert.equal(parseForm(form(5_000)).size, 5_000)
  for (const count of [5_001, 9_000]) assert.throws(() => parseForm(form(count)), { message: 'more than 5000 parameters' })
})

test('dotted names are a tree of sixteen floors at most', () => {
  const plain = (node: FormNode): unknown => [
    node.value,
    Object.fromEntries([...node.children].map(([name, child]) => [name, plain(child)])),
  ]
  assert.deepEqual(plain(formTree(parseForm('a.1=x&a.2.b=y&a=z'))), [
    undefined,
    { a: ['z', { 1: ['x', {}], 2: [undefined, { b: ['y', {}] }] }] },
  ])
  const deep = (floors: number): string => Array.from({ length: floors }, () => 'a').join('.')
  assert.doesNotThrow(() => formTree(new Map([[deep(16), '']])))
  for (const floors of [17, 40])
    assert.throws(() => formTree(new Map([[deep(floors), '']])), { message: 'parameter names are nested too deeply' })
})

const part = (name: string, value: string, more = ''): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
const readBody = (text: string, type = 'multipart/form-data; boundary=b'): ReturnType<typeof readMultipartForm> =>
  readMultipartForm(type, Buffer.from(text))
const malformed = { code: 'MalformedPOSTRequest', status: 400 }

test('the fields of a form stand before its file, and what is behind the file does not count', () => {
  const { fields, file } = readBody(
    `${part('Key', 'k')}${part('key', 'l')}${part('file', '\r\n--x\r\n', '; filename="f.txt"')}${part('late', 'x')}--b--`,
  )
  assert.deepEqual([...fields], [['key', 'l']])
  assert.deepEqual([file?.name, Buffer.from(file?.body ?? []).toString()], ['f.txt', '\r\n--x\r\n'])
})

test('a form may have no file, a file no name, and a boundary quotes', () => {
  assert.deepEqual(readBody(`${part('a', '1')}--b--`), { fields: new Map([['a', '1']]), file: undefined })
  assert.equal(readBody(`${part('file', 'x')}--b--`, 'multipart/form-data; boundary="b"').file?.name, '')
  assert.deepEqual(readBody('--b--').fields.size, 0)
})

for (const [what, text, type] of [
  ['no boundary', `${part('a', '1')}--b--`, 'multipart/form-data'],
  ['another boundary', `${part('a', '1')}--b--`, 'multipart/form-data; boundary=c'],
  ['no boundary at its beginning', `x${part('a', '1')}--b--`, undefined],
  ['no end', part('a', '1'), undefined],
  ['more behind a boundary', part('a', '1').replace('--b', '--bx') + '--b--', undefined],
  ['no name', `${part('a', '1').replace('name', 'title')}--b--`, undefined],
  ['no empty line', '--b\r\nContent-Disposition: form-data; name="a"\r\n--b--', undefined],
] as const) {
  test(`a form with ${what} is malformed`, () => assert.throws(() => readBody(text, type), malformed))
}

test('the fields before a file have twenty thousand bytes', () => {
  const sized = (size: number): string =>
    `${part('ab', 'x'.repeat(10_000 - 2))}${part('c', 'x'.repeat(size - 10_001))}${part('file', 'x'.repeat(30_000))}--b--`
  assert.equal(readBody(sized(20_000)).file?.body.length, 30_000)
  assert.throws(() => readBody(sized(20_001)), { code: 'MaxPostPreDataLengthExceeded', status: 400 })
})
