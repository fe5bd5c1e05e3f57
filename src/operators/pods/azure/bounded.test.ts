// What a caller wrote is repeated to him, and to the log, in part (§5.9): a name may be as long as a body.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, silentLog } from '#base'
import { podOf } from '../testing/azure-rows.ts'
import { openAzure, reviewOf } from '../testing/azure-world.ts'

const long = 'x'.repeat(1_000_000)

for (const [what, read] of [
  ['is not there', 'absent'],
  ['cannot be read', 'hang'],
] as const)
  test(`a ServiceAccount of a long name that ${what} is named in part [§5.9]`, async t => {
    const lines: string[] = []
    const remember: Log['info'] = (message, fields) => void lines.push(message, JSON.stringify(fields))
    const log: Log = { ...silentLog, info: remember, warn: remember, debug: remember }
    const world = await openAzure(t, { log, flags: { 'log-level': 'debug' } })
    world.cluster.read = read
    const pending = world.webhook.exchange({
      method: 'POST',
      target: '/mutate-v1-pod?timeout=10s',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(reviewOf(podOf({ spec: { serviceAccountName: long } })))),
    })
    await world.clock.advance(10_000)
    const answer = Buffer.from((await pending).body as Uint8Array).toString()
    assert.match(answer, /xxx/)
    for (const said of [answer, ...lines]) assert.ok(said.length < 1_000, `${said.length} characters`)
  })
