// `vouch aws` would spend three quarters of its start on compiling its 250 files and stripping their types. So Node is told to keep the
// results. It knows a file by its text, and compiles a changed file anew.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Node writes at the end of the process, which a server that is killed never comes to. By then a command has started. */
const writeAfterMs = 2_000

/** For what is imported from now on; the commands import their rooms when they run. */
export function keepCompiled(): void {
  const folder = cacheFolder()
  // A folder that cannot be written only means that nothing is kept.
  if (folder !== undefined) enableCompileCache(folder)
  setTimeout(flushCompileCache, writeAfterMs).unref()
}

/** Not the machine's temporary folder, which would be Node's choice: what is executed must not lie where others may write. */
function cacheFolder(): string | undefined {
  const { NODE_COMPILE_CACHE: chosen, XDG_CACHE_HOME: caches } = process.env
  if (chosen !== undefined) return chosen
  try {
    return join(caches ?? join(homedir(), '.cache'), 'vouch', 'compile')
  } catch {
    // A container may run as a user that the system does not know.
    return undefined
  }
}
