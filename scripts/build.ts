// `npm run build [-- FOLDER]`: the published package, by default in dist/package: one bundle per entry (Node strips no types below node_modules), declarations, and
// a package.json that names what is there. Dependencies stay outside the bundles: they are installed, audited and updated as themselves.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'
import { renderPackageLock } from './package/lock.ts'
import { writeInOneByte } from './package/one-byte.ts'
import { packPages } from './package/pages.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly imports: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly [key: string]: unknown
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const out = resolve(takeFlags(commands['build']).words[0] ?? join(root, 'dist', 'package'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
/** What outsiders import: the name after `vouch/`, and its source. In the checkout the same names lead to the sources themselves. */
const doors = Object.entries(manifest.exports)
  .filter(([, path]) => path.endsWith('.ts'))
  .map(([name, path]) => ({ name: name.replace('./', ''), source: path.replace('./', '') }))

/** In words that a Node of ten years ago reads: whoever has too old a one is told so, and not shown the first line that it cannot read. */
const entry = `#!/usr/bin/env node
var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error('vouch needs Node 24 or newer; this is ' + process.version + '. Install it from https://nodejs.org, or: npx --package node@24 --package vouch vouch')
  process.exit(1)
}
import('./main.js')
`

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
await bundle()
declarations()
writeManifest()
packPages(root, out)
packDeployment()
for (const name of ['vouch', ...doors.map(door => door.name)])
  console.log(
    `${relative(root, join(out, 'dist', `${name}.js`))} ${(statSync(join(out, 'dist', `${name}.js`)).size / 1024).toFixed(0)} kB`,
  )

async function bundle(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts', ...Object.fromEntries(doors.map(({ name, source }) => [name, source])) },
    outdir: join(out, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: Object.keys(manifest.dependencies),
    loader: { '.json': 'json' },
    define: { VOUCH_COMMIT: JSON.stringify(commit()), VOUCH_COMMIT_DATE: JSON.stringify(commitDate()) },
    legalComments: 'none',
    logLevel: 'warning',
  })
  writeInOneByte(join(out, 'dist'))
  writeFileSync(join(out, 'dist', 'vouch.js'), entry, { mode: 0o755 })
}

/** Of a checkout; whoever builds from an archive names it. */
function commit(): string {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return process.env['VOUCH_COMMIT'] ?? (status === 0 ? stdout.trim() : 'unknown')
}

/** In UTC, to the second. */
function commitDate(): string {
  const { stdout, status } = spawnSync('git', ['log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%dT%H:%M:%SZ'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
  })
  return process.env['VOUCH_COMMIT_DATE'] ?? (status === 0 ? stdout.trim() : 'unknown')
}

function declarations(): void {
  // The compiler wants a project file for what to leave out; it lies in the output for a moment.
  const config = join(out, 'tsconfig.json')
  const project = {
    extends: join(root, 'tsconfig.json'),
    include: [join(root, 'src')],
    exclude: ['src/**/*.test.ts', 'src/**/*.fixture.ts', 'src/**/testing'].map(pattern => join(root, pattern)),
  }
  const typeRoots = [join(root, 'node_modules/@types')]
  // What `npm run check` remembers is of other options.
  writeFileSync(config, JSON.stringify({ ...project, compilerOptions: { typeRoots, incremental: false, tsBuildInfoFile: null } }))
  const args = ['-p', config, '--noEmit', 'false', '--emitDeclarationOnly', '--rootDir', root, '--outDir', join(out, 'types')]
  const done = spawnSync(join(root, 'node_modules', '.bin', 'tsc'), args, { stdio: 'inherit' })
  rmSync(config)
  if (done.status !== 0) process.exit(done.status ?? 1)
}

/** What an installation on clusters starts from: the charts, and the image with its lock. */
function packDeployment(): void {
  for (const name of ['Dockerfile', '.dockerignore']) cpSync(join(root, name), join(out, name))
  cpSync(join(root, 'deploy', 'charts'), join(out, 'deploy', 'charts'), { recursive: true })
  writeFileSync(join(out, 'deploy', 'package-lock.json'), renderPackageLock(root))
}

function writeManifest(): void {
  const { scripts: _, devDependencies: __, imports, files: ___, ...rest } = manifest
  const published = {
    ...rest,
    bin: { vouch: './dist/vouch.js' },
    // Only the declarations still speak of rooms by these names.
    imports: Object.fromEntries(
      Object.entries(imports).map(([name, path]) => [
        name,
        { types: path.replace('./src/', './types/src/').replace(/\.ts$/, '.d.ts') },
      ]),
    ),
    exports: {
      ...Object.fromEntries(
        doors.map(({ name, source }) => [
          `./${name}`,
          { types: `./types/${source.replace(/\.ts$/, '.d.ts')}`, default: `./dist/${name}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
  }
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
}
