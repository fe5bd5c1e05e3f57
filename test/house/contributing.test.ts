// The pages of steps for contributors are carried out, each in a copy of the checkout.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { stepsOf, walkPage } from './steps.ts'

const pages = readdirSync(join(import.meta.dirname, '../../docs/contributing'))

for (const page of pages) {
  test(`the steps of ${page} lead to what they say`, async () => {
    const { file, change, command } = await walkPage(`docs/contributing/${page}`)
    assert.ok(file + change > 0 && command > 0)
  })
}

/** Where the code of a page's steps goes: the folder that is new, and the files that were there. */
const twoPlaces: Readonly<Record<string, { readonly folder: string; readonly changed: readonly string[] }>> = {
  'add-an-operator.md': { folder: 'src/operators/notices', changed: ['src/cli/operators.ts'] },
  'add-an-emulated-service.md': { folder: 'src/emulator/logs', changed: ['src/emulator/services.ts'] },
  'add-an-admission-plugin.md': {
    folder: 'src/apiserver/admission/always-pull-images',
    changed: ['src/apiserver/admission/plugins.ts'],
  },
}

for (const [page, { folder, changed }] of Object.entries(twoPlaces))
  test(`${page}: a newcomer writes a folder and changes one file`, () => {
    const steps = stepsOf(readFileSync(join(import.meta.dirname, '../../docs/contributing', page), 'utf8'))
    const written = steps.flatMap(step => (step.kind === 'file' ? [step.path] : []))
    assert.ok(written.length > 1)
    assert.deepEqual(
      written.filter(path => !path.startsWith(`${folder}/`)),
      [],
    )
    assert.deepEqual([...new Set(steps.flatMap(step => (step.kind === 'change' ? [step.path] : [])))], changed)
  })

/** What a reader writes whose kind is of a service that nothing here names, in the place of the page's two changes. */
const ofCodecommit = [
  `-// Repository of codecommit: one sentence about what only a person can know of its API.
+// Repositories of CodeCommit cannot end with what git puts behind a name by itself.
 import type { Deviation } from '../deviation.ts'
${' '}
 export const codecommitRepository: Deviation = {
-  refuse: () => undefined,
+  refuse: ({ wanted: { spec } }) =>
+    String(spec['repositoryName']).endsWith('.git') ? 'repositoryName: leave .git out, which git adds itself' : undefined,
 }
`,
  ` import assert from 'node:assert/strict'
 import { test } from 'node:test'
+import { deviationOf } from '../deviations.ts'
 import { codecommitRepository } from './repository.ts'
${' '}
-test('what is different', () => {
-  assert.deepEqual(Object.keys(codecommitRepository), ['the steps that it takes'])
+const refused = (repositoryName: string): string | undefined =>
+  codecommitRepository.refuse?.({ wanted: { spec: { repositoryName }, status: {} } } as never)
+
+test('a name that git would make longer is refused', () => {
+  assert.equal(deviationOf('codecommit/Repository'), codecommitRepository)
+  assert.match(refused('jobs.git') ?? '', /leave .git out/)
+})
+
+test('other names are sent as they stand', () => {
+  assert.equal(refused('jobs'), undefined)
 })
`,
]

test('the steps of a deviation lead to one for a service that nothing here names, too', async () => {
  const own = (page: string): string => {
    const changes = [...ofCodecommit]
    return page
      .replaceAll(/```diff\n[\s\S]*?```/g, () => `\`\`\`diff\n${changes.shift() ?? ''}\`\`\``)
      .replaceAll('eks/AccessEntry', 'codecommit/Repository')
      .replaceAll('eks/access-entry', 'codecommit/repository')
  }
  const { change, command, printed } = await walkPage('docs/contributing/add-a-kind-with-deviations.md', own)
  assert.deepEqual({ change, command, printed }, { change: 2, command: 2, printed: 2 })
})
