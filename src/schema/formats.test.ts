import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFormat } from './formats.ts'

const addresses: readonly (readonly [text: string, isMac: boolean, why: string])[] = [
  ['00:00:5e:00:53:01', true, 'six bytes'],
  ['02-00-5e-10-00-00-00-01', true, 'eight bytes, with dashes'],
  [Array.from({ length: 20 }, () => '0a').join(':'), true, 'twenty bytes'],
  ['0000.5e00.5301', true, 'six bytes in pairs, with dots'],
  ['00:00:5e:00:53', false, 'five bytes'],
  ['00:00-5e:00-53:01', false, 'two signs between bytes'],
  ['00:00:5e:00:53:0g', false, 'a letter that is no digit'],
  ['0000.5e00', false, 'two pairs'],
  [`${'00:'.repeat(100)}00`, false, 'longer than any address'],
  ['', false, 'nothing'],
]

for (const [text, isMac, why] of addresses)
  test(`the format mac takes ${JSON.stringify(text.slice(0, 30))} or not: ${why}`, () => {
    assert.equal(hasFormat('mac', text), isMac)
  })
