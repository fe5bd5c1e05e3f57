// The chores teach with `--help` and refuse what is misspelt before anything begins: one table says what each takes, and no chore reads its
// arguments past it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { benches } from '../../bench/commands.ts'
import { commands } from './commands.ts'
import { type CommandShape, readFlags } from './flags.ts'

const top = join(import.meta.dirname, '..', '..')
const shape: CommandShape = {
  command: 'npm run example --',
  does: 'Shows how.',
  flags: {
    count: { value: 'N', help: 'how many', default: '3' },
    sizes: { value: 'N,N', help: 'of which size' },
    name: { value: 'NAME', help: 'whose', many: true },
    day: { value: 'N', help: 'a day', bare: true },
    quiet: { help: 'say nothing' },
  },
}

/** What comes of the arguments, in one line. */
function outcomeOf(args: readonly string[], of: CommandShape = shape): unknown {
  const reading = readFlags(of, args)
  if (reading.kind === 'wrong') return reading.message
  if (reading.kind === 'help') return 'help'
  const { given } = reading
  return [given.text('count'), given.find('sizes'), given.all('name'), given.find('day'), given.isGiven('quiet'), given.words]
}

test('flags are read in every form, and nothing else is taken', () => {
  const rows: readonly (readonly [args: readonly string[], outcome: unknown])[] = [
    [[], ['3', undefined, [], undefined, false, []]],
    [
      ['--count', '4', '--count=5'],
      ['5', undefined, [], undefined, false, []],
    ],
    [
      ['--sizes=10,20', '--quiet'],
      ['3', '10,20', [], undefined, true, []],
    ],
    [
      ['--name', 'a', '--name', 'b'],
      ['3', undefined, ['a', 'b'], undefined, false, []],
    ],
    [
      ['--day', '--quiet'],
      ['3', undefined, [], '', true, []],
    ],
    [
      ['--day', '20'],
      ['3', undefined, [], '20', false, []],
    ],
    [
      ['--name', ''],
      ['3', undefined, [''], undefined, false, []],
    ],
    [['--quiet', '--help', '--nonsense'], 'help'],
    [['-h'], 'help'],
    [['--cuont', '4'], 'there is no flag --cuont; did you mean "--count"?'],
    [['--nonsense'], 'there is no flag --nonsense'],
    [['--toString'], 'there is no flag --toString'],
    [['--count'], '--count lacks its value: --count N'],
    [['--count', '--quiet'], '--count lacks its value: --count N'],
    [['--count', 'ten'], '--count ten: give N, where N is a number'],
    [['--sizes', '10,'], '--sizes 10,: give N,N, where N is a number'],
    [['--quiet=yes'], '--quiet takes no value'],
    [['word'], '"word" is no flag, and nothing else is taken'],
  ]
  for (const [args, outcome] of rows) assert.deepEqual(outcomeOf(args), outcome, args.join(' '))
  assert.deepEqual(outcomeOf(['a', '--quiet', 'b'], { ...shape, words: '[WORD...]' }), [
    '3',
    undefined,
    [],
    undefined,
    true,
    ['a', 'b'],
  ])
})

test('the help names what may be given, with values and defaults', () => {
  const reading = readFlags(shape, ['--help'])
  assert.equal(
    reading.kind === 'help' ? reading.text : reading.kind,
    `usage: npm run example -- [FLAGS]

Shows how.

  --count N    how many (default 3)
  --sizes N,N  of which size
  --name NAME  whose
  --day [N]    a day
  --quiet      say nothing`,
  )
})

test('whoever asks for a flag that the table lacks made a mistake, and is told', () => {
  const reading = readFlags(shape, [])
  assert.ok(reading.kind === 'read')
  assert.throws(() => reading.given.isGiven('other'), /npm run example -- asks for --other/)
  assert.throws(() => reading.given.text('sizes'), /which has no default/)
})

/** Programs with command lines of their own, and the benchmarks, which have a table each. */
const others = ['start', 'vouch', 'format', 'bench']

test('every npm script has its row in the table, and takes its flags by it', () => {
  const { scripts } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const named = Object.keys(scripts).filter(name => !others.includes(name))
  assert.deepEqual(Object.keys(commands).toSorted(), named.toSorted())
  for (const name of named.filter(one => one !== 'test:real')) {
    const source = readFileSync(join(top, scripts[name]?.split(' ').at(-1) ?? ''), 'utf8')
    assert.match(source, /takeFlags\(/, name)
    assert.doesNotMatch(source, /parseArgs|argv\.includes\('--(?!real)/, `${name} reads its arguments past the table`)
  }
})

test('every benchmark has its row in the table, with every flag that it looks for', () => {
  const files = globSync('*.bench.ts', { cwd: join(top, 'bench') })
  assert.deepEqual([...benches.keys()].toSorted(), files.map(file => basename(file, '.bench.ts')).toSorted())
  for (const file of files) {
    const source = readFileSync(join(top, 'bench', file), 'utf8')
    const known = Object.keys(benches.get(basename(file, '.bench.ts'))?.flags ?? {})
    const options = /parseArgs\(\{[\s\S]*?\n? *\}\)/.exec(source)?.[0] ?? ''
    const looked = [
      ...source.matchAll(/(?:args\.includes|after|numberAfter|numbersAfter)\((?:args, )?'--([a-z-]+)'/g),
      ...options.matchAll(/'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/g),
    ].map(([, name]) => name ?? '')
    assert.deepEqual([...new Set(looked)].toSorted(), known.toSorted(), file)
  }
})

test('a benchmark, the simulator and the table of kinds teach and refuse, and begin nothing', () => {
  const run = (...args: readonly string[]): readonly unknown[] => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(top, 'scripts/run.mjs'), ...args], { encoding: 'utf8' })
    return [status, stdout.split('\n')[0], stderr.split('\n')[0]]
  }
  assert.deepEqual(run('bench/main.ts', 'fleet', '--help'), [0, 'usage: npm run bench -- fleet [FLAGS]', ''])
  assert.deepEqual(run('bench/main.ts', 'fleet', '--clustres', '9'), [
    2,
    '',
    'there is no flag --clustres; did you mean "--clusters"?',
  ])
  assert.deepEqual(run('bench/main.ts', 'flet'), [2, '', 'there is no benchmark "flet"; did you mean "fleet"?'])
  assert.deepEqual(run('scripts/kinds.ts', '--wirte'), [2, '', 'there is no flag --wirte; did you mean "--write"?'])
  assert.deepEqual(run('scripts/sim.ts', '--faults', 'F99'), [2, '', 'there is no fault "F99"; npm run sim -- --help lists them'])
})
