import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { flagOf } from '#base'
import { separate } from './command-line.ts'

const command = new Command('look')
  .option('-f, --filename <paths...>')
  .option('--name <name>')
  .option('-o, --output <form>')
  .option('--wide')
const lent = [flagOf.text('region', '', ''), flagOf.boolean('checks', false, ''), flagOf.text('o', '', '')]

const rows: readonly (readonly [what: string, line: string, separated: string])[] = [
  ['nothing of the other program', '--name a', '--name a'],
  ['its flags among ours', '--region=x --name a --checks', '--name a -- --region=x --checks'],
  ['a value as a word of its own', '--region x --wide', '--wide -- --region x'],
  ['its flags behind --, which may have names of ours', '--name a -- --name b', '--name a -- --name b'],
  ['a single dash, as programs in Go take it', '-region=x -checks --wide', '--wide -- -region=x -checks'],
  ['a short name of ours, which the other program has too', '-o json', '-o json'],
  ['a short name with its value in one word', '-ojson', '-ojson'],
  ['several values of one option', '-f a b --region x', '-f a b -- --region x'],
  ['a second --, which is for the other program', '-- --region x -- y', '-- --region x -- y'],
]
for (const [what, line, separated] of rows)
  test(`words of a command and of the program whose flags it takes are told apart: ${what}`, () => {
    assert.equal(separate(command, lent, line.split(' ')).join(' '), separated)
  })

for (const [line, missing] of [
  ['--name -- --region x', '--name <name>'],
  ['--region -- --name a', '--region'],
  ['--name', '--name <name>'],
  ['--region', '--region'],
] as const)
  test(`a value that is missing is not made of what comes next: ${line}`, () => {
    assert.throws(() => separate(command, lent, line.split(' ')), new RegExp(`^FlagError: option '${missing}' argument missing$`))
  })

test('a flag that neither knows is told with the one that was meant', () => {
  assert.throws(
    () => separate(command, lent, ['-regoin=x']),
    error =>
      error instanceof Error && error.message === "unknown option '--regoin'" && 'meant' in error && error.meant === '--region',
  )
})
