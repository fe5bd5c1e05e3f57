// No block of a guide is left out of the tests without the page saying why. The commands and files are carried out by
// guides, install-page and dns-move of test/real, which need kubectl, Helm, the AWS CLI and Go, and by azure-guides.test.ts; programs by
// pages.test.ts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { guideBlocks, guideNames } from './guide-blocks.ts'

const followed = ['guides', 'install-page', 'dns-move']
  .map(name => `../real/${name}.real.test.ts`)
  .concat('azure-guides.test.ts')
  .map(name => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join()

for (const name of guideNames)
  test(`${name}: each block is a file, commands, a program or an output, or the page says why it is not run`, () => {
    const blocks = guideBlocks(name)
    assert.deepEqual(
      blocks.filter(({ use }) => use.kind === 'unknown').map(({ heading, text }) => `${heading}: ${text.split('\n')[0] ?? ''}`),
      [],
    )
    const isTyped = blocks.some(({ use }) => use.kind === 'commands')
    assert.equal(isTyped, followed.includes(`followGuide('${name}'`), 'a guide with commands is followed by a test')
    // An output that nothing printed could not be found.
    for (const [at, { use }] of blocks.entries())
      if (use.kind === 'printed') assert.equal(blocks[at - 1]?.use.kind, 'commands', name)
  })

test('the guides are found, and most of what they show is carried out', () => {
  const blocks = guideNames.flatMap(guideBlocks)
  assert.ok(guideNames.length > 10)
  const left = blocks.filter(({ use }) => use.kind === 'not-run')
  assert.ok(left.length * 3 < blocks.length, `${left.length} of ${blocks.length}`)
})

/** What stands for something of the reader's: an account, a region, a context of his kubeconfig, a name in angle brackets. */
const own = [/\b\d{12}\b/g, /\b(?:us|eu)-[a-z]+-\d\b/g, /--context (\S+)/g, /(?<![<\w])<([a-z][a-z ]+)>/g]

for (const name of guideNames)
  test(`${name}: what a reader has to replace is named before the first block`, () => {
    const blocks = guideBlocks(name).filter(({ use }) => use.kind === 'commands' || use.kind === 'file')
    const values = blocks.flatMap(({ text }) =>
      own.flatMap(pattern => [...text.matchAll(pattern)].map(([all, inner]) => inner ?? all)),
    )
    const page = readFileSync(join(import.meta.dirname, '../../docs/guides', name), 'utf8')
    const [, replaced = ''] = /(?<=\n)Yours instead: ([\s\S]*?)(?:\n\n|\n$)/.exec(page.split('\n```')[0] ?? '') ?? []
    assert.deepEqual(
      [...new Set(values)].filter(value => !replaced.includes(`\`${value}\``)),
      [],
    )
  })
