// How fast many objects are made: as fast as AWS lets us, whether it tells its limits or has none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import { type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

const roles = 40

async function makeAll(world: ResourceWorld): Promise<{ readonly tookMs: number; stop(): Promise<unknown> }> {
  const run = world.start()
  const beganMs = world.clock.monotonicMs()
  for (let index = 0; index < roles; index++)
    await world.create('Role', `r${index}`, { name: `r${index}`, assumeRolePolicyDocument: trust() })
  const isReady = async (index: number): Promise<boolean> =>
    findCondition((await world.get('Role', `r${index}`))?.status?.conditions, 'Ready')?.status === 'True'
  await world.settle()
  for (let index = 0; index < roles; index++) while (!(await isReady(index))) await world.advance(1_000)
  const tookMs = world.clock.monotonicMs() - beganMs
  return { tookMs, stop: () => run.stop() }
}

test('where nobody throttles, many roles are made without a pause', async () => {
  await using world = resourceWorld({ resourceTags: [] })
  const { tookMs, stop } = await makeAll(world)
  assert.ok(tookMs <= 2_000, `${tookMs} ms`)
  await stop()
})

test('where IAM throttles, the first refusals teach the pace, few calls are wasted, and none at rest', async () => {
  await using world = resourceWorld({ resourceTags: [], awsOptions: { knobs: { throttling: 'all' } } })
  const { tookMs, stop } = await makeAll(world)
  const calls = world.aws.calls.all()
  const throttled = calls.filter(call => call.throttled)
  assert.ok(
    throttled.length > 0 && throttled.length <= calls.length * 0.2,
    `${throttled.length} of ${calls.length} were throttled`,
  )
  // Five writes a second are all that there is.
  assert.ok(tookMs < (roles / 5) * 3 * 1_000, `${tookMs} ms`)
  await world.advance(12 * 3_600_000)
  const atRest = world.aws.calls.all().slice(calls.length)
  assert.ok(atRest.length >= roles, 'each was looked at again')
  assert.equal(atRest.filter(call => call.throttled).length, 0)
  await stop()
})
