// What the flags of the operator come to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '#base'
import { flagGroups, readDnsFlags } from './flags.ts'
import type { DnsSettings } from './settings.ts'

function settingsOf(...args: readonly string[]): DnsSettings {
  const flags = flagGroups.flatMap(group => group.flags)
  return readDnsFlags(parseFlags(flags, args, new Map()), { workers: 1, env: {} })
}

const hostOf = (bind: string): string => settingsOf(`--operand-metrics-bind=${bind}`).metricsHost

test('operands serve their metrics on loopback, on all addresses or on the one that is given, and on nothing else', () => {
  assert.deepEqual(['loopback', 'all', '127.9.8.7', '::1'].map(hostOf), ['127.0.0.1', '', '127.9.8.7', '[::1]'])
  for (const wrong of ['everywhere', 'constructor', '127.0.0.1:80', '[::1]', ''])
    assert.throws(() => hostOf(wrong), {
      message: `--operand-metrics-bind: ${JSON.stringify(wrong)} is neither loopback nor all, nor an address`,
    })
})

test('a ConfigMap of authorities whose name is empty or blank is none [21.7]', () => {
  const named = ['', '  ', 'bundle'].map(name => settingsOf(`--trusted-ca-configmap=${name}`).trustedCaConfigMap)
  assert.deepEqual(named, ['', '', 'bundle'])
})
