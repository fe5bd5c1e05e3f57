// What the flags of the operator come to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFlags } from '#base'
import { flagGroups, readDnsFlags } from './flags.ts'
import type { DnsSettings } from './settings.ts'

function read(args: readonly string[], env: Readonly<Record<string, string>> = {}): DnsSettings {
  const flags = flagGroups.flatMap(group => group.flags)
  return readDnsFlags(parseFlags(flags, args, new Map()), { workers: 1, env })
}

const settingsOf = (...args: readonly string[]): DnsSettings => read(args)

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

test('what no flag says is what the design says [20]', () => {
  const { proxy, ...settings } = settingsOf()
  assert.deepEqual(settings, {
    operatorNamespace: 'external-dns-operator',
    operandNamespace: 'external-dns',
    isPlaced: false,
    image: 'registry.k8s.io/external-dns/external-dns:v0.14.2',
    operandVersion: '0.14.2',
    trustedCaConfigMap: '',
    storageVersion: 'v1beta1',
    servesWebhooks: true,
    detectsPlatform: true,
    requeueMs: 5_000,
    logScanMs: 60_000,
    logScanLines: 200,
    preflightEnabled: true,
    clusterId: '',
    metricsHost: '127.0.0.1',
    perInstanceRbac: false,
    bindingNamespaces: ['external-dns'],
    monitoring: 'none',
    workers: 1,
  })
  assert.deepEqual(Object.values(proxy), [undefined, undefined, undefined])
})

const related = 'RELATED_IMAGE_EXTERNAL_DNS'
const fromEnvironment: readonly (readonly [what: string, settings: DnsSettings, namespace: string, image: string])[] = [
  ['variables', read([], { OPERATOR_NAMESPACE: 'ours', [related]: 'img:1' }), 'ours', 'img:1'],
  ['empty variables', read([], { OPERATOR_NAMESPACE: '', [related]: '' }), 'external-dns-operator', settingsOf().image],
  [
    'flags and variables',
    read(['--operator-namespace=flag', '--externaldns-image=img:2'], { OPERATOR_NAMESPACE: 'ours', [related]: 'img:1' }),
    'flag',
    'img:2',
  ],
]

for (const [what, { operatorNamespace, image }, ...expected] of fromEnvironment)
  test(`with ${what} the operator is in ${expected[0]} with the image ${expected[1]}`, () =>
    assert.deepEqual([operatorNamespace, image], expected))

const refused: readonly (readonly [arg: string, why: RegExp])[] = [
  ['--operand-namespace=A', /--operand-namespace: "A" is no name of a namespace/],
  ['--operator-namespace=', /--operator-namespace: "" is no name of a namespace/],
  ['--binding-namespaces=a,B', /--binding-namespaces: "B" is no name of a namespace/],
  ['--externaldns-image=', /--externaldns-image is empty/],
  ['--operand-version=new', /"new" is no version such as 0.14.2/],
  ['--requeue-period=0', /0 is not between 1 and 3600 seconds/],
  ['--requeue-period=3601', /3601 is not between 1 and 3600 seconds/],
  ['--cluster-id=a b', /has to be of letters/],
  [`--cluster-id=${'x'.repeat(41)}`, /at most 40/],
  ['--dns-storage-version=v1', /"v1" is neither v1beta1 nor v1beta2/],
  ['--dns-monitoring=some', /"some" is neither none nor prometheus/],
]

for (const [arg, why] of refused) test(`${arg.slice(0, 40)} is refused`, () => assert.throws(() => settingsOf(arg), why))

const taken: readonly (readonly [arg: string, name: keyof DnsSettings, value: unknown])[] = [
  ['--requeue-period=1', 'requeueMs', 1_000],
  ['--requeue-period=3600', 'requeueMs', 3_600_000],
  [`--cluster-id=${'x'.repeat(40)}`, 'clusterId', 'x'.repeat(40)],
  ['--dns-storage-version=v1beta2', 'storageVersion', 'v1beta2'],
  ['--dns-monitoring=prometheus', 'monitoring', 'prometheus'],
  ['--operand-namespace=there', 'isPlaced', true],
  ['--operand-namespace=there', 'bindingNamespaces', ['there']],
  ['--binding-namespaces=a,b', 'bindingNamespaces', ['a', 'b']],
]

for (const [arg, name, value] of taken)
  test(`${arg.slice(0, 40)} is taken as ${name}`, () => assert.deepEqual(settingsOf(arg)[name], value))
