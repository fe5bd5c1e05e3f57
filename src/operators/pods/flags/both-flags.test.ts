import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBothPrograms } from './both-flags.ts'

const env = { AZURE_TENANT_ID: 'tenant' }

for (const [given, message] of [
  ['--aws.port=70000', /^--aws\.port is a port/],
  ['--azure.port=70000', /^--azure\.port is a port/],
  ['--azure.metrics-backend=none', /^--azure\.metrics-backend:/],
  ['--aws.aws-partition=aws', /^--aws\.aws-partition needs --aws\.aws-account-id$/],
  ['--azure.tls-min-version=9', /^--azure\.tls-min-version/],
  ['--log-format=xml', /^--log-format is text or json/],
] as const)
  test(`what is wrong with ${given} is told by the name that was given`, () => {
    assert.throws(() => readBothPrograms([given], env), { name: 'FlagError', message })
  })

test('flags without effect are named as they were given', () => {
  assert.deepEqual(readBothPrograms(['--aws.logtostderr=false'], env).aws.ignored, ['aws.logtostderr'])
})
