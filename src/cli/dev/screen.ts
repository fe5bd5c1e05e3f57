// What `vouch dev` shows: one line an event, with the time since the start; colour and width only where the terminal has them.

export interface TimelineEntry {
  readonly atMs: number
  readonly chapter: string
  readonly text: string
  readonly outcome: 'done' | 'proven' | 'refused' | 'failed' | 'hint'
}

export interface Screen {
  chapter(title: string): void
  line(outcome: TimelineEntry['outcome'], text: string): void
  /** Lines as they are: pictures, commands to try. */
  block(text: string): void
}

export interface ScreenOptions {
  readonly write: (text: string) => void
  readonly elapsedMs: () => number
  /** Absent for terminals without it, `NO_COLOR`, and pipes. */
  readonly color: boolean
  /** One JSON object a line instead. */
  readonly json: boolean
}

const marks: Readonly<Record<TimelineEntry['outcome'], { readonly sign: string; readonly code: number }>> = {
  done: { sign: '·', code: 2 },
  proven: { sign: '✓', code: 32 },
  refused: { sign: '✗', code: 33 },
  failed: { sign: '!', code: 31 },
  hint: { sign: ' ', code: 2 },
}

export function createScreen({ write, elapsedMs, color, json }: ScreenOptions): Screen {
  let chapter = ''
  const paint = (code: number, text: string): string => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
  return {
    chapter: title => {
      chapter = title
      if (!json) write(`\n${paint(1, title)}\n`)
    },
    line: (outcome, text) => {
      const atMs = Math.round(elapsedMs())
      if (json) write(`${JSON.stringify({ atMs, chapter, outcome, text })}\n`)
      else
        write(
          `${paint(2, `${(atMs / 1000).toFixed(2).padStart(6)} s`)} ${paint(marks[outcome].code, marks[outcome].sign)} ${text}\n`,
        )
    },
    block: text => {
      if (!json) write(`${text}\n`)
    },
  }
}
