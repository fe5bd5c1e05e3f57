import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NumberText } from '#base'
import { asConverted } from './converted.ts'

const trouble = (from: string, to: string): string =>
  `json: cannot unmarshal ${from} into Go struct field Spec.spec.a of type ${to}`

const rows: readonly (readonly [from: string, to: string, wanted: string | undefined, told: string])[] = [
  ['number', 'v1.RestartPolicy', 'string', 'cannot convert int64 to v1.RestartPolicy'],
  ['bool', 'v1.RestartPolicy', 'string', 'unrecognized type: string'],
  ['array', 'string', 'string', 'unrecognized type: string'],
  ['number', 'string', 'string', 'cannot convert int64 to string'],
  ['number 1.5', 'int32', 'int32', 'cannot convert float64 to int32'],
  ['string', 'int32', 'int32', 'unrecognized type: int32'],
  ['number', 'bool', 'boolean', 'unrecognized type: bool'],
  ['object', 'v1.ResourceList', 'map', 'cannot restore map from map'],
  ['array', 'map[string]string', 'map', 'cannot restore map from slice'],
  ['number', 'v1.ExtraValue', 'list', 'cannot restore slice from int64'],
  ['number', '[]uint8', 'bytes', 'cannot restore slice from int64'],
  ['string', 'v1.PodSpec', 'struct', 'cannot restore struct from: string'],
  ['string', 'v1.ObjectMeta', undefined, 'cannot restore struct from: string'],
  ['number 1.5', 'int32', 'int-or-string', 'json: cannot unmarshal number 1.5 into Go value of type int32'],
  ['bool', 'string', 'time', 'json: cannot unmarshal bool into Go value of type string'],
  ['number', 'string', 'micro-time', 'json: cannot unmarshal number into Go value of type string'],
]

for (const [from, to, wanted, told] of rows)
  test(`${from} where ${to} is wanted is told by who converts it`, () => {
    assert.equal(asConverted(trouble(from, to), wanted), told)
  })

test('a fraction for a text is no number that can be converted', () => {
  const sent = (a: unknown) => (): unknown => ({ spec: { a } })
  assert.equal(asConverted(trouble('number', 'string'), 'string', sent(new NumberText('1.5'))), 'unrecognized type: string')
  assert.equal(asConverted(trouble('number', 'string'), 'string', sent(1)), 'cannot convert int64 to string')
})

test('of bytes it is told from what they were read; anything else is left as it is', () => {
  assert.equal(
    asConverted('illegal base64 data at input byte 2', undefined),
    'error decoding from json: illegal base64 data at input byte 2',
  )
  assert.equal(asConverted('quantities must match', undefined), 'quantities must match')
})
