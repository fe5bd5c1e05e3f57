// A guide as what it tells a reader to do: files to write and commands to type, in its order; what it says they print is looked for.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GuideBlock, guideBlocks } from '../e2e/guide-blocks.ts'

/** Who follows a guide: a folder, empty at the beginning, and a shell in it. */
export interface Reader {
  /** What it exports holds for the commands after it. */
  readonly env: Record<string, string>
  readonly folder: string
  /** Everything printed so far, by what runs in the background too. */
  printed(): string
  /** Runs commands; throws with what they said when one fails. */
  type(commands: string): Promise<void>
  /** Types it, and gives what it printed alone. */
  ask(commands: string): Promise<{ readonly stdout: string }>
  /** Ends what was left running. */
  leave(): void
}

/** By heading: what happens besides, once the last step below it is done. */
export type Besides = Readonly<Record<string, () => Promise<void> | void>>

const stepMsMax = 150_000

export interface Following {
  readonly besides?: Besides
  /** Words of the guide, and what stands in their place for a reader who has something else than its example. */
  readonly instead?: readonly (readonly [words: string, others: string])[]
}

/** As the guide says it, but for the reader's own words; each of those that are replaced has to be there. */
export async function followGuideInstead(name: string, reader: Reader, { besides = {}, instead = [] }: Following): Promise<void> {
  const blocks = guideBlocks(name)
  const all = blocks.map(({ text }) => text).join('\n')
  const absent = instead.find(([words]) => !all.includes(words))
  if (absent !== undefined) throw new Error(`${name} says nowhere ${JSON.stringify(absent[0])}`)
  const own = (text: string): string => instead.reduce((said, [words, others]) => said.replaceAll(words, others), text)
  await followBlocks(
    name,
    blocks.map(block => ({ ...block, text: own(block.text) })),
    { reader, besides },
  )
}

export async function followGuide(name: string, reader: Reader, besides: Besides = {}): Promise<void> {
  await followBlocks(name, guideBlocks(name), { reader, besides })
}

interface Follower {
  readonly reader: Reader
  readonly besides: Besides
}

async function followBlocks(name: string, blocks: readonly GuideBlock[], { reader, besides }: Follower): Promise<void> {
  const headings = new Set(blocks.map(({ heading }) => heading))
  const unknown = Object.keys(besides).find(heading => !headings.has(heading))
  if (unknown !== undefined) throw new Error(`${name} has no step below ${JSON.stringify(unknown)}`)
  for (const heading of headings) {
    for (const block of blocks.filter(one => one.heading === heading)) await follow(block, reader)
    await besides[heading]?.()
  }
}

async function follow({ use, text }: GuideBlock, reader: Reader): Promise<void> {
  switch (use.kind) {
    case 'file':
      return writeFileSync(join(reader.folder, use.name), text)
    case 'commands':
      return reader.type(text)
    case 'printed': {
      const missing = text.split('\n').find(line => !reader.printed().includes(line))
      if (missing !== undefined) throw new Error(`nothing printed ${JSON.stringify(missing)}:\n${reader.printed()}`)
      return undefined
    }
    default:
      return undefined
  }
}

export function createReader(folder: string, env: Record<string, string>): Reader {
  const groups: number[] = []
  let printed = ''
  const type = (commands: string): Promise<void> =>
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
    })
  return {
    env,
    folder,
    printed: () => printed,
    type,
    ask: async commands => {
      const from = printed.length
      await type(commands)
      return { stdout: printed.slice(from) }
    },
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
