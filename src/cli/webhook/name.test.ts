import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startedWebhook } from './name.ts'

for (const [line, started] of [
  ['node /usr/bin/aws-pod-identity-webhook --port=8443', ['aws', ['--port=8443'], 'aws-pod-identity-webhook']],
  ['node /dist/aws-pod-identity-webhook.js', ['aws', [], 'aws-pod-identity-webhook']],
  ['node /dist/vouch.js webhook aws --port 8443', ['aws', ['--port', '8443'], 'vouch webhook aws']],
  ['node /dist/vouch.js webhook aws -- --port 8443', ['aws', ['--port', '8443'], 'vouch webhook aws']],
  ['node /usr/bin/azure-workload-identity-webhook --port=9443', ['azure', ['--port=9443'], 'azure-workload-identity-webhook']],
  ['node /dist/vouch.js webhook azure --log-level=info', ['azure', ['--log-level=info'], 'vouch webhook azure']],
  ['node /dist/vouch.js webhook both --aws.port=8443', ['both', ['--aws.port=8443'], 'vouch webhook both']],
  ['node /dist/vouch.js webhook audit', undefined],
  ['node /dist/vouch.js webhook', undefined],
  ['node /dist/vouch.js --help webhook aws', undefined],
] as const)
  test(`what was started is ${started === undefined ? 'no webhook' : `${started[0]}, and is called as it was started`}: ${line}`, () => {
    const found = startedWebhook(line.split(' '))
    assert.deepEqual(found === undefined ? undefined : [found.kind, found.flags, found.called], started)
  })
