// The pages that the package brings along, so that what a help or another page names is there for whoever has nothing else. A link to what is
// not packed becomes its words.
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** From the top of the checkout; the README of the package is a page of its own, since that of the checkout speaks of its scripts. */
const pages: Readonly<Record<string, string>> = {
  'docs/installed.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  'SECURITY.md': 'SECURITY.md',
}
const folders = ['docs/guides', 'docs/reference', 'docs/security']
const files = ['LICENSE']
const examples = ['quickstart', 'fleet', 'azure', 'hosted', 'certificates', 'configmap-mirror'].map(name => `examples/${name}`)

export function packPages(top: string, out: string): void {
  for (const name of files) cpSync(join(top, name), join(out, name))
  for (const name of examples) cpSync(join(top, name), join(out, name), { recursive: true })
  const ofFolders = folders.flatMap(folder => globSync(`${folder}/*.md`, { cwd: top }))
  const placed = new Map([...Object.entries(pages), ...ofFolders.map(name => [name, name] as const)])
  const isPacked = (path: string): boolean =>
    placed.has(path) || files.includes(path) || examples.some(one => `${path}/`.startsWith(`${one}/`))
  for (const [source, target] of placed) {
    mkdirSync(dirname(join(out, target)), { recursive: true })
    writeFileSync(join(out, target), moved(readFileSync(join(top, source), 'utf8'), { source, target, placed, isPacked }))
  }
}

interface Move {
  readonly source: string
  readonly target: string
  readonly placed: ReadonlyMap<string, string>
  readonly isPacked: (path: string) => boolean
}

function moved(text: string, { source, target, placed, isPacked }: Move): string {
  return text.replaceAll(/\[([^\]\n]+)\]\(([^)\s#]+)(#[^)\s]*)?\)/g, (link, words: string, path: string, anchor = '') => {
    if (/^[a-z]+:/.test(path)) return link
    const meant = join(dirname(source), path)
    if (!isPacked(meant)) return words
    return `[${words}](${relative(dirname(target), placed.get(meant) ?? meant)}${anchor})`
  })
}
