// What the flags of the operator come to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '#base'
import { flagGroups, readDnsFlags } from './flags.ts'

function hostOf(bind: string): string {
  const flags = flagGroups.flatMap(group => group.flags)
  return readDnsFlags(parseFlags(flags, [`--operand-metrics-bind=${bind}`], new Map()), { workers: 1, env: {} }).metricsHost
}

test('operands serve their metrics on loopback, on all addresses or on the one that is given, and on nothing else', () => {
  assert.deepEqual(['loopback', 'all', '127.9.8.7', '::1'].map(hostOf), ['127.0.0.1', '', '127.9.8.7', '[::1]'])
  for (const wrong of ['everywhere', 'constructor', '127.0.0.1:80', '[::1]', ''])
    assert.throws(() => hostOf(wrong), {
      message: `--operand-metrics-bind: ${JSON.stringify(wrong)} is neither loopback nor all, nor an address`,
    })
})
