import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NumberText } from '#base'
import { bodyBytesMax, bodyFormat, decodeText, goKind, mediaType, parseBody, readBody } from './body.ts'

async function* pieces(...sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield await Promise.resolve(Buffer.alloc(size, size))
}

test('a body is read up to three megabytes, in one piece or in many', async () => {
  assert.equal(bodyBytesMax, 3_145_728)
  assert.deepEqual(await readBody(null), new Uint8Array(0))
  const whole = new Uint8Array(bodyBytesMax)
  assert.equal(await readBody(whole), whole)
  assert.equal((await readBody(pieces(bodyBytesMax - 1, 1))).byteLength, bodyBytesMax)
  assert.deepEqual(await readBody(pieces(1, 2)), Buffer.from([1, 2, 2]))
  assert.deepEqual(await readBody(pieces(3)), Buffer.from([3, 3, 3]))
  assert.deepEqual(await readBody(pieces()), Buffer.from([]))
  const tooLarge = { message: 'Request entity too large: limit is 3145728' }
  assert.throws(() => readBody(new Uint8Array(bodyBytesMax + 1)), tooLarge)
  await assert.rejects(async () => readBody(pieces(bodyBytesMax, 1)), tooLarge)
})

for (const [type, custom, format] of [
  [undefined, false, 'json'],
  ['', true, 'json'],
  ['application/json', true, 'json'],
  [' Application/JSON ; charset=utf-8', false, 'json'],
  ['application/yaml', true, 'yaml'],
  ['application/vnd.kubernetes.protobuf', false, 'protobuf'],
  ['application/vnd.kubernetes.protobuf', true, undefined],
  ['text/plain', false, undefined],
] as const)
  test(`a body of ${type ?? 'no type'} is ${format ?? 'nothing'} for a ${custom ? 'custom' : 'built-in'} kind`, () => {
    if (format !== undefined) assert.equal(bodyFormat(type, custom), format)
    else
      assert.throws(
        () => bodyFormat(type, custom),
        /application\/json, application\/yaml, application\/vnd\.kubernetes\.protobuf/,
      )
  })

test('a media type is what stands before the parameters', () => {
  assert.equal(mediaType('a/B ; c=d;e'), 'a/b')
  assert.equal(mediaType(undefined), '')
})

for (const [value, kind] of [
  [1, 'number'],
  [1n, 'number'],
  [[], 'array'],
  [true, 'bool'],
  ['', 'string'],
] as const)
  test(`a value of type ${typeof value} (${Array.isArray(value)}) is for Go of kind ${kind}`, () => {
    assert.equal(goKind(value), kind)
  })

const bytes = (text: string): Uint8Array => Buffer.from(text)

test('a number that is kept by its text is a number for Go', () => {
  assert.equal(goKind(new NumberText('1.0')), 'number')
})

test('what comes twice in a body is found, with the text that it came in', () => {
  const twice = '{"a":1,"b":{"c":1,"c":2},"a":2}'
  assert.deepEqual(parseBody(bytes(twice), 'json'), {
    value: { a: 2, b: { c: 2 } },
    hasNumberTexts: false,
    duplicates: ['b.c', 'a'],
    text: twice,
  })
  assert.deepEqual(parseBody(bytes('{"a":1.0}'), 'json', 'texts'), {
    value: { a: new NumberText('1.0') },
    hasNumberTexts: true,
    duplicates: [],
  })
  assert.deepEqual(parseBody(bytes('a: 1'), 'yaml'), { value: { a: 1 }, isSorted: true, duplicates: [] })
})

test('no mark of the order of bytes stands before JSON, and bytes that are no text are told as such', () => {
  assert.throws(() => parseBody(bytes('\ufeff{}'), 'json'), { message: "invalid character 'ï' looking for beginning of value" })
  assert.deepEqual(parseBody(Uint8Array.from([0x22, 0xff, 0x22]), 'json').value, '\ufffd')
  assert.equal(parseBody(bytes('{"a":1,"a":2}'), 'json').text, '{"a":1,"a":2}')
})

test('null is as good as an empty object, and nothing else is', () => {
  assert.deepEqual(decodeText(bytes('null'), 'json').value, {})
  assert.deepEqual(decodeText(bytes(''), 'yaml').value, {})
  const why = 'json: cannot unmarshal array into Go value of type map[string]interface {}'
  assert.throws(() => decodeText(bytes('[]'), 'json', 'before: '), { message: `before: ${why}` })
  assert.throws(() => decodeText(bytes('- a'), 'yaml', 'before: '), {
    message: `before: error unmarshaling JSON: while decoding JSON: ${why}`,
  })
  assert.throws(() => decodeText(bytes('a: b: c'), 'yaml', 'before: '), /^\w*: ?before: error converting YAML to JSON: yaml: /)
})
