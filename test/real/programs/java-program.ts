// A program in Java: Maven fetches the libraries that its pom pins, javac compiles its one file. No plugin but the one that copies
// libraries is needed, which keeps a first build at a few seconds and a few megabytes.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type BuiltProgram, buildMsMax, builtProgram, lastWords } from './built-program.ts'

/** The folder holds `classes` and `lib`; see `javaArguments`. */
export function javaProgram(folder: string, what: string, main: string): BuiltProgram {
  const needed = ['javac', 'mvn'].filter(program => spawnSync(program, ['-version']).status !== 0)
  if (needed.length > 0) {
    return {
      skipped: `${needed.join(' and ')} not installed: install a JDK of 17 or newer and Maven (Debian: default-jdk, maven)`,
    }
  }
  return builtProgram({
    folder,
    what,
    files: ['pom.xml', `${main}.java`],
    build: (source, path) => build(source, path, main),
  })
}

/** Starting quickly counts, running fast does not: these programs make a few calls and end. */
export function javaArguments(path: string, main: string): readonly string[] {
  const classes = [join(path, 'classes'), join(path, 'lib', '*')].join(delimiter)
  return ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto', '-cp', classes, main]
}

function build(source: string, path: string, main: string): string | undefined {
  const options = { cwd: source, timeout: buildMsMax, encoding: 'utf8' } as const
  const lib = join(path, 'lib')
  const fetched = spawnSync('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${lib}`], options)
  if (fetched.status !== 0) return gone(path, `mvn could not fetch what the pom of ${main} names: ${failureOf(fetched.stdout)}`)
  const classes = join(path, 'classes')
  const made = spawnSync('javac', ['-encoding', 'UTF-8', '-d', classes, '-cp', join(lib, '*'), `${main}.java`], options)
  return made.status === 0 ? undefined : gone(path, `javac failed: ${lastWords(made.stderr)}`)
}

/** A half-made folder would be left in the cache for ever. */
function gone(path: string, trouble: string): string {
  rmSync(path, { recursive: true, force: true })
  return trouble
}

/** Maven marks many lines as errors, in colours; the longest is the one that says what it could not do. */
function failureOf(stdout: string | null): string {
  const marked = stripVTControlCharacters(stdout ?? '')
    .split('\n')
    .filter(line => line.includes('[ERROR]'))
  const longest = marked.reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest === '' ? lastWords(stdout) : lastWords(longest.replaceAll('[ERROR]', '').trim())
}
