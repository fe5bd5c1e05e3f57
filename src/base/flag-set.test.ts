import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError, type FlagValues, flagOf, parseFlags } from './flag-set.ts'

const flags = [
  flagOf.text('name', 'nobody', 'a name'),
  flagOf.boolean('loud', false, 'loudly'),
  flagOf.integer('count', 3, 'how many'),
  flagOf.duration('wait', '5s', 'how long'),
]

function read(args: readonly string[], fallback: Readonly<Record<string, string>> = {}): readonly unknown[] {
  const values: FlagValues = parseFlags(flags, args, new Map(Object.entries(fallback)))
  const given = [...values.given].join()
  return [values.text('name'), values.boolean('loud'), values.integer('count'), values.durationMs('wait'), given]
}

const taken: readonly (readonly [args: readonly string[], values: readonly unknown[]])[] = [
  [[], ['nobody', false, 3n, 5_000, '']],
  [
    ['--name=ann', '--count=+4', '--wait=1m'],
    ['ann', false, 4n, 60_000, 'name,count,wait'],
  ],
  [
    ['-name', 'ann', '-loud', '--count', '9'],
    ['ann', true, 9n, 5_000, 'name,loud,count'],
  ],
  [
    ['--loud=false', '--name='],
    ['', false, 3n, 5_000, 'loud,name'],
  ],
  [
    ['--name=a=b', '--name=c'],
    ['c', false, 3n, 5_000, 'name'],
  ],
]

for (const [args, values] of taken)
  test(`flags are read as Go programs take them: ${args.join(' ')}`, () => assert.deepEqual(read(args), values))

test('what stands in a file counts where no flag says otherwise', () => {
  assert.deepEqual(read(['--count=1'], { count: '2', name: 'ann' }), ['ann', false, 1n, 5_000, 'count,name'])
  assert.throws(() => read([], { colour: 'red' }), /^FlagError: unknown key: colour$/)
})

const refused: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['--nmae=x'], /unknown option '--nmae'/],
  [['--name'], /option '--name' argument missing/],
  [['ann'], /"ann" is no flag; flags look like --name=value/],
  [['--count=many'], /option '--count' argument 'many' is invalid/],
  [['--wait=soon'], /option '--wait' argument 'soon' is invalid/],
  [['--loud=perhaps'], /option '--loud' argument 'perhaps' is invalid/],
]

for (const [args, message] of refused)
  test(`flags are refused in words that name them: ${args.join(' ')}`, () =>
    assert.throws(
      () => read(args),
      (error: unknown) => error instanceof FlagError && message.test(error.message),
    ))

test('the flag that was meant is told as it is typed', () => {
  assert.throws(() => read(['--nmae=x']), { meant: '--name' })
  assert.throws(() => read(['--colour=x']), { meant: undefined })
})
