// An open watch of a simulated process: the server's lines park one by one, and faults end it, hold it, or say a line again.
import { HttpFailure } from '#base'
import type { ScheduledAction } from './scheduler.ts'
import { StreamReader } from './stream-reader.ts'
import { outdatedOf, subjectOf } from './watch-line.ts'

/** The call that opened it. */
interface Opened {
  readonly id: number
  readonly process: string
  readonly epoch: number
  readonly label: string
}

/** Where its lines wait. */
interface Parking {
  park(action: ScheduledAction, stream: Stream): void
  remove(action: ScheduledAction): void
  ended(stream: Stream): void
}

/** `unheard`: the reader is dead. */
type Ending = 'clean' | 'reset' | 'cut' | 'aborted' | 'unheard'

const endings: Readonly<Record<Exclude<Ending, 'unheard'>, HttpFailure | undefined>> = {
  clean: undefined,
  cut: undefined,
  reset: new HttpFailure('reset', 'the stream was reset'),
  aborted: new HttpFailure('aborted', 'the caller gave up'),
}

const rememberedLines = 12

const encoder = new TextEncoder()
const newline = 0x0a

export class Stream {
  readonly id: number
  readonly process: string
  readonly epoch: number
  readonly label: string
  readonly lines: ScheduledAction[] = []
  readonly reader: StreamReader = new StreamReader()
  stalled = false
  readonly #source: AsyncIterator<Uint8Array>
  readonly #parking: Parking
  readonly #heard: Uint8Array[] = []
  #lastLine: Uint8Array | undefined
  #isOpen = true

  constructor({ id, process, epoch, label }: Opened, source: AsyncIterator<Uint8Array>, parking: Parking) {
    this.id = id
    this.process = process
    this.epoch = epoch
    this.label = label
    this.#source = source
    this.#parking = parking
  }

  /** From now on each line of the server waits for its turn in the schedule, and so does the end of the stream. */
  open(): void {
    this.reader.onReturn = () => this.end('unheard')
    void this.#pump()
  }

  /** Ends the stream for its reader: cleanly, with an error, or after half a line. */
  end(how: Ending): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#parking.ended(this)
    this.dropLines()
    if (how === 'cut') this.reader.push(halfOf(this.#lastLine ?? encoder.encode('{"type":"MODIFIED","object":{"apiVer')))
    if (how !== 'unheard') this.reader.finish(endings[how])
    void this.#source.return?.()
  }

  repeatLast(): void {
    if (this.#lastLine !== undefined) this.repeat(this.#lastLine)
  }

  /** A line that was heard lately, and another about the same object after it. */
  outdated(): Uint8Array | undefined {
    return outdatedOf(this.#heard)
  }

  inject(line: string): void {
    this.repeat(encoder.encode(`${line}\n`))
  }

  repeat(line: Uint8Array): void {
    const action: ScheduledAction = {
      kind: 'deliver',
      label: `line ${this.label} ${subjectOf(line)}`,
      process: this.process,
      run: () => {
        this.lines.splice(this.lines.indexOf(action), 1)
        this.#hear(line)
      },
    }
    this.#park(action)
  }

  dropLines(): void {
    for (const line of this.lines.splice(0)) this.#parking.remove(line)
  }

  #hear(line: Uint8Array): void {
    this.#lastLine = line
    this.#heard.push(line)
    if (this.#heard.length > rememberedLines) this.#heard.shift()
    this.reader.push(line)
  }

  #parkEnd(): void {
    if (!this.#isOpen) return
    this.#park({ kind: 'deliver', label: `end ${this.label}`, process: this.process, run: () => this.end('clean') })
  }

  #park(action: ScheduledAction): void {
    this.lines.push(action)
    this.#parking.park(action, this)
  }

  /** Reads the server's stream as it comes and parks each line by itself, and its end. */
  async #pump(): Promise<void> {
    let rest: Uint8Array = new Uint8Array(0)
    try {
      for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) {
        rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
        for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
          this.repeat(rest.subarray(0, end + 1))
          rest = rest.subarray(end + 1)
        }
      }
    } catch {
      // A server-side stream that breaks is an ended stream to its reader.
    }
    this.#parkEnd()
  }
}

function halfOf(line: Uint8Array): Uint8Array {
  return line.subarray(0, Math.max(1, line.length >> 1))
}
