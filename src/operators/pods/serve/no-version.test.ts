// A server that says a version which is none: whoever started the webhook decides what becomes of it, and without a word of theirs it is logged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, drain, type HttpRequest, ManualClock, memoryFiles, seededRandom } from '#base'
import { createKubeClient } from '#kube/client'
import { settingsOf } from '../testing/azure-world.ts'
import { createAzureWebhook, createBothWebhooks } from './azure-webhook.ts'

const problem = 'failed to check kubernetes version: illegal version string "none"'

/** What is told in a moment of running; `with` gives the webhook somebody who is told. */
async function told(which: 'azure' | 'both', isTold: boolean): Promise<readonly (readonly [string, string])[]> {
  const clock = new ManualClock()
  const lines: [string, string][] = []
  const exchange = (request: HttpRequest) =>
    new URL(request.target, 'https://server').pathname === '/version'
      ? Promise.resolve({
          status: 200,
          headers: {},
          body: new TextEncoder().encode('{"major":"1","minor":"1","gitVersion":"none"}'),
        })
      : Promise.reject(new Error('nothing else is here'))
  const client = createKubeClient({ clock, address: 'test', exchange })
  const log = createLogTo({ clock, level: 'error' }, (level, message) => lines.push([level, message]))
  const seams = { clock, random: seededRandom(1), log, files: memoryFiles() }
  const onFatal = (error: Error): void => void lines.push(['told', error.message])
  const common = { client, seams, ...(isTold ? { onFatal } : {}) }
  const azure = settingsOf({})
  const webhook =
    which === 'both'
      ? createBothWebhooks({ ...common, aws: {}, azure }).azure
      : createAzureWebhook({ ...common, settings: azure })
  const stop = new AbortController()
  const running = webhook.run(stop.signal)
  await drain()
  stop.abort(new Error('the test ends'))
  await clock.advance(0)
  await running
  return lines
}

for (const which of ['azure', 'both'] as const)
  for (const isTold of [true, false])
    test(`the webhook for ${which === 'both' ? 'both clouds' : 'Azure'} ${isTold ? 'tells whoever asked for it' : 'logs it'}`, async () => {
      assert.deepEqual(await told(which, isTold), [[isTold ? 'told' : 'error', problem]])
    })
