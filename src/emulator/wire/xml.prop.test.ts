import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { escapeXml, MalformedXml, parseXml } from './xml.ts'

test('text survives being escaped and read again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      assert.equal(parseXml(`<a>${escapeXml(text)}</a>`).text, text)
    }),
  )
})

test('attributes, CDATA, comments, prefixes and both quotes are read', () => {
  const source = `<?xml version="1.0"?><!-- c --><x:Grant xmlns:x="u" xsi:type='Group'>a<!-- c --><![CDATA[<&]]>&#x41;<B/></x:Grant>`
  const { name, attributes, text, children } = parseXml(source)
  assert.deepEqual(
    { name, attributes, text },
    { name: 'Grant', attributes: { 'xmlns:x': 'u', 'xsi:type': 'Group' }, text: 'a<&A' },
  )
  assert.deepEqual(children, [{ name: 'B', attributes: {}, children: [], text: '' }])
})

for (const source of [
  '',
  '<a>',
  '<a></b>',
  '<a/><b/>',
  '<!DOCTYPE a><a/>',
  '<a>&nbsp;</a>',
  '<a>&#0;</a>',
  'a',
  '<a b></a>',
  '<a>&</a>',
]) {
  test(`${JSON.stringify(source)} is malformed`, () => {
    assert.throws(() => parseXml(source), MalformedXml)
  })
}

test('depth is bounded', () => {
  assert.throws(() => parseXml('<a>'.repeat(10_000)), /too deeply/)
})

test('any text is read or refused as malformed, nothing else', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[<>/a&;!\-'"= ?\]]{0,40}$/), source => {
      try {
        parseXml(source)
      } catch (error) {
        assert.ok(error instanceof MalformedXml)
      }
    }),
  )
})
