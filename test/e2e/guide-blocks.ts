// The code blocks of the guides, and what becomes of each: a file that the reader writes, commands that he types, a program, what the commands
// before it print, or nothing; where nothing, the page says why in the line before it.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const guides = join(import.meta.dirname, '../../docs/guides')

export interface GuideBlock {
  readonly heading: string
  readonly language: string
  readonly text: string
  readonly use: BlockUse
}

export type BlockUse =
  | { readonly kind: 'commands' }
  | { readonly kind: 'file'; readonly name: string }
  | { readonly kind: 'program' }
  | { readonly kind: 'printed' }
  | { readonly kind: 'not-run'; readonly why: string }
  | { readonly kind: 'unknown' }

export const guideNames: readonly string[] = globSync('*.md', { cwd: guides })
  .map(name => basename(name))
  .toSorted()

export function guideBlocks(name: string): readonly GuideBlock[] {
  const text = readFileSync(join(guides, name), 'utf8')
  const blocks: GuideBlock[] = []
  let heading = ''
  for (const [, title, why, language = '', block = ''] of text.matchAll(
    /^(?:#+ (.+)|(?:<!-- not run: (.+) -->\n\n)?```(\w*)\n([\s\S]*?)^```)$/gm,
  )) {
    if (title !== undefined) heading = title
    else blocks.push({ heading, language, text: block, use: useOf(language, block, why) })
  }
  return blocks
}

function useOf(language: string, block: string, why: string | undefined): BlockUse {
  if (why !== undefined) return { kind: 'not-run', why }
  if (language === 'sh') return { kind: 'commands' }
  if (language === 'ts') return { kind: 'program' }
  if (language === 'text') return { kind: 'printed' }
  const file = /^# (\S+\.\w+)\n/.exec(block)?.[1]
  return file === undefined ? { kind: 'unknown' } : { kind: 'file', name: file }
}
