import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError } from '#base'
import { readAwsFlags } from './flags.ts'

const defaults: Readonly<Record<string, string>> = {
  'aws-account-id': '',
  'aws-region': '',
  'aws-identity-endpoint-url': '',
  'http-client-timeout': '60s',
}

function read(
  texts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof readAwsFlags> {
  const values = { text: (name: string) => texts[name] ?? defaults[name] ?? '', boolean: () => false }
  return readAwsFlags(values as unknown as Parameters<typeof readAwsFlags>[0], env)
}

test('the region is the flag, then the variable of tools, then that of SDKs', () => {
  const both = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }
  assert.equal(read({ 'aws-region': 'eu-central-1' }, both).region, 'eu-central-1')
  assert.equal(read({}, both).region, 'eu-west-1')
  assert.equal(read({}, { AWS_DEFAULT_REGION: 'eu-west-2' }).region, 'eu-west-2')
  assert.equal(read({}).region, '')
})

test('a try may take a second or longer, and no less', () => {
  assert.equal(read({ 'http-client-timeout': '1s' }).timeoutMs, 1_000)
  for (const wrong of ['999ms', '0s', 'soon', '']) assert.throws(() => read({ 'http-client-timeout': wrong }), FlagError, wrong)
})

test('an account has twelve digits, and an address of AWS a host', () => {
  assert.equal(read({ 'aws-account-id': '111122223333' }).account, '111122223333')
  assert.throws(() => read({ 'aws-account-id': '11112222333' }), FlagError)
  assert.equal(read({ 'aws-identity-endpoint-url': 'https://sts.local:1' }).identityEndpoint, 'https://sts.local:1')
  for (const wrong of ['sts.local', 'ftp://sts.local', 'https://'])
    assert.throws(() => read({ 'aws-identity-endpoint-url': wrong }), FlagError, wrong)
})
