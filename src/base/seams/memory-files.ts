// Files that live in memory: for tests and the simulator. A power cut can be played: what was not synced is gone.
import type { AppendFile, FileInfo, Files } from './files.ts'

interface Entry {
  readonly bytes: Uint8Array
  readonly syncedBytes: number
  readonly mode: number
  readonly modifiedMs: number
}

export interface MemoryFiles extends Files {
  /** Everything appended since the last sync is lost, as after a power cut. */
  cutPower(): void
  modeOf(path: string): number | undefined
}

/** An empty file system. `now` dates the files; the default leaves them at 0. */
export function memoryFiles(initial: Readonly<Record<string, string>> = {}, now: () => number = () => 0): MemoryFiles {
  const entries = new Map<string, Entry>()
  const folders = new Set<string>()
  const put = (path: string, bytes: Uint8Array, mode: number): void => {
    entries.set(path, { bytes, syncedBytes: bytes.length, mode, modifiedMs: now() })
  }
  const isFolder = (path: string): boolean =>
    folders.has(path) || [...entries.keys(), ...folders].some(name => name.startsWith(`${path}/`))
  for (const [path, text] of Object.entries(initial)) put(path, new TextEncoder().encode(text), 0o600)
  return {
    read: async path => {
      const entry = entries.get(path)
      return entry && Uint8Array.from(entry.bytes)
    },
    write: async (path, bytes, options) => {
      if (isFolder(path)) throw new Error(`cannot write ${path}: it is a folder`)
      put(path, typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes), options?.mode ?? 0o600)
    },
    openAppend: async (path, options) => {
      if (!entries.has(path)) put(path, new Uint8Array(0), options?.mode ?? 0o600)
      return appendTo(entries, path, now)
    },
    info: async (path): Promise<FileInfo | undefined> => {
      const entry = entries.get(path)
      if (entry !== undefined) return { bytes: entry.bytes.length, modifiedMs: entry.modifiedMs, kind: 'file' }
      return isFolder(path) ? { bytes: 0, modifiedMs: 0, kind: 'folder' } : undefined
    },
    list: async folder => {
      const below = [...entries.keys(), ...folders].filter(path => path.startsWith(`${folder}/`))
      return [...new Set(below.map(path => path.slice(folder.length + 1).split('/')[0] ?? ''))].sort()
    },
    makeFolder: async path => {
      folders.add(path)
    },
    rename: async (from, to) => {
      const entry = entries.get(from)
      if (entry === undefined) throw new Error(`cannot rename ${from}: there is no such file`)
      entries.delete(from)
      entries.set(to, entry)
    },
    remove: async path => {
      for (const name of entries.keys()) if (name === path || name.startsWith(`${path}/`)) entries.delete(name)
      for (const name of folders) if (name === path || name.startsWith(`${path}/`)) folders.delete(name)
    },
    cutPower: () => {
      for (const [path, entry] of entries) entries.set(path, { ...entry, bytes: entry.bytes.subarray(0, entry.syncedBytes) })
    },
    modeOf: path => entries.get(path)?.mode,
  }
}

function appendTo(entries: Map<string, Entry>, path: string, now: () => number): AppendFile {
  const change = (next: (entry: Entry) => Entry): Promise<void> => {
    const entry = entries.get(path)
    if (entry === undefined) return Promise.reject(new Error(`cannot append to ${path}: the file was removed`))
    entries.set(path, next(entry))
    return Promise.resolve()
  }
  return {
    append: bytes => change(entry => ({ ...entry, bytes: Buffer.concat([entry.bytes, bytes]), modifiedMs: now() })),
    sync: () => change(entry => ({ ...entry, syncedBytes: entry.bytes.length })),
    close: () => Promise.resolve(),
  }
}
