// The Dockerfile, as far as it can be tried without an engine: what it copies is what the build makes, and what it starts starts.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { podsFiles } from '../../src/cli/charts/pods-files.ts'
import { type Outsider, unpackForOutsider } from './package.ts'

const dockerfile = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
let unpacked: Outsider | undefined
const outsider = (): Outsider => (unpacked ??= unpackForOutsider())
after(() => unpacked?.remove())

test('every file that the image copies from the checkout is one of the built package', () => {
  const sources = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, source = '']) => source)
  assert.deepEqual(sources, ['dist/package/package.json', 'dist/package'])
  for (const source of sources) {
    const inPackage = source.replace(/^dist\/package\/?/, '')
    assert.ok(existsSync(join(outsider().folder, 'node_modules/vouch', inPackage)), source)
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
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    engines: { node: string }
  }
  const [, major = ''] = /^FROM node:(\d+)\./m.exec(dockerfile) ?? []
  assert.equal(`>=${major}`, engines.node)
  assert.match(dockerfile, /^USER 65532:65532$/m)
  const webhook = (await podsFiles()).find(([name]) => name === 'templates/webhook.yaml')?.[1] ?? ''
  const [, command = ''] = /command:\n\s+- (\S+)/.exec(webhook) ?? []
  assert.ok(dockerfile.includes(`> ${command} `) || dockerfile.includes(`> ${command}\n`), command)
})
