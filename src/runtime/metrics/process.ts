// The process itself as metrics, by the names that every Prometheus client uses and dashboards know.
import type { ProcessUsage } from '#base'
import { countTo, type Metrics } from './registry.ts'

/** Metrics of the process, whose figures are read at each scrape. */
export function processMetrics(metrics: Metrics, usage: () => ProcessUsage): void {
  const cpu = metrics.counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.')
  const gauges = {
    startedSeconds: metrics.gauge('process_start_time_seconds', 'Start time of the process since unix epoch in seconds.'),
    residentBytes: metrics.gauge('process_resident_memory_bytes', 'Resident memory size in bytes.'),
    heapUsedBytes: metrics.gauge('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.'),
    heapTotalBytes: metrics.gauge('nodejs_heap_size_total_bytes', 'Process heap size from Node.js in bytes.'),
    externalBytes: metrics.gauge('nodejs_external_memory_bytes', 'Node.js external memory size in bytes.'),
    openFiles: metrics.gauge('process_open_fds', 'Number of open file descriptors.'),
  } as const
  metrics.collect(() => {
    const seen = usage()
    countTo(cpu, seen.cpuSeconds)
    for (const [name, gauge] of Object.entries(gauges)) {
      const value = seen[name as keyof typeof gauges]
      if (value !== undefined) gauge.set(value)
    }
  })
}
