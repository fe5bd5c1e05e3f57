// The container-credentials file (§2.9): whose pods get their credentials from the node's agent. It is looked at again and again, through
// whatever links lead to it: a mounted ConfigMap is replaced by turning a link, which tells no watcher of the file.
import { type Clock, type Files, type Log, type Random, renderDuration } from '#base'
import { pause } from '#runtime'
import { fieldOf, readFields, textOf } from './loose-fields.ts'

export type CredentialsIdentities = ReadonlySet<string>

const nobody: CredentialsIdentities = new Set()

/** The identities as `<namespace>/<name>`, or what is wrong with the text. An empty file lists nobody. */
export function parseCredentialsFile(text: string): CredentialsIdentities | Error {
  if (text.trim() === '') return nobody
  const root = readFields(text)
  if (root instanceof Error) return root
  const identities = fieldOf(root, 'identities')
  if (identities === undefined) return nobody
  if (identities.kind !== 'array') return new Error('identities is no list')
  const found = new Set<string>()
  for (const [index, identity] of identities.items.entries()) {
    // As a decoder into types reads it: nothing is an identity without names.
    if (identity.kind === 'null') continue
    if (identity.kind !== 'object') return new Error(`identities[${index}] is no JSON object`)
    const namespace = textOf(identity.members, 'namespace')
    const serviceAccount = textOf(identity.members, 'serviceAccount')
    if (namespace === undefined || serviceAccount === undefined)
      return new Error(`identities[${index}] lacks namespace or serviceAccount`)
    found.add(`${namespace}/${serviceAccount}`)
  }
  return found
}

export interface FollowCredentialsFileOptions {
  readonly path: string
  readonly files: Pick<Files, 'read' | 'info'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onChange: () => void
  readonly everyMs?: number
}

/** A change counts within a second. */
const everyMsDefault = 400
/** Every so many looks the file is read even if its size and date say that nothing happened: dates are coarse. */
const readEvery = 25
const backoffMsMin = 10
const backoffMsMax = 300_000

export class CredentialsFileSource {
  readonly #options: FollowCredentialsFileOptions
  #current: CredentialsIdentities = nobody
  #isRead = false
  #seen = ''
  #text: string | undefined
  #backoffMs = 0

  constructor(options: FollowCredentialsFileOptions) {
    this.#options = options
  }

  get current(): CredentialsIdentities {
    return this.#current
  }

  /** It was looked for once. */
  get synced(): boolean {
    return this.#isRead
  }

  /** Looks now, for somebody who would otherwise believe that nothing has changed. */
  refresh(): Promise<void> {
    return this.#look(false)
  }

  async run(signal: AbortSignal): Promise<void> {
    for (let looks = 0; !signal.aborted; looks++) {
      await this.#look(looks % readEvery === 0)
      const everyMs = this.#options.everyMs ?? everyMsDefault
      if (!(await pause(this.#options.clock, this.#backoffMs === 0 ? everyMs : Math.min(everyMs, this.#backoffMs), signal)))
        return
    }
  }

  async #look(isThorough: boolean): Promise<void> {
    const { files, path, log } = this.#options
    try {
      const info = await files.info(path)
      const seen = info === undefined ? 'absent' : `${info.bytes} ${info.modifiedMs}`
      if (seen === this.#seen && !isThorough && this.#backoffMs === 0) return
      const bytes = info === undefined ? undefined : await files.read(path)
      this.#seen = seen
      this.#take(bytes === undefined ? '' : new TextDecoder().decode(bytes))
    } catch (error) {
      log.error('the container-credentials file cannot be read; what it said before goes on counting', {
        path,
        error: (error as Error).message,
      })
      this.#failed()
    }
    this.#isRead = true
  }

  #take(text: string): void {
    if (text === this.#text && this.#backoffMs === 0) return
    const { path, log, onChange } = this.#options
    const read = parseCredentialsFile(text)
    if (read instanceof Error) {
      if (text !== this.#text)
        log.error('the container-credentials file cannot be read; what it said before goes on counting', {
          path,
          error: read.message,
          again: renderDuration(this.#backoffMs || backoffMsMin),
        })
      this.#text = text
      return this.#failed()
    }
    this.#backoffMs = 0
    this.#text = text
    this.#current = read
    onChange()
  }

  #failed(): void {
    this.#backoffMs = Math.min(backoffMsMax, Math.max(backoffMsMin, this.#backoffMs * 2))
  }
}
