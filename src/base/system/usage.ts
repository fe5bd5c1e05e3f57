import { readdirSync } from 'node:fs'
import type { ProcessUsage } from '../seams/seams.ts'

/** What this process has taken of the machine so far. */
export function systemUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const openFiles = countOpenFiles()
  return {
    cpuSeconds: (user + system) / 1e6,
    startedSeconds: performance.timeOrigin / 1_000,
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    externalBytes: external,
    ...(openFiles === undefined ? {} : { openFiles }),
  }
}

function countOpenFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    // Only Linux tells.
    return undefined
  }
}
