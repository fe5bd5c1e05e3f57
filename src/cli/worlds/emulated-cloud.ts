// What the commands share that serve an emulated cloud: its authority in a file, its state kept while it runs, its ports.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { InvalidArgumentError } from 'commander'
import type { DataFile } from '../files/data-file.ts'
import { warn } from '../frame/print.ts'

/** The certificate that clients of `--tls` are to trust; command lines and SDKs take it as a file. */
export async function authorityFile(pem: string, cloud: string): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), `vouch-${cloud}-`))
  const path = join(folder, 'ca.pem')
  await writeFile(path, pem)
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A crash loses at most what changed in this time. */
const saveIntervalMs = 5_000

export async function untilStopped(snapshot: () => string, file: DataFile | undefined, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(saveIntervalMs, undefined, { signal }).catch(() => {})
    // A full disk may have room again at the next write, and what is served does not depend on the file.
    await file
      ?.save(snapshot())
      .catch((error: unknown) => warn(`warning: ${error instanceof Error ? error.message : String(error)}`))
  }
}

export function whyNotServed(error: unknown, command: string, flags = '--port'): string {
  const { code, address, port, message } = error as NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }
  return code === 'EADDRINUSE'
    ? `${address}:${port} is taken; is another \`${command}\` running? Choose with ${flags}, 0 takes a free one.`
    : message
}

export function readPort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('a port is a whole number from 0 to 65535')
}
