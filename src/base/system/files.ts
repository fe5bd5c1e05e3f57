import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileInfo, Files, WriteFileOptions } from '../seams/files.ts'

/** The machine's own files. Errors name the path and what was tried. */
export const systemFiles: Files = {
  read: path => unlessMissing(tell('read', path, readFile(path)), undefined),
  write: (path, bytes, options) => tell('write', path, replace(path, bytes, options)),
  openAppend: async (path, options) => {
    const handle = await tell('open', path, open(path, 'a', options?.mode ?? 0o600))
    return {
      append: bytes => tell('append to', path, writeAll(handle, bytes)),
      sync: () => tell('sync', path, handle.datasync()),
      close: () => handle.close(),
    }
  },
  info: path => unlessMissing(tell('look at', path, describe(path)), undefined),
  list: async folder => [...(await unlessMissing(tell('list', folder, readdir(folder)), []))].sort(),
  makeFolder: async (path, { mode = 0o700 } = {}) => {
    await tell('make', path, mkdir(path, { recursive: true, mode }))
  },
  rename: (from, to) => tell('rename', from, rename(from, to)),
  remove: path => tell('remove', path, rm(path, { recursive: true, force: true })),
}

/** The new file has its mode from its first byte on and takes the old one's place at once, when it is whole and on the disk. */
async function replace(
  path: string,
  bytes: Uint8Array | string,
  { mode = 0o600, draftPrefix }: WriteFileOptions = {},
): Promise<void> {
  const draft = draftPrefix === undefined ? `${path}.${randomUUID()}.new` : join(dirname(path), `${draftPrefix}${randomUUID()}`)
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      // The process's umask may have taken bits away that were asked for.
      await handle.chmod(mode)
      await handle.writeFile(bytes)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

async function describe(path: string): Promise<FileInfo> {
  const found = await stat(path)
  return { bytes: found.size, modifiedMs: found.mtimeMs, kind: found.isDirectory() ? 'folder' : 'file' }
}

async function tell<T>(what: string, path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/, .*$/, '') : String(error)
    throw Object.assign(new Error(`cannot ${what} ${path}: ${detail}`, { cause: error }), { code: codeOf(error) })
  }
}

async function unlessMissing<T, N>(work: Promise<T>, missing: N): Promise<T | N> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return missing
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
