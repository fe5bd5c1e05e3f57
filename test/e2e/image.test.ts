// The Dockerfile, as far as it can be tried without an engine: what it copies is in the package, what it installs is locked, and what it
// starts starts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { webhookCharts, webhookFiles } from '../../src/cli/charts/webhook-files.ts'
import { type Outsider, unpackForOutsider } from './package.ts'

type Locked = Readonly<Record<string, { readonly version: string; readonly integrity?: string }>>

const root = join(import.meta.dirname, '../..')
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
let unpacked: Outsider | undefined
const outsider = (): Outsider => (unpacked ??= unpackForOutsider())
after(() => unpacked?.remove())

const packed = (name: string): string => join(outsider().folder, 'node_modules/vouch', name)

test('every file that the image copies is in the package, and its .dockerignore lets it and nothing else through', () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, source = '']) => source)
  assert.ok(sources.includes('package.json') && sources.includes('dist'))
  for (const source of sources) assert.ok(existsSync(packed(source)), source)
  assert.equal(readFileSync(packed('Dockerfile'), 'utf8'), dockerfile)
  const [first, ...rest] = readFileSync(packed('.dockerignore'), 'utf8')
    .split('\n')
    .filter(line => line !== '' && line[0] !== '#')
  assert.equal(first, '*')
  assert.deepEqual(rest.toSorted(), [...new Set(sources)].map(source => `!${source}`).toSorted())
})

test('its lock is the one of the manifest: npm installs from it what this checkout is tested with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-image-'))
  try {
    copyFileSync(packed('package.json'), join(folder, 'package.json'))
    copyFileSync(packed('deploy/package-lock.json'), join(folder, 'package-lock.json'))
    const [, command = ''] = /^RUN (npm ci .*)$/m.exec(dockerfile) ?? []
    const install = (): ReturnType<typeof spawnSync> =>
      spawnSync('npm', [...command.split(' ').slice(1), '--dry-run', '--offline', '--loglevel=notice'], {
        cwd: folder,
        encoding: 'utf8',
      })
    const done = install()
    assert.equal(done.status, 0, String(done.stderr))
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Locked }
    const locked = Object.entries(packages).filter(([path]) => path !== '')
    assert.match(String(done.stdout), new RegExp(`added ${locked.length} packages`))
    for (const [path, { version, integrity }] of locked) {
      const { version: installed } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { version: string }
      assert.deepEqual([version, typeof integrity], [installed, 'string'], path)
    }
    // A lock that is not of this manifest is refused, and not mended silently.
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
    writeFileSync(join(folder, 'package.json'), manifest.replace(/"pino": "[^"]+"/, '"pino": "1.0.0"'))
    assert.notEqual(install().status, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('its entry and the commands that it lays down start the program', () => {
  const entries = [...dockerfile.matchAll(/\/vouch\/(dist\/\S+\.js)((?: [a-z]+)*)/g)]
  assert.equal(entries.length, 4)
  for (const [, file = '', words = ''] of entries) {
    const args = words.split(' ').filter(word => word !== '')
    const { status, stdout, stderr } = outsider().run([join('node_modules/vouch', file), ...args, '--help'])
    assert.equal(status, 0, stderr)
    assert.match(stdout, /Usage/)
  }
})

test('it has the Node that the package asks for, is nobody in particular, and has the command that the manifests start', async () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    engines: { node: string }
  }
  const [, major = ''] = /^FROM node:(\d+)\./m.exec(dockerfile) ?? []
  assert.equal(`>=${major}`, engines.node)
  assert.match(dockerfile, /^USER 65532:65532$/m)
  for (const chart of webhookCharts) {
    const webhook = (await webhookFiles(chart)).find(([name]) => name === 'templates/webhook.yaml')?.[1] ?? ''
    const [, command = ''] = /command:\n\s+- (\S+)/.exec(webhook) ?? []
    assert.ok(dockerfile.includes(`> ${command} `) || dockerfile.includes(`> ${command}\n`), command)
  }
})
