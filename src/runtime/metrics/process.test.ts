import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProcessUsage } from '#base'
import { processMetrics } from './process.ts'
import { Metrics } from './registry.ts'

test('a process tells what it uses at each scrape, by the names that every client has, and nothing of what it cannot know', () => {
  const metrics = new Metrics()
  const usage: { -readonly [name in keyof ProcessUsage]: ProcessUsage[name] } = {
    cpuSeconds: 1.5,
    startedSeconds: 1_700_000_000,
    residentBytes: 5,
    heapUsedBytes: 0,
    heapTotalBytes: 4,
    externalBytes: 3,
  }
  processMetrics(metrics, () => usage)
  const lines = (): readonly string[] =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
  const others = [
    'nodejs_external_memory_bytes 3',
    'nodejs_heap_size_total_bytes 4',
    'nodejs_heap_size_used_bytes 0',
    'process_cpu_seconds_total 1.5',
  ]
  assert.deepEqual(lines(), [...others, 'process_resident_memory_bytes 5', 'process_start_time_seconds 1700000000'])
  usage.openFiles = 7
  usage.cpuSeconds = 2
  assert.deepEqual(lines().slice(3, 5), ['process_cpu_seconds_total 2', 'process_open_fds 7'])
})
