import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { withoutVainHelp } from './command-line.ts'
import { completionsOf, renderCompletion } from './completion.ts'
import { createProgram } from './program.ts'

const all = completionsOf(createProgram(), { operator: [{ name: 'controllers', help: "which operators run; it's a list" }] })
const hasBash = spawnSync('bash', ['--version']).status === 0

interface Row {
  readonly typed: readonly string[]
  readonly offers: readonly string[]
}

const rows: readonly Row[] = [
  { typed: ['ope'], offers: ['operator'] },
  { typed: ['aws', 'ca'], offers: ['can'] },
  { typed: ['operator', '--contr'], offers: ['--controllers'] },
  { typed: ['render', '--he'], offers: ['--help'] },
  { typed: ['aws-cli-st'], offers: [] },
  { typed: ['webhook', 'aws', 'ca'], offers: [] },
  { typed: ['no-such-thing-of-vouch'], offers: [] },
]

test('bash offers the commands and flags that fit what was typed', { skip: hasBash ? false : 'there is no bash' }, () => {
  const script = renderCompletion('bash', all)
  for (const { typed, offers } of rows) {
    const words = ['vouch', ...typed].map(word => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _vouch; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${ask}`], { cwd: '/', encoding: 'utf8' })
    assert.deepEqual([stdout.split('\n').filter(line => line !== ''), stderr], [offers, ''], typed.join(' '))
  }
})

test('zsh takes the script of bash, and fish gets a line for each command and flag', () => {
  assert.ok(renderCompletion('zsh', all).endsWith(renderCompletion('bash', all)))
  const lines = renderCompletion('fish', all)
    .split('\n')
    .filter(line => line.startsWith('complete '))
  const words = all.reduce((sum, { commands, flags }) => sum + commands.length + flags.length, 0)
  assert.equal(lines.length, words)
  assert.ok(words > 50, `${words}`)
  const flag = lines.find(line => line.includes('-l controllers'))
  assert.equal(flag, "complete -c vouch -n '__vouch_at operator' -l controllers -d 'which operators run; it\\'s a list'")
})

const hasFish = spawnSync('fish', ['--version']).status === 0

test('fish knows `aws` below `webhook` from `aws` itself', { skip: hasFish ? false : 'there is no fish' }, t => {
  // Fish offers files too, which an empty folder has none of.
  const cwd = mkdtempSync(join(tmpdir(), 'vouch-fish-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const offered = (line: string): readonly string[] => {
    const script = `${renderCompletion('fish', all)}\ncomplete -C ${JSON.stringify(line)}`
    return spawnSync('fish', ['-c', script], { encoding: 'utf8', cwd })
      .stdout.split('\n')
      .flatMap(row => row.split('\t')[0] || [])
  }
  assert.deepEqual(offered('vouch aws ca'), ['can'])
  assert.deepEqual(offered('vouch webhook aws exp'), [])
  assert.deepEqual(offered('vouch operator --contr'), ['--controllers'])
})

test('the conditions of fish tell two commands of one name apart by all words before them', () => {
  const lines = renderCompletion('fish', all).split('\n')
  assert.ok(lines.some(line => line.includes("-n '__vouch_at aws' -a can ")))
  assert.ok(!lines.some(line => line.includes('__fish_seen_subcommand_from')))
})

test('help that is asked of a command that is not there is no help, but an error', () => {
  const asked = (...words: string[]): readonly string[] => withoutVainHelp(createProgram(), ['node', 'vouch', ...words]).slice(2)
  assert.deepEqual(asked('operatr', '--help'), ['operatr'])
  assert.deepEqual(asked('webhook', 'adit', '-h'), ['webhook', 'adit'])
  assert.deepEqual(asked('operator', '--help'), ['operator', '--help'])
  assert.deepEqual(asked('webhook', 'audit', '--help'), ['webhook', 'audit', '--help'])
  assert.deepEqual(asked('--help'), ['--help'])
  assert.deepEqual(asked('help'), ['help'])
  assert.deepEqual(asked('help', 'operator'), ['operator', '--help'])
  assert.deepEqual(asked('help', 'webhook', 'aws'), ['webhook', 'aws', '--help'])
  assert.deepEqual(asked('help', 'nothing'), ['nothing'])
})
