import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookArguments, webhookStartedAs } from './webhook-name.ts'

for (const [line, flags] of [
  ['node /usr/bin/aws-pod-identity-webhook --port=8443', ['--port=8443']],
  ['node /dist/aws-pod-identity-webhook.js', []],
  ['node /dist/vouch.js webhook aws --port 8443', ['--port', '8443']],
  ['node /dist/vouch.js webhook aws -- --port 8443', ['--port', '8443']],
  ['node /dist/vouch.js webhook audit', undefined],
  ['node /dist/vouch.js webhook', undefined],
  ['node /dist/vouch.js --help webhook aws', undefined],
] as const)
  test(`what was started is ${flags === undefined ? 'not the webhook' : 'the webhook'}: ${line}`, () => {
    assert.deepEqual(webhookArguments(line.split(' ')), flags)
  })

test('its help calls it by the words that started it', () => {
  assert.equal(webhookStartedAs(['node', '/usr/bin/aws-pod-identity-webhook']), 'aws-pod-identity-webhook')
  assert.equal(webhookStartedAs(['node', '/dist/vouch.js', 'webhook', 'aws']), 'vouch webhook aws')
})
