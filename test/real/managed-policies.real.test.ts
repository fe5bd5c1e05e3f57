// The managed policies of AWS that the emulator knows are those that moto recorded from IAM.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { text } from '../../src/emulator/policy/aws-policies.gen.ts'
import { policyNames, recordedPolicies, renderPolicies } from './programs/managed-policies.ts'
import { pythonEnvironment } from './programs/python.ts'

const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false

test('the file of managed policies is what `npm run managed-policies -- --write` makes', { skip }, () => {
  assert.ok(!('missing' in python))
  const file = join(import.meta.dirname, '../../src/emulator/policy/aws-policies.gen.ts')
  assert.equal(readFileSync(file, 'utf8'), renderPolicies(recordedPolicies(python), policyNames(text)))
})
