// What the pages say exists: files and headings that they link to, npm scripts, and the flags of our commands.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { borrowedFlags, flagsOf as flagsOfProgram } from '../../src/cli/frame/command-line.ts'
import { createProgram } from '../../src/cli/frame/program.ts'
import { rooms } from './walls.ts'

const top = join(import.meta.dirname, '../..')
const pages = globSync(['*.md', 'docs/**/*.md', 'src/**/*.md', 'examples/**/*.md'], { cwd: top }).map(name => ({
  name,
  text: readFileSync(join(top, name), 'utf8'),
}))

test('every link of a page leads to a file, and to a heading of it', () => {
  const broken: string[] = []
  for (const { name, text } of pages) {
    for (const [, target = ''] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? join(top, name) : join(top, dirname(name), path)
      if (!existsSync(file)) broken.push(`${name}: ${target}`)
      else if (anchor !== undefined && !anchorsOf(file).includes(anchor)) broken.push(`${name}: ${target}: no such heading`)
    }
  }
  assert.ok(pages.length > 20)
  assert.deepEqual(broken, [])
})

test('every npm script that a page names is there', () => {
  const { scripts } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const missing = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/\bnpm run ([\w:-]*\w)/g)]
      .filter(([, script = '']) => !(script in scripts))
      .map(([all]) => `${name}: ${all}`),
  )
  assert.deepEqual(missing, [])
})

test('what stands beside a command of a page is a comment, so that its line can be pasted', () => {
  const blocks = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.split('\n').map(line => ({ name, line }))),
  )
  const typed = blocks.filter(({ line }) => /^(?:npm|npx|vouch|kubectl|aws|helm|alias) /.test(line))
  assert.ok(typed.length > 50, `${typed.length} commands`)
  const beside = typed.filter(({ line }) => /\S {2,}[^\s#\\|]/.test(line.replace(/ {2,}#.*$/, '')))
  assert.deepEqual(
    beside.map(({ name, line }) => `${name}: ${line}`),
    [],
  )
})

test('every flag of a command that a page shows is one of the command', async () => {
  const operatorFlags = await flagsOfProgram('operator')
  const webhookFlags = (await Promise.all((['webhook aws', 'webhook azure', 'webhook both'] as const).map(flagsOfProgram))).flat()
  const flagsOf = new Map(createProgram().commands.map(command => [command.name(), longFlags(command)]))
  flagsOf.set('operator', new Set(operatorFlags.map(({ name }) => `--${name}`)))
  const ofWebhook = [...(flagsOf.get('webhook') ?? []), ...webhookFlags.map(({ name }) => `--${name}`)]
  flagsOf.set('webhook', new Set(ofWebhook))
  for (const name of ['credential-process', 'sidecar'] as const) {
    flagsOf.set(name, new Set((await flagsOfProgram(name)).map(flag => `--${flag.name}`)))
  }
  for (const [name, lender] of Object.entries(borrowedFlags)) {
    const [first = ''] = name.split(' ')
    flagsOf.set(first, new Set([...(flagsOf.get(first) ?? []), ...(flagsOf.get(lender.split(' ')[0] ?? '') ?? [])]))
  }
  const wrong: string[] = []
  let seen = 0
  for (const { name, text } of pages) {
    for (const [, command = '', rest = ''] of text.matchAll(/(?:\bvouch|npm run vouch --) ([a-z-]+)((?: [^\n`]*)?)/g)) {
      const known = flagsOf.get(command)
      if (known === undefined) continue
      // What follows `--` of render are flags of the operator, and of `webhook manifests` those of the webhook; a comment is none.
      const [own = '', more = ''] = rest.replace(/ +#.*$/, '').split(' -- ')
      for (const [flag] of own.matchAll(/(?<=\s)--[a-z][\w.-]*(?<![.])/g))
        if (++seen && !known.has(flag)) wrong.push(`${name}: vouch ${command} ${flag}`)
      for (const [flag] of more.matchAll(/--[a-z][\w.-]*(?<![.])/g))
        if (!flagsOf.get(command === 'webhook' ? command : 'operator')?.has(flag)) wrong.push(`${name}: ${flag}`)
    }
  }
  assert.ok(seen > 20, `${seen} flags`)
  assert.deepEqual(wrong, [])
})

test('ARCHITECTURE.md draws every room and has a line for it', () => {
  const page = readFileSync(join(top, 'ARCHITECTURE.md'), 'utf8')
  const drawing = /^```\n([\s\S]*?)^```/m.exec(page)?.[1] ?? ''
  const undrawn = Object.keys(rooms).filter(room => room !== 'aws/client' && !new RegExp(`\\b${room}\\b`).test(drawing))
  assert.deepEqual(undrawn, [])
  const operators = readdirSync(join(top, 'src/operators')).map(name => `operators/${name}`)
  const wanted = [...Object.keys(rooms).filter(room => room !== 'operators'), ...operators]
  const rows = [...page.matchAll(/^\| `([a-z/]+)` \|/gm)].map(([, room = '']) => room)
  assert.deepEqual(rows.toSorted(), wanted.toSorted())
})

/** Of the command and of those below it. */
function longFlags(command: Command): Set<string> {
  const own = command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]))
  return new Set(['--help', ...own, ...command.commands.flatMap(one => [...longFlags(one)])])
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

/** As GitHub makes them. */
function anchorsOf(file: string): readonly string[] {
  if (!file.endsWith('.md')) return []
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
