import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsClients, staticCredentials } from '#aws/client'
import { ManualClock, seededRandom } from '#base'
import { createResourcesOperator, ExcludedError } from './create-operator.ts'
import type { ResourcesOptions } from './options.ts'

const clock = new ManualClock()
const options: ResourcesOptions = {
  services: ['iam'],
  aws: new AwsClients({
    credentials: staticCredentials({ accessKeyId: 'a', secretAccessKey: 's' }),
    transport: { exchange: () => Promise.reject(new Error('nothing is called')), close: () => Promise.resolve() } as never,
    clock,
    random: seededRandom(1),
  }),
  home: { account: '111122223333', partition: 'aws', region: 'eu-west-1' },
  nowMs: () => clock.now(),
}

for (const [what, more, isRefused] of [
  ['the gate of selectors beside role mappings', { gates: { IAMRoleSelector: true }, carm: true }, true],
  ['the gate of selectors without role mappings', { gates: { IAMRoleSelector: true }, carm: false }, false],
  ['role mappings with the gate of selectors shut', { gates: { IAMRoleSelector: false }, carm: true }, false],
  ['role mappings with the gate of selectors unset', { carm: true }, false],
] as const)
  test(`${what} ${isRefused ? 'is refused' : 'is taken'}`, () => {
    const make = () => createResourcesOperator({ ...options, ...more })
    if (isRefused) assert.throws(make, ExcludedError)
    else assert.ok(make().controllers.length > 0)
  })
