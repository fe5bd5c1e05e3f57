// The published package, built, packed, unpacked into a project of its own and used as an outsider uses it. What the pages show is
// compiled and run there by pages.test.ts.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { type Outsider, unpackForOutsider } from './package.ts'

let unpacked: Outsider | undefined
const outsider = (): Outsider => (unpacked ??= unpackForOutsider())
after(() => unpacked?.remove())

test('an operator written from the door for authors reconciles a cluster of vouch/apiserver', () => {
  const { write, run } = outsider()
  write({
    'operator.ts': `import { createApiServer } from 'vouch/apiserver'
import { defineController, kinds, testWorld, type Plan, type StoredObject } from 'vouch/runtime'
const labelled = defineController<StoredObject | undefined>({
  name: 'labels',
  claims: { type: kinds.configMaps },
  status: { kind: 'annotation', name: 'example.com/status' },
  reconciler: {
    observe: (key, world) => world.find(kinds.configMaps, key),
    decide: (seen): Plan => ({
      actions: seen === undefined ? [] : [
        {
          kind: 'patch',
          type: kinds.configMaps,
          key: { namespace: 'default', name: seen.metadata.name },
          uid: seen.metadata.uid,
          patch: 'merge',
          body: { metadata: { labels: { seen: 'yes' } } },
        },
      ],
      conditions: [],
      next: { kind: 'await-change' },
    }),
  },
})
const world = testWorld(clock => createApiServer({ clock }))
world.start({ controllers: [labelled] })
await world.client.create(kinds.configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'a' } })
await world.settle()
const { metadata } = await world.client.get(kinds.configMaps, { namespace: 'default', name: 'a' })
console.log(metadata.labels)
await world[Symbol.asyncDispose]()
`,
  })
  assert.equal(outsider().compile(['operator.ts']), '')
  const { stdout, stderr } = run(['operator.ts'])
  assert.equal(stdout, "{ seen: 'yes' }\n", stderr)
})

test('a mistake in the use of its types is told by the compiler', () => {
  const { write, compile } = outsider()
  write({
    'mistakes.ts': `import { createApiServer } from 'vouch/apiserver'
import type { Plan } from 'vouch/runtime'
createApiServer({ emulate: '1.1' })
export const plan: Plan = { actions: [], conditions: [], next: { kind: 'wait-for-ever' } }
`,
  })
  const told = compile(['mistakes.ts'])
  assert.match(told, /mistakes\.ts\(3,.*"1\.1"|mistakes\.ts\(3,.*'"1\.1"'/)
  assert.match(told, /mistakes\.ts\(4,.*wait-for-ever/)
  assert.equal(told.match(/error TS/g)?.length, 2, told)
})

test('every door of the package opens, and the door for authors stays short', () => {
  const { folder, write, run } = outsider()
  const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/vouch/package.json'), 'utf8')) as { exports: object }
  const doors = Object.keys(manifest.exports).filter(name => name !== './package.json')
  assert.deepEqual(doors.toSorted(), [
    './apiserver',
    './credentials',
    './emulator',
    './entra',
    './runtime',
    './runtime/parts',
    './simulator',
  ])
  const imports = doors.map((name, n) => `import * as d${n} from 'vouch/${name.slice(2)}'`)
  write({
    'doors.ts': `${imports.join('\n')}\nconsole.log(JSON.stringify([${doors.map((_, n) => `Object.keys(d${n})`).join(',')}]))\n`,
  })
  const { stdout, stderr } = run(['doors.ts'])
  const names = JSON.parse(stdout === '' ? '[]' : stdout) as string[][]
  assert.deepEqual([names.length, stderr], [doors.length, ''])
  for (const [n, door] of doors.entries()) assert.ok((names[n]?.length ?? 0) > 0, `${door} has no value`)
  const author = names[doors.indexOf('./runtime')] ?? []
  assert.ok(author.length <= 25, `${author.length} values for authors: ${author.join(', ')}`)
})

test('the package holds no test and nothing of a test world', () => {
  const all = readdirSync(join(outsider().folder, 'node_modules/vouch'), { recursive: true }) as string[]
  assert.ok(all.length > 100)
  assert.deepEqual(
    all.filter(name => !name.startsWith('examples/') && /\.test\.|\.fixture\.|\/testing\//.test(name)),
    [],
  )
})

test('the vouch program answers', () => {
  const ran = outsider().run(['node_modules/vouch/dist/vouch.js', '--help'])
  assert.equal(ran.status, 0, ran.stderr)
  assert.match(ran.stdout, /Usage: vouch \[options\] \[command\]/)
  assert.match(ran.stdout, /\n {2}dev {2,}the whole story/)
})

test('a Node that is too old is told what vouch needs, in a line that it can read', () => {
  const entry = join(outsider().folder, 'node_modules/vouch/dist/vouch.js')
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  outsider().write({ 'old.cjs': pretend })
  const { status, stdout, stderr } = outsider().run(['--require', './old.cjs', entry, '--version'])
  assert.deepEqual([status, stdout], [1, ''])
  assert.match(stderr, /^vouch needs Node 24 or newer; this is v[\d.]+\. Install it from https:\/\/nodejs\.org/)
  // What stands before the import is all that an old Node reads: no word of the last ten years.
  assert.doesNotMatch(readFileSync(entry, 'utf8'), /\b(?:const|let|import .* from|await|=>)/)
})

const packed = (): string => join(outsider().folder, 'node_modules/vouch')
const pagesIn = (folder: string): readonly string[] => globSync('**/*.md', { cwd: folder }).toSorted()

test('every link of a packed page leads to a file that is packed', () => {
  const pages = pagesIn(packed())
  const dead = pages.flatMap(page => {
    const text = readFileSync(join(packed(), page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
    const targets = [...text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)].map(([, target = '']) => target)
    const missing = targets.filter(target => !/^[a-z]+:/.test(target) && !existsSync(join(packed(), dirname(page), target)))
    return missing.map(target => `${page}: ${target}`)
  })
  assert.deepEqual(dead, [])
  for (const page of ['README.md', 'SECURITY.md', 'docs/reference/timeline.md', 'docs/guides/self-hosted-clusters.md'])
    assert.ok(pages.includes(page), page)
})

test('no packed page asks for a script of the checkout where a command of the package does the same', () => {
  const asking = pagesIn(packed()).flatMap(page => {
    const text = readFileSync(join(packed(), page), 'utf8')
    return [...text.matchAll(/npm (?:start|run vouch|run --silent vouch).*/g)].map(([line]) => `${page}: ${line}`)
  })
  assert.deepEqual(asking, [])
})

test('a page that a help names is packed', () => {
  const { stdout } = outsider().run(['node_modules/vouch/dist/vouch.js', 'dev', '--help'])
  const [page = ''] = /docs\/\S+\.md/.exec(stdout.replaceAll(/\n +/g, ' ')) ?? []
  assert.ok(existsSync(join(packed(), page)), stdout)
})
