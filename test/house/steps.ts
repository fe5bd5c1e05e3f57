// Carries out a page of steps ("I want to add …") in a temporary copy of this checkout, so that a page that no longer works fails a
// test. What a block of a page asks for is said by its language and by the path named last, in backquotes, before it:
//
//   ts, json, yaml, md   the whole of a new file with that path
//   diff                 a change of the file with that path: lines with `-` go, lines with `+` come, the others show where
//   sh                   commands, run at the top of the copy one after the other; each must end well
//   text                 lines that the commands before it must have printed
//
// Blocks of other languages are for readers alone. A failure names the page and the line of the block.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const top = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export type Step = { readonly line: number } & (
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'change'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'printed'; readonly lines: readonly string[] }
)

/** How often each kind of step was carried out: a page without commands proves nothing, and its test can say so. */
export type Walked = Readonly<Record<Step['kind'], number>>

/** Carries out the page (a path from the top of the checkout) in a copy, which is gone afterwards; `own` puts other words in it. */
export async function walkPage(page: string, own: (text: string) => string = text => text): Promise<Walked> {
  const steps = stepsOf(own(readFileSync(join(top, page), 'utf8')))
  const copy = copyOfTheHouse()
  try {
    const walked = await carryOut(steps, copy, page)
    keep(join(copy, '.cache', checkedTypes), join(top, '.cache', checkedTypesOfCopies))
    return walked
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** What the compiler remembers of its last check: in the next copy it looks at what differs from this one alone. Kept apart from the
 *  checkout's own, whose paths to the installed packages are others. */
const checkedTypes = 'types.tsbuildinfo'
const checkedTypesOfCopies = 'types-of-copies.tsbuildinfo'

function keep(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** Carries out the steps in the folder. Throws at the first that fails. */
export async function carryOut(steps: readonly Step[], folder: string, page: string): Promise<Walked> {
  const walked = { file: 0, change: 0, command: 0, printed: 0 }
  let output = ''
  for (const step of steps) {
    const problem = step.kind === 'printed' ? missingLines(step.lines, output) : await carryOutOne(step, folder)
    if (typeof problem === 'string') throw new Error(`${page}:${step.line}: ${problem}`)
    if (problem !== undefined) output += problem.output
    walked[step.kind]++
  }
  return walked
}

/** The steps of a page, in order. */
export function stepsOf(page: string): Step[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].flatMap(({ 1: language = '', 2: body = '', index }) => {
    const before = page.slice(0, index)
    const line = before.split('\n').length
    const path = [...withoutBlocks(before).matchAll(/`([^`\s]+\/[^`\s]+\.\w+)`/g)].at(-1)?.[1] ?? ''
    return stepOf(language, body, path).map(step => ({ ...step, line }))
  })
}

type Unplaced<S> = S extends Step ? Omit<S, 'line'> : never

function stepOf(language: string, body: string, path: string): Unplaced<Step>[] {
  switch (language) {
    case 'ts':
    case 'json':
    case 'yaml':
    case 'md':
      return [{ kind: 'file', path, text: body }]
    case 'diff':
      return [{ kind: 'change', path, before: sideOf(body, '-'), after: sideOf(body, '+') }]
    case 'sh':
      return [{ kind: 'command', command: body }]
    case 'text':
      return [{ kind: 'printed', lines: body.split('\n').filter(text => text.trim() !== '') }]
    default:
      return []
  }
}

/** The lines of one side of a change, without their marks. */
function sideOf(change: string, mark: '-' | '+'): string {
  const kept = change.split('\n').filter(text => text.startsWith(mark) || text.startsWith(' '))
  return kept.map(text => `${text.slice(1)}\n`).join('')
}

function withoutBlocks(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```$/gm, '')
}

/** What a command printed, why the step failed, or nothing to say. */
async function carryOutOne(
  step: Exclude<Step, { kind: 'printed' }>,
  folder: string,
): Promise<string | { output: string } | undefined> {
  if (step.kind === 'command') return runCommands(step.command, folder)
  const file = join(folder, step.path)
  if (step.path === '' || relative(folder, file).startsWith('..')) return 'no path of a file is named before this block'
  if (step.kind === 'file') {
    if (existsSync(file)) return `${step.path} is there already: show a change of it instead`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, step.text)
    return undefined
  }
  return change(file, step)
}

function change(file: string, { path, before, after }: Extract<Step, { kind: 'change' }>): string | undefined {
  if (!existsSync(file)) return `${path} does not exist`
  const text = readFileSync(file, 'utf8')
  const places = before === '' ? 0 : text.split(before).length - 1
  if (places !== 1) return `the lines to change stand ${places} times in ${path}`
  writeFileSync(
    file,
    text.replace(before, () => after),
  )
  return undefined
}

function missingLines(lines: readonly string[], output: string): string | undefined {
  const missing = lines.filter(text => !output.includes(text.trim()))
  return missing.length === 0 ? undefined : `never printed: ${missing.join('\n')}\n--- printed was\n${output}`
}

/** Commands find the Node that runs this test first in their path. */
function runCommands(command: string, folder: string): Promise<string | { output: string }> {
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env
  const child = spawn('sh', ['-e', '-c', command], {
    cwd: folder,
    env: { ...environment, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve(code === 0 ? { output } : `\`${command.trim()}\` ended with ${code}\n${output}`))
  })
}

/** Everything but what git holds and what npm installed; the latter is linked. */
function copyOfTheHouse(): string {
  const copy = mkdtempSync(join(tmpdir(), 'vouch-steps-'))
  const skipped = /(^|[\\/])(\.git|\.cache|\.linted|node_modules|dist)$/
  cpSync(top, copy, { recursive: true, filter: source => !skipped.test(source) })
  for (const modules of ['node_modules', 'scripts/node/node_modules'])
    if (existsSync(join(top, modules))) symlinkSync(join(top, modules), join(copy, modules), 'junction')
  keep(join(top, '.cache', checkedTypesOfCopies), join(copy, '.cache', checkedTypes))
  return copy
}
