import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastProcessorMs } from './least-processor-ms.fixture.ts'

function holdProcessor(ms: number): void {
  for (const before = process.threadCpuUsage(); process.threadCpuUsage(before).user < ms * 1_000; ) Math.sqrt(ms)
}

test('work that needs long each time is over its limit, on a slow machine too', () => {
  assert.ok(leastProcessorMs(() => holdProcessor(400), 20) > 20)
})

test('one long take among short ones does not count', () => {
  let takes = 0
  assert.ok(leastProcessorMs(() => holdProcessor(takes++ === 0 ? 200 : 1), 100) <= 100)
  assert.equal(takes, 2)
})
