import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childrenOf, DerError, readNode, readNodes, readOid } from './der-read.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

test('an object identifier is read by its arcs, those of several bytes and of the third tree too', () => {
  for (const [hex, oid] of [
    ['06092a864886f70d01010b', '1.2.840.113549.1.1.11'],
    ['06082a8648ce3d030107', '1.2.840.10045.3.1.7'],
    ['0603551d11', '2.5.29.17'],
    ['0603883703', '2.999.3'],
    ['06012a', '1.2'],
    ['06014f', '1.39'],
    ['060150', '2.0'],
  ] as const)
    assert.equal(readOid(readNode(bytes(hex))), oid, hex)
})

test('only what is constructed has children', () => {
  assert.deepEqual(
    childrenOf(readNode(bytes('3006020101020102')), 'list').map(({ content }) => content[0]),
    [1, 2],
  )
  assert.throws(() => childrenOf(readNode(bytes('020101')), 'list'), DerError)
  assert.throws(() => childrenOf(undefined, 'list'), /no list where one belongs/)
})

test('a length is believed as far as there are bytes, in its short and its long form', () => {
  assert.equal(readNode(bytes('0401ff')).content.length, 1)
  assert.equal(readNode(bytes(`048180${'00'.repeat(128)}`)).content.length, 128)
  assert.equal(readNode(bytes(`04820100${'00'.repeat(256)}`)).whole.length, 260)
  assert.equal(readNode(bytes('048400000001ff')).content.length, 1, 'four digits are as many as there may be')
  for (const [hex, why] of [
    ['04', /cut short/],
    ['0402ff', /cut short/],
    ['048180', /cut short/],
    ['0480', /definite or absurd/],
    ['04850000000001ff', /definite or absurd/],
    ['1f0101', /tags of several bytes/],
  ] as const)
    assert.throws(() => readNode(bytes(hex)), why, hex)
})

test('values that follow one another are read to the last byte', () => {
  assert.deepEqual(
    readNodes(bytes('0201010400020102')).map(({ tag, content }) => [tag, ...content]),
    [[2, 1], [4], [2, 2]],
  )
  assert.deepEqual(readNodes(bytes('')), [])
  assert.throws(() => readNodes(bytes('02010104')), DerError)
})
