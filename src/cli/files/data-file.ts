// The file of `--data` of an emulated cloud: read once, written again and again.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

/** The file holds secret keys: only its owner may read it. It is replaced whole, so it is never half written. */
export class DataFile {
  readonly #path: string
  #saved = ''

  constructor(path: string) {
    this.#path = resolve(path)
  }

  /** Nothing where there is no such file yet. */
  async read(): Promise<string | undefined> {
    try {
      return await readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw this.#failure('read', error)
    }
  }

  async save(text: string): Promise<void> {
    if (text === this.#saved) return
    const beside = `${this.#path}.new`
    try {
      await writeFile(beside, text, { mode: 0o600 })
      await rename(beside, this.#path)
    } catch (error) {
      throw this.#failure('written', error)
    }
    this.#saved = text
  }

  #failure(what: string, cause: unknown): Error {
    const { code, message } = cause as NodeJS.ErrnoException
    return new Error(`the file of --data, ${this.#path}, cannot be ${what}: ${reasons[code ?? ''] ?? message}`, { cause })
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not',
  EISDIR: 'it is a folder; name a file in it',
  ENOENT: 'its folder does not exist; make it first',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'what stands before its last slash is no folder',
  EROFS: 'the file system is read-only',
}
