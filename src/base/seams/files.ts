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

export interface WriteFileOptions {
  readonly mode?: number
  /** How the name of the file begins that takes the old one's place, for whoever watches the folder; after the file's own when absent. */
  readonly draftPrefix?: string
}

export interface Files {
  /** `undefined` when there is no such file. Any other trouble is an error that names the path. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Mode defaults to 0o600: what we write is more often a secret than not. */
  write(path: string, bytes: Uint8Array | string, options?: WriteFileOptions): Promise<void>
  openAppend(path: string, options?: { mode?: number }): Promise<AppendFile>
  info(path: string): Promise<FileInfo | undefined>
  /** Names in the folder, sorted; empty when there is no such folder. */
  list(folder: string): Promise<readonly string[]>
  /** With all folders above it. Mode defaults to 0o700. */
  makeFolder(path: string, options?: { mode?: number }): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Removes a file or a folder with all that is in it; harmless when it is not there. */
  remove(path: string): Promise<void>
}
