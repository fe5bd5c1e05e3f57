// `vouch dev --watch`: applies the files of the quickstart again when one of them changes.
import { watch } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { quickstartFolder } from './quickstart.ts'
import type { Screen } from './screen.ts'
import { applyAgain } from './story.ts'
import type { DevWorld } from './world.ts'

/** An editor saves in several steps; what comes within this time is one change. */
const settleMs = 200

export async function watchFiles(world: DevWorld, screen: Screen, signal: AbortSignal): Promise<void> {
  screen.line('done', `watching ${quickstartFolder}`)
  const changed = new Set<string>()
  const applying = new AbortController()
  const work = applyWhatChanged(world, screen, changed, AbortSignal.any([signal, applying.signal]))
  try {
    for await (const { filename } of watch(quickstartFolder, { recursive: true, signal })) {
      if (filename?.endsWith('.yaml') ?? true) changed.add(filename ?? 'a file')
    }
  } catch (error) {
    if (!signal.aborted) screen.line('failed', `watching the files ended: ${String(error)}`)
  } finally {
    applying.abort()
    await work
  }
}

async function applyWhatChanged(world: DevWorld, screen: Screen, changed: Set<string>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(settleMs, undefined, { signal }).catch(() => {})
    if (signal.aborted || changed.size === 0) continue
    screen.line('done', `changed: ${[...changed].join(', ')}`)
    changed.clear()
    try {
      await applyAgain(world, screen, signal)
    } catch (error) {
      // A file that is half written or wrong is reported; the next change of it is tried again.
      if (!signal.aborted) screen.line('failed', error instanceof Error ? error.message : String(error))
    }
  }
}
