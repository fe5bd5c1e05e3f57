// The published package, built, unpacked into a project of its own and used as an outsider uses it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')
const project = mkdtempSync(join(tmpdir(), 'vouch-package-'))
after(() => rmSync(project, { recursive: true, force: true }))

before(() => {
  const out = join(project, 'built')
  const built = node(root, ['scripts/build.ts', out])
  assert.equal(built.status, 0, built.stderr + built.stdout)
  mkdirSync(join(project, 'node_modules'))
  cpSync(out, join(project, 'node_modules', 'vouch'), { recursive: true })
  // Its dependencies, as an install would lay them beside it.
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.') && name !== 'vouch')
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name))
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
})

test('vouch/runtime and vouch/apiserver work together in a project that knows nothing of this checkout', () => {
  writeFileSync(
    join(project, 'operator.js'),
    `import { createApiServer } from 'vouch/apiserver'
import { configMaps, createManager, defineController } from 'vouch/runtime'
import * as emulator from 'vouch/emulator'
import * as simulator from 'vouch/simulator'
const server = createApiServer()
const answer = await server.as()({ method: 'GET', target: '/version', headers: {}, body: null })
console.log(answer.status, typeof createManager, typeof defineController, typeof emulator.createAws, typeof simulator.explore, configMaps.plural)
await server.close()
`,
  )
  const ran = node(project, ['operator.js'])
  assert.equal(ran.stdout, '200 function function function function configmaps\n', ran.stderr)
})

test('its types are there for a project in TypeScript', () => {
  writeFileSync(
    join(project, 'typed.ts'),
    `import { createApiServer, type ApiServer } from 'vouch/apiserver'
import { configMaps, defineController, type Plan, type ResourceType } from 'vouch/runtime'
export const server: ApiServer = createApiServer({ emulate: '1.34' })
export const plan: Plan = { actions: [], conditions: [], next: { kind: 'await-change' } }
// @ts-expect-error there is no such version
createApiServer({ emulate: '1.1' })
export const controller = defineController
export const type: ResourceType = configMaps
`,
  )
  const args = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,esnext.disposable',
    '--types',
    'node',
    'typed.ts',
  ]
  const checked = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), args, { cwd: project, encoding: 'utf8' })
  assert.equal(checked.status, 0, checked.stdout)
})

test('the vouch program answers', () => {
  const ran = node(project, ['node_modules/vouch/dist/vouch.js', '--help'])
  assert.equal(ran.status, 0, ran.stderr)
  assert.match(ran.stdout, /Usage: vouch \[options\] \[command\]/)
  assert.match(ran.stdout, /\n {2}dev \[options\]/)
})

function node(cwd: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], { cwd, encoding: 'utf8' })
}
