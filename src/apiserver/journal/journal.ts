// A folder that survives the process: a snapshot, and journals of what was committed since. A write is answered when its line is with
// the operating system (and on the disk, if asked for); lines of one moment are written together.
import type { AppendFile, Files } from '#base'
import type { StoreEvent } from '../store/event-log.ts'
import type { Table } from '../store/store.ts'
import { readState, renderEvent, type SavedState } from './snapshot.ts'

const snapshotName = 'snapshot.jsonl'
const journalPattern = /^journal-(\d+)\.jsonl$/
/** When the journal has grown past this and past twice the snapshot, the state is written anew. */
const compactBytesMin = 16_777_216

export interface DataFolderOptions {
  /** Waits for the disk and not only for the operating system: survives a power cut, costs a flush per group of writes. */
  readonly sync?: boolean
}

export class DataFolder {
  readonly #files: Files
  readonly #folder: string
  readonly #sync: boolean
  #file: AppendFile | undefined
  #number: number
  #bytes = 0
  #snapshotBytes = 0
  #lines: string[] = []
  #compacting = false
  #busy: Promise<void> = Promise.resolve()
  /** What was there when the folder was opened. */
  readonly saved: SavedState | undefined

  private constructor(files: Files, folder: string, sync: boolean, number: number, saved: SavedState | undefined) {
    this.#files = files
    this.#folder = folder
    this.#sync = sync
    this.#number = number
    this.saved = saved
  }

  static async open(files: Files, folder: string, options: DataFolderOptions = {}): Promise<DataFolder> {
    await files.makeFolder(folder)
    const numbers = await journalNumbers(files, folder)
    const snapshot = await readText(files, `${folder}/${snapshotName}`)
    const journals: string[] = []
    for (const number of numbers) journals.push((await readText(files, journalPath(folder, number))) ?? '')
    const saved = snapshot === undefined ? undefined : readState(snapshot, journals)
    return new DataFolder(files, folder, options.sync ?? false, (numbers.at(-1) ?? 0) + 1, saved)
  }

  /** Begins an empty journal and writes the present state beside it; older journals go once that is in place. */
  begin(snapshot: () => string): Promise<void> {
    this.#compacting = true
    return this.#chain(async () => {
      const older = await journalNumbers(this.#files, this.#folder)
      const former = this.#file
      this.#file = await this.#files.openAppend(journalPath(this.#folder, this.#number++))
      // Taken after the switch: what is committed from here on stands in the new journal, twice at worst.
      const text = snapshot()
      await this.#files.write(`${this.#folder}/${snapshotName}`, text)
      await former?.close()
      for (const number of older) await this.#files.remove(journalPath(this.#folder, number))
      this.#bytes = 0
      this.#snapshotBytes = text.length
      this.#compacting = false
    })
  }

  append(event: StoreEvent, table: Table): void {
    this.#lines.push(renderEvent(event, table))
  }

  /** Resolves when everything appended so far is kept. */
  flushed(): Promise<void> {
    // A group under way does not hold these lines: they go with the next one.
    if (this.#lines.length > 0) return this.#chain(() => this.#flush())
    return this.#busy
  }

  get wantsCompaction(): boolean {
    return !this.#compacting && this.#bytes > Math.max(compactBytesMin, 2 * this.#snapshotBytes)
  }

  async close(): Promise<void> {
    await this.flushed()
    await this.#file?.close()
    this.#file = undefined
  }

  /** One thing at a time on the files. */
  #chain(work: () => Promise<void>): Promise<void> {
    this.#busy = this.#busy.then(work)
    return this.#busy
  }

  async #flush(): Promise<void> {
    if (this.#lines.length === 0 || this.#file === undefined) return
    const bytes = Buffer.from(this.#lines.join(''))
    this.#lines = []
    this.#bytes += bytes.byteLength
    await this.#file.append(bytes)
    if (this.#sync) await this.#file.sync()
  }
}

function journalPath(folder: string, number: number): string {
  return `${folder}/journal-${number}.jsonl`
}

async function journalNumbers(files: Files, folder: string): Promise<number[]> {
  const names = await files.list(folder)
  return names
    .map(name => Number(journalPattern.exec(name)?.[1] ?? Number.NaN))
    .filter(number => !Number.isNaN(number))
    .sort((a, b) => a - b)
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  const bytes = await files.read(path)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString()
}
