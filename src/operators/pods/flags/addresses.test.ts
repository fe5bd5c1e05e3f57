import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError } from '#base'
import { addressOf } from './addresses.ts'
import { readAwsProgram } from './settings.ts'

for (const [text, address] of [
  ['', undefined],
  [':8080', { host: '', port: 8_080 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ['127.0.0.1:65535', { host: '127.0.0.1', port: 65_535 }],
  ['[::1]:443', { host: '::1', port: 443 }],
  ['[]:443', { host: '', port: 443 }],
] as const)
  test(`${JSON.stringify(text)} is ${address === undefined ? 'no address' : `port ${address.port} of ${address.host || 'all addresses'}`}`, () => {
    assert.deepEqual(addressOf('--health-addr', text), address)
  })

for (const text of [':65536', '8080', 'localhost', '::1:443', '[::1]', 'localhost:x', ':-1', ':100000'])
  test(`${text} is refused as an address, with the flag`, () => {
    assert.throws(
      () => addressOf('--health-addr', text),
      error => error instanceof FlagError && error.message === `--health-addr is host:port or :port, not ${text}`,
    )
  })

test('ports go from 0 to 65535', () => {
  const portOf = (text: string): number => readAwsProgram([`--port=${text}`]).serving.port
  assert.deepEqual([portOf('0'), portOf('65535')], [0, 65_535])
  for (const text of ['-1', '65536'])
    assert.throws(() => portOf(text), { message: `--port is a port from 0 to 65535, not ${text}` })
})
