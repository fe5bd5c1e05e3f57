// The benches whose smallest run takes a second or a few: that they start, measure and end. How fast anything is nobody asks here.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runIn } from './vouch-process.ts'

const top = join(import.meta.dirname, '../..')

for (const [args, figures] of [
  [
    'identity --children --bindings 2',
    /\n2 bindings at once: all Ready after [\d.]+ m?s .*\n(?:.*\n)+restart of .* with 42 bindings: .* 0 writes/,
  ],
  ['certificates --small --only one', /\none Cert from apply to Ready, .* 20 times: p50 [\d.]+ ms/],
  ['hosted 2', /\nwrites at rest, every plane looked at twice +0\n/],
  ['resources 5 --only roles', /\n +5 +[\d.]+ +\d+ +6\.0 +3\.0 /],
  ['client 20 20', /\n20 events: CPU +[\d.]+ +[\d.]+ ms +[\d.]+\n/],
] as const)
  test(`npm run bench -- ${args} measures to its end`, async () => {
    const { code, stdout, stderr } = await runIn(
      top,
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'bench/main.ts', ...args.split(' ')],
      {},
    )
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    assert.match(stdout, figures)
  })
