import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readValues } from './read-values.ts'

test('values are read as Helm reads them, later files over earlier ones and single values over all', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'values-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const first = await file('one.yaml', 'enabled: yes\nmode: 0644\nbase: &b {x: 1}\nmine: {<<: *b, z: off}\n')
  const second = await file('two.yaml', 'mine: {x: 1_000}\n')
  assert.deepEqual(await readValues([first, second, await file('none.yaml', '# nothing\n')], ['mode=0600']), {
    enabled: true,
    mode: '0600',
    base: { x: 1 },
    mine: { x: 1000, z: false },
  })
  await assert.rejects(readValues([await file('list.yaml', '- 1\n')], []), /list\.yaml: values are a map/)
  await assert.rejects(
    readValues([await file('two.yaml', 'a: 1\n---\nb: 2\n')], []),
    /two\.yaml: values are one document, and here are 2/,
  )
  await assert.rejects(readValues([await file('bad.yaml', 'a: [\n')], []), /bad\.yaml, line \d+: no YAML: /)
})
