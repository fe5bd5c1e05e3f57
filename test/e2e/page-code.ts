// The code that pages show, as files: a block names its file in its first line, and blocks of one name follow one another in that file.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface PageCode {
  /** From the top of the checkout. */
  readonly page: string
  /** Text of each file by name. */
  readonly files: ReadonlyMap<string, string>
  /** First lines of blocks that name no file. */
  readonly unnamed: readonly string[]
}

/** All pages that show TypeScript to people who have the package; those for people in the checkout are docs/contributing. */
export function codeOfPages(): readonly PageCode[] {
  return globSync(['*.md', 'docs/{guides,reference,adr}/*.md', 'src/**/*.md', 'examples/**/*.md'], { cwd: root })
    .toSorted()
    .map(page => codeIn(page, readFileSync(join(root, page), 'utf8')))
    .filter(({ files, unnamed }) => files.size > 0 || unnamed.length > 0)
}

export function codeIn(page: string, text: string): PageCode {
  const files = new Map<string, string>()
  const unnamed: string[] = []
  for (const [, block = ''] of text.matchAll(/^```(?:ts|js|typescript|javascript)\n([\s\S]*?)^```$/gm)) {
    const [, name, code = ''] = /^\/\/ (\S+\.ts)\n([\s\S]*)$/.exec(block) ?? []
    if (name === undefined) unnamed.push(block.split('\n')[0] ?? '')
    else files.set(name, files.has(name) ? `${files.get(name)}\n${code}` : code)
  }
  return { page, files, unnamed }
}
