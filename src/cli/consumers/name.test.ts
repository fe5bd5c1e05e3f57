import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startedConsumer } from './name.ts'

for (const [line, expected] of [
  ['node /plugins/aws-remote-irsa-credential-process --region=a', ['credential-process', ['--region=a'], true]],
  ['node /aws-irsa-sidecar.js check --token-file=t', ['sidecar', ['check', '--token-file=t'], true]],
  ['node /dist/vouch.js credential-process --region a', ['credential-process', ['--region', 'a'], false]],
  ['node /dist/vouch.js sidecar', ['sidecar', [], false]],
  ['node /dist/vouch.js --help sidecar', undefined],
  ['node /dist/vouch.js', undefined],
] as const)
  test(`what was started is ${expected === undefined ? 'no consumer' : expected[0]}: ${line} [11.3, 11.4]`, () => {
    const started = startedConsumer(line.split(' '))
    assert.deepEqual(started && [started.kind, started.args, started.standsIn], expected)
    if (started !== undefined)
      assert.equal(
        started.called,
        expected?.[2]
          ? line
              .split(/[ /]+/)
              .find(word => word.startsWith('aws-'))
              ?.replace('.js', '')
          : `vouch ${started.kind}`,
      )
  })
