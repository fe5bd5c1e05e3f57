// What the pages show works for somebody who has the packed package and nothing else: every code block is compiled, every test in it
// passes, and the operator of the guide does its work on a cluster of `vouch apiserver`.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { followMirror } from './follow-mirror.ts'
import { type Outsider, unpackForOutsider } from './package.ts'
import { codeIn, codeOfPages } from './page-code.ts'

const pages = codeOfPages()
const example = join(import.meta.dirname, '../../examples/configmap-mirror')
let unpacked: Outsider | undefined
after(() => unpacked?.remove())

/** The folder of the outsider, with the files of every page in a folder of its own. */
function reader(): Outsider {
  if (unpacked !== undefined) return unpacked
  unpacked = unpackForOutsider()
  unpacked.add('@aws-sdk/client-iam', '@aws-sdk/client-s3')
  for (const { page, files } of pages)
    unpacked.write(Object.fromEntries([...files].map(([name, text]) => [`${folderOf(page)}/${name}`, text])))
  return unpacked
}

const folderOf = (page: string): string => page.replaceAll(/[/.]/g, '-')
const guide = 'docs/guides/write-an-operator.md'
const filesOfPages = pages.flatMap(({ page, files }) => [...files.keys()].map(name => `${folderOf(page)}/${name}`))

test('every code block of a page names its file', () => {
  assert.deepEqual(
    pages.flatMap(({ page, unnamed }) => unnamed.map(line => `${page}: ${line}`)),
    [],
  )
  assert.ok(filesOfPages.length >= 6, filesOfPages.join(', '))
})

test('blocks of one name are one file, and a block without a name is found', () => {
  const { files, unnamed } = codeIn('x.md', '```ts\n// a.ts\none\n```\ntext\n```ts\n// a.ts\ntwo\n```\n```ts\nthree()\n```\n')
  assert.deepEqual([[...files], unnamed], [[['a.ts', 'one\n\ntwo\n']], ['three()']])
})

test('the code of every page compiles against the packed package', () => {
  assert.equal(reader().compile(filesOfPages), '')
})

test('the tests and programs that pages show do what they say', () => {
  const programs = filesOfPages.filter(file => !file.endsWith('/main.ts') && !file.endsWith('write-an-operator-md/mirror.ts'))
  for (const file of programs) {
    const args = file.endsWith('.test.ts') ? ['--test', '--test-reporter=tap', file] : [file]
    const { status, stdout, stderr } = reader().run(args)
    assert.equal(status, 0, `${file}\n${stdout}${stderr}`)
    // A file in which nothing is tested would be green as well.
    if (file.endsWith('.test.ts')) assert.match(stdout, /^# pass [1-9]\d*$/m, file)
    else assert.notEqual(stdout, '', file)
  }
  assert.ok(programs.length >= 4, programs.join(', '))
})

test('the example is what the guide shows', () => {
  const shown = pages.find(({ page }) => page === guide)?.files ?? new Map<string, string>()
  assert.deepEqual(readdirSync(example).toSorted(), [...shown.keys()].toSorted())
  for (const [name, text] of shown) assert.equal(text, readFileSync(join(example, name), 'utf8'), name)
})

test('the operator of the guide runs as a process on a cluster', async () => {
  const { folder, start } = reader()
  const kubeconfig = join(folder, 'kubeconfig')
  const cluster = start(['node_modules/vouch/dist/vouch.js', 'apiserver', '--kubeconfig', kubeconfig])
  try {
    // Its first line says that it serves.
    await once(cluster.stdout ?? cluster, 'data')
    await followMirror({ kubeconfig, start: env => start([`${folderOf(guide)}/main.ts`], env) })
  } finally {
    cluster.kill('SIGTERM')
    await once(cluster, 'exit')
  }
})
