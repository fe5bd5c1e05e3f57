import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsSpec } from '../api/spec.ts'
import { bindingPolicy } from './wanted.ts'

const policyIn = (region: string, own?: string): string => {
  const aws = own === undefined ? {} : { region: own }
  const spec = { provider: { type: 'AWS', aws } } as unknown as DnsSpec
  return JSON.stringify(bindingPolicy(spec, ['Z1'], region))
}

test('the zones of a binding are those of the partition of its region, the isolated and the sovereign ones too', () => {
  const rows = [
    ['eu-west-1', 'aws'],
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
    ['us-iso-east-1', 'aws-iso'],
    ['us-isob-east-1', 'aws-iso-b'],
    ['eusc-de-east-1', 'aws-eusc'],
  ] as const
  for (const [region, partition] of rows) assert.match(policyIn(region), new RegExp(`"arn:${partition}:route53:::hostedzone/Z1"`))
})

test('the region of the object goes before that of the operator', () => {
  assert.match(policyIn('eu-west-1', 'cn-north-1'), /"arn:aws-cn:route53:::hostedzone\/Z1"/)
})
