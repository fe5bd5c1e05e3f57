// Who builds a program into the cache outside the checkout holds a lock on it, so that two test processes do not build the same at once, each at
// half the speed. The lock is a file that names its owner; one whose owner has ended is taken over.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** How long until a waiting process looks again: a build takes seconds to minutes. */
const lookAgainMs = 500

/** Waits until nobody else holds the lock; returns what lets it go. `onWait` is called once, when somebody else holds it. */
export async function lock(path: string, onWait: () => void = () => undefined): Promise<() => void> {
  for (let waited = 0; ; waited++) {
    const unlock = takeLock(path)
    if (unlock !== undefined) return unlock
    if (waited === 0) onWait()
    await new Promise(resolve => setTimeout(resolve, lookAgainMs))
  }
}

/** The same for whoever may not give way to other work of its process meanwhile. */
export function lockBlocking(path: string, onWait: () => void = () => undefined): () => void {
  for (let waited = 0; ; waited++) {
    const unlock = takeLock(path)
    if (unlock !== undefined) return unlock
    if (waited === 0) onWait()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, lookAgainMs)
  }
}

/** What lets the lock go, or nothing while another process holds it. */
export function takeLock(path: string): (() => void) | undefined {
  mkdirSync(dirname(path), { recursive: true })
  const mine = `${path}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    if (!isAlive(ownerOf(path))) removeUnowned(path)
    return linked(mine, path) ? () => rmSync(path, { force: true }) : undefined
  } finally {
    rmSync(mine, { force: true })
  }
}

/** A hard link appears with its content, and only where nothing is: nobody ever reads a lock without its owner. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Moved away before it is removed: what another process has put there in the meantime is put back. */
function removeUnowned(path: string): void {
  const aside = `${path}.of-${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return // There is none, or another process was faster.
  }
  if (isAlive(ownerOf(aside))) linked(aside, path)
  rmSync(aside, { recursive: true, force: true })
}

function ownerOf(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined || !Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process is there, and another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
