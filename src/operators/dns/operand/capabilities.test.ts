import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingCapability, parseOperandVersion, versionArgs } from './capabilities.ts'

for (const [text, version] of [
  ['0.14.2', [0, 14, 2]],
  ['v0.14.2', [0, 14, 2]],
  ['0.15', [0, 15, 0]],
  ['1.2.3-rc1+x', [1, 2, 3]],
  ['0.14.2.1', undefined],
  ['14', undefined],
  ['new', undefined],
  ['', undefined],
] as const)
  test(`${JSON.stringify(text)} is ${version === undefined ? 'no version' : version.join(', ')}`, () =>
    assert.deepEqual(parseOperandVersion(text), version))

const infoblox = 'the provider Infoblox is gone since ExternalDNS 0.15.0, and this is'
const rows: readonly (readonly [version: string, argument: string, missing: string | undefined])[] = [
  ['0.12.9', '--aws-assume-role-external-id=x', 'an external id needs ExternalDNS 0.13.0 or newer, and this is 0.12.9'],
  ['0.13.0', '--aws-assume-role-external-id=x', undefined],
  ['0.13.4', '--ingress-class=x', 'a filter by the class of an Ingress needs ExternalDNS 0.13.5 or newer, and this is 0.13.4'],
  ['0.13.5', '--ingress-class=x', undefined],
  ['0.14.99', '--provider=infoblox', undefined],
  ['0.15.0', '--provider=infoblox', `${infoblox} 0.15.0`],
  ['1.0.0', '--provider=infoblox', `${infoblox} 1.0.0`],
  ['0.9.0', '--provider=infoblox', undefined],
  ['1.0.0', '--provider=aws', undefined],
  ['0.1.0', '--something=else', undefined],
  ['odd', '--ingress-class=x', undefined],
]

for (const [version, argument, missing] of rows)
  test(`version ${version} ${missing === undefined ? 'takes' : 'does not take'} ${argument}`, () =>
    assert.equal(missingCapability(version, ['--source=service', argument]), missing))

test('from 0.22.0 on the operand is told the prefix of annotations that all before it had', () => {
  const prefix = ['--annotation-prefix=external-dns.alpha.kubernetes.io/']
  assert.deepEqual(['0.21.9', '0.22.0', '0.23.0', '1.0.0', 'odd'].map(versionArgs), [[], prefix, prefix, prefix, []])
})
