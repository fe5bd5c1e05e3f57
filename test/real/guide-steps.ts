// A guide as what it tells a reader to do: files to write and commands to type, in its order. What has no file name and is no command
// (fragments, outputs, code) is read and not done.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type GuideStep = { readonly heading: string; readonly text: string } & (
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'commands' }
)

/** Who follows a guide: a folder, empty at the beginning, and a shell in it. */
export interface Reader {
  /** What it exports holds for the commands after it. */
  readonly env: Record<string, string>
  readonly folder: string
  /** Everything printed so far, by what runs in the background too. */
  printed(): string
  /** Runs commands; throws with what they said when one fails. */
  type(commands: string): Promise<void>
  /** Ends what was left running. */
  leave(): void
}

/** By heading: what happens besides, once the last step below it is done. */
export type Besides = Readonly<Record<string, () => Promise<void> | void>>

const stepMsMax = 150_000

export function readGuide(name: string): readonly GuideStep[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/guides', name), 'utf8')
  const steps: GuideStep[] = []
  let heading = ''
  for (const [, title, language, block = ''] of text.matchAll(/^(?:#+ (.+)|```(\w*)\n([\s\S]*?)^```)$/gm)) {
    if (title !== undefined) heading = title
    else if (language === 'sh') steps.push({ kind: 'commands', heading, text: block })
    else {
      const file = /^# (\S+\.\w+)\n/.exec(block)?.[1]
      if (file !== undefined) steps.push({ kind: 'file', heading, name: file, text: block })
    }
  }
  return steps
}

export async function followGuide(name: string, reader: Reader, besides: Besides = {}): Promise<void> {
  const steps = readGuide(name)
  const headings = new Set(steps.map(({ heading }) => heading))
  const unknown = Object.keys(besides).find(heading => !headings.has(heading))
  if (unknown !== undefined) throw new Error(`${name} has no step below ${JSON.stringify(unknown)}`)
  for (const heading of headings) {
    for (const step of steps.filter(one => one.heading === heading)) {
      if (step.kind === 'file') writeFileSync(join(reader.folder, step.name), step.text)
      else await reader.type(step.text)
    }
    await besides[heading]?.()
  }
}

export function createReader(folder: string, env: Record<string, string>): Reader {
  const groups: number[] = []
  let printed = ''
  return {
    env,
    folder,
    printed: () => printed,
    type: commands =>
      new Promise((resolve, reject) => {
        const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
          cwd: folder,
          env,
          detached: true,
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        if (shell.pid !== undefined) groups.push(shell.pid)
        const from = printed.length
        for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
        const late = setTimeout(() => end(shell.pid), stepMsMax)
        // `exit` and not `close`: what it left running keeps the pipes.
        shell.on('exit', (code, signal) => {
          clearTimeout(late)
          if (code === 0) resolve()
          else reject(new Error(`${commands}\n${printed.slice(from)}\nended with ${code ?? signal}`))
        })
        shell.on('error', reject)
      }),
    leave: () => groups.forEach(end),
  }
}

function end(group: number | undefined): void {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
