// Every metric that a table of the specifications names is made somewhere, with the type that the table gives it. The specifications are no
// part of the repository; without them the test is skipped and says so.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../..')
const specifications = join(resolve(process.env['VOUCH_SHARED'] ?? join(top, '../shared')), 'spec')
const skip = existsSync(specifications)
  ? false
  : `skipped: the specifications are not here (${specifications}; VOUCH_SHARED names another folder)`

/** Tables of metrics by page and heading. What is there only with another provider is not built. */
const tables = [
  { page: 'identity-webhooks.md', heading: '### 2.16 Metrics [A]' },
  { page: 'identity-webhooks.md', heading: '### 5.7 Metrics common to both [X]' },
  { page: 'aws-workload-identity.md', heading: '## 10.2 Counters' },
  { page: 'acm-cert-operator.md', heading: '## 10. Metrics' },
] as const

const made = new Map(
  globSync('src/**/*.ts', { cwd: top, exclude: ['**/*.test.ts'] }).flatMap(file =>
    [...readFileSync(join(top, file), 'utf8').matchAll(/\.(counter|gauge|histogram|summary)\(\s*'([a-z_]+)'/g)].map(
      ([, type = '', name = '']): [string, string] => [name, type],
    ),
  ),
)

test('metrics are found where they are made', () => {
  assert.equal(made.get('controller_runtime_reconcile_total'), 'counter')
  assert.ok(made.size > 50, `only ${made.size}`)
})

for (const { page, heading } of tables) {
  test(`the metrics of ${page} ${heading.replaceAll('#', '').trim()} are made, each of its type`, { skip }, () => {
    const text = readFileSync(join(specifications, page), 'utf8')
    const start = text.indexOf(`${heading}\n`)
    assert.ok(start >= 0, 'there is no such heading')
    const end = text.indexOf('\n#', start + heading.length)
    const rows = text.slice(start, end < 0 ? undefined : end).matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| ([^|]*) \|/gm)
    const wanted = [...rows].flatMap(([, names = '', type = '']) =>
      [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = ''], index): [string, string] => [name, typeOf(type, index)]),
    )
    // The table of labels below the counters has no types, and its names are no metrics.
    const metrics = wanted.filter(([name]) => /_/.test(name) && /^(?:http|pod|cert|identity|awio)/.test(name))
    assert.ok(metrics.length >= 5, `only ${metrics.length} metrics in the table`)
    assert.deepEqual(
      metrics.map(([name]) => [name, made.get(name)]),
      metrics.map(([name, type]) => [name, type]),
    )
  })
}

/** A table of counters says so in its heading; a row of two metrics may name two types, in their order. */
function typeOf(cell: string, index: number): string {
  const types = cell.split(', ')
  return /^(counter|gauge|histogram|summary)/.exec((types[index] ?? types[0] ?? '').replace(/s\b/, ''))?.[1] ?? 'counter'
}
