// One word for one thing in all pages that people write: the words of the glossary in ARCHITECTURE.md, and not their rivals.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../..')
const pages = ['README.md', 'SECURITY.md', 'docs/installed.md', 'docs/{guides,reference,security}/*.md', '{src,examples}/**/*.md']

/** Descriptions of the API stand in clusters already, and in charts: they are not reworded for a page. */
const made = ['docs/reference/kinds.md', 'docs/reference/proven-kinds.md']

const rivals: readonly { readonly word: RegExp; readonly instead: string }[] = [
  { word: /\b(?:workload|member|remote|spoke|managed|downstream|guest) clusters?\b/i, instead: 'target' },
  { word: /\b(?:management|central|host) clusters?\b|\bhub clusters?\b/i, instead: 'hub' },
  {
    word: /\bRoles?\b(?! of the identity API)/,
    instead: 'binding, for an AWSServiceAccountRole; role, for one in IAM; `Role`, for the kind',
  },
  { word: /\b(?:role bindings?|identity bindings?)\b/i, instead: 'binding' },
]

/** Of the reader's own words: headings and sentences, without code, links and names of files. */
function prose(text: string): string {
  return text
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/`[^`\n]*`/g, '')
    .replaceAll(/\]\([^)]*\)/g, ']')
}

/** A word that begins a sentence, a cell or a heading has a capital for that reason. */
const beginnings = /(?<=^|[.:;|] |[#>-] |\[)Role(?=s?\b)/gm

function found(text: string): readonly string[] {
  const words = prose(text).replaceAll(beginnings, 'role')
  return rivals.flatMap(({ word, instead }) => (word.test(words) ? [`${word.exec(words)?.[0] ?? ''}: say ${instead}`] : []))
}

test('every page speaks of hub, target, cluster and binding by these words', () => {
  const names = globSync(pages, { cwd: top }).filter(name => !made.includes(name))
  assert.ok(names.length > 30)
  const wrong = names.flatMap(name => found(readFileSync(join(top, name), 'utf8')).map(word => `${name}: ${word}`))
  assert.deepEqual(wrong, [])
})

test('a rival of a word of ours is found in a sentence, and not in code', () => {
  assert.equal(found('It reaches the Workload cluster.').length, 1)
  assert.equal(found('Delete the Roles first.').length, 1)
  assert.deepEqual(found('Roles for pods of a cluster\n`kind: Role` of the hub'), [])
})
