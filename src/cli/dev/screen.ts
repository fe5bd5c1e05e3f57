// What `vouch dev` shows: one line an event, with the time since the start; colour and width only where the terminal has them. The same
// events are its timeline for programs (`--json`), whose form is a promise: docs/reference/timeline.md.

import { printable, printableLine } from '#base'

export type StepOutcome = 'done' | 'proven' | 'refused' | 'failed' | 'lost' | 'hint'

/** The chapters by the names that programs know them by. */
export type Chapter = 'world' | 'platform' | 'application' | 'proof' | 'fleet' | 'hosted' | 'dns' | 'certificates' | 'after'

/** One line of the timeline. `text` is for people and may be worded better one day; the rest is for programs. */
export interface TimelineEntry {
  /** Milliseconds since the start of the story. */
  readonly atMs: number
  readonly chapter: Chapter
  readonly outcome: StepOutcome
  readonly text: string
  readonly cluster?: string
  readonly object?: { readonly kind: string; readonly name: string }
  /** What became true of the object in this step. */
  readonly conditions?: readonly string[]
  /** In the last line of the story: how to reach everything. */
  readonly access?: WorldAccess
}

export interface WorldAccess {
  readonly kubeconfig: string
  readonly contexts: readonly string[]
  /** Variables that lead AWS clients to this world. */
  readonly environment: Readonly<Record<string, string>>
  /** Where `vouch aws explain` asks. */
  readonly control: string
}

/** What a program reads of a line besides its text. */
export type Told = Omit<TimelineEntry, 'atMs' | 'chapter' | 'outcome' | 'text'>

export interface Screen {
  chapter(name: Chapter, title: string): void
  line(outcome: StepOutcome, text: string, told?: Told): void
  /** Prints lines unchanged: pictures, and commands to try. */
  block(text: string): void
  /** Says what is waited for, again and again, once nothing was said for a second. */
  during<Result>(what: () => string, work: Promise<Result>): Promise<Result>
  /** Columns of the terminal; absent where lines may be of any length. */
  readonly columns: number
}

export interface ScreenOptions {
  readonly write: (text: string) => void
  readonly elapsedMs: () => number
  /** False for terminals without colour, under `NO_COLOR`, and for pipes. */
  readonly color: boolean
  /** Absent for pipes: their lines are whole. */
  readonly columns?: number
  /** Prints one JSON object per line instead of text. */
  readonly json: boolean
  /** A terminal whose last line may be written again. */
  readonly live?: boolean
  /** Calls again and again until the answer is called. */
  readonly every?: (ms: number, tick: () => void) => () => void
}

/** After this long without a word a person wonders whether it still works. */
const silenceMsMax = 1_000
/** On a terminal the line is written over; a pipe keeps each, so there are fewer. */
const againMs = { live: 1_000, kept: 5_000 }
const lookMs = 250
const wipe = '\r\u001b[K'

function everySoOften(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms)
  return () => clearInterval(timer)
}

const marks: Readonly<Record<StepOutcome, { readonly sign: string; readonly code: number }>> = {
  done: { sign: '·', code: 2 },
  proven: { sign: '✓', code: 32 },
  refused: { sign: '✗', code: 33 },
  lost: { sign: '!', code: 33 },
  failed: { sign: '!', code: 31 },
  hint: { sign: ' ', code: 2 },
}

const timeWidth = 8
const clusterWidth = 6
/** Text that is broken into fewer columns than this is not easier to read. */
const textWidthMin = 30

export function createScreen(options: ScreenOptions): Screen {
  const { elapsedMs, color, columns = Number.POSITIVE_INFINITY, json, live = false, every = everySoOften } = options
  let chapter: Chapter = 'world'
  let saidAtMs = elapsedMs()
  let isPassing = false
  const write = (text: string): void => {
    options.write(isPassing ? `${wipe}${text}` : text)
    isPassing = false
    saidAtMs = elapsedMs()
  }
  /** A line that the next one takes the place of. */
  const writePassing = (text: string): void => {
    options.write(`${wipe}${text.slice(0, Math.max(0, columns - 1))}`)
    isPassing = true
  }
  const paint = painter(color)
  return {
    columns,
    chapter: (name, title) => {
      chapter = name
      const lines = wrap(title, columns).map(line => paint(1, line))
      if (!json) write(`\n${lines.join('\n')}\n`)
    },
    line: (outcome, text, told = {}) => {
      const entry: TimelineEntry = { atMs: Math.round(elapsedMs()), chapter, outcome, text, ...told }
      if (json) write(`${printable(JSON.stringify(entry))}\n`)
      else write(entryText(entry, paint, columns))
    },
    block: text => {
      if (!json) write(`${printable(text)}\n`)
    },
    during: async (what, work) => {
      if (json) return work
      const say = (nowMs: number, silentMs: number): void => {
        const text = `${timeOf(nowMs)} … ${printableLine(`${what()} (${Math.round(silentMs / 1_000)} s)`)}`
        if (live) writePassing(text)
        else options.write(`${text}\n`)
      }
      const stop = every(lookMs, silenceTeller({ elapsedMs, saidAtMs: () => saidAtMs, live, say }))
      try {
        return await work
      } finally {
        stop()
      }
    },
  }
}

interface Silence {
  readonly elapsedMs: () => number
  readonly saidAtMs: () => number
  readonly live: boolean
  readonly say: (nowMs: number, silentMs: number) => void
}

/** Called again and again: says what is waited for after a silence, and then every so often while it lasts. */
function silenceTeller({ elapsedMs, saidAtMs, live, say }: Silence): () => void {
  let waitMs = silenceMsMax
  return () => {
    const nowMs = elapsedMs()
    const silentMs = nowMs - saidAtMs()
    if (silentMs < silenceMsMax) waitMs = silenceMsMax
    if (silentMs < waitMs) return
    say(nowMs, silentMs)
    waitMs = silentMs + (live ? againMs.live : againMs.kept)
  }
}

type Paint = (code: number, text: string) => string

function painter(color: boolean): Paint {
  return (code, text) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
}

/** One event with its time; lines that are broken stand below the beginning of their text. */
function entryText({ atMs, outcome, text, cluster }: TimelineEntry, paint: Paint, columns: number): string {
  const { sign, code } = marks[outcome]
  // A hint is about the line before, which has the name.
  const name = cluster === undefined ? '' : `${(outcome === 'hint' ? '' : printableLine(cluster)).padEnd(clusterWidth)} `
  const indent = timeWidth + 3 + (cluster === undefined ? 0 : clusterWidth + 1)
  const [first = '', ...more] = wrap(printableLine(text), columns - indent)
  const time = paint(2, timeOf(atMs))
  const body = (line: string): string => (outcome === 'hint' ? paint(2, line) : line)
  const lines = [`${time} ${paint(code, sign)} ${name}${body(first)}`, ...more.map(line => ' '.repeat(indent) + body(line))]
  return `${lines.join('\n')}\n`
}

function timeOf(atMs: number): string {
  return `${(atMs / 1_000).toFixed(2).padStart(timeWidth - 2)} s`
}

/** Broken between words; a word that is too long for a line is left whole, so that it can be copied. */
export function wrap(text: string, width: number): readonly string[] {
  const widest = Math.max(width, textWidthMin)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > widest) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
