// Files as a port. Writing replaces by rename, so a reader sees the old bytes or the new ones and never half of them.

export interface FileInfo {
  readonly bytes: number
  readonly modifiedMs: number
  readonly kind: 'file' | 'folder'
}

/** A file that only grows: the journal of a store. */
export interface AppendFile {
  append(bytes: Uint8Array): Promise<void>
  /** Resolves when the bytes would survive a power cut. */
  sync(): Promise<void>
  close(): Promise<void>
}

export interface Files {
  /** `undefined` when there is no such file. Any other trouble is an error that names the path. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Mode defaults to 0o600: what we write is more often a secret than not. */
  write(path: string, bytes: Uint8Array | string, options?: { mode?: number }): Promise<void>
  openAppend(path: string, options?: { mode?: number }): Promise<AppendFile>
  info(path: string): Promise<FileInfo | undefined>
  /** Names in the folder, sorted; empty when there is no such folder. */
  list(folder: string): Promise<readonly string[]>
  makeFolder(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Removes a file or a folder with all that is in it; harmless when it is not there. */
  remove(path: string): Promise<void>
}
