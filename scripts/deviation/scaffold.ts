// The files with which a deviation of a kind begins: the deviation, its test, which fails until it says what is expected, and the list of all.

export interface DeviationFile {
  /** From the top of the checkout. */
  readonly path: string
  readonly text: string
}

export interface ScaffoldedKind {
  /** Alias of the service, as in `--services`. */
  readonly service: string
  readonly kind: string
  /** Fields that a manifest must have, where the kind is one that is shipped; a kind of another service has no world of its own. */
  readonly required?: readonly string[]
}

const kinds = 'src/operators/resources/kinds'
export const listPath: string = `${kinds}/deviations.ts`

/** `list` is the text of the list as it stands. */
export function scaffold(asked: ScaffoldedKind, list: string): readonly DeviationFile[] {
  const { service, kind } = asked
  const words = wordsOf(kind)
  const name = service + words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const file = words.join('-')
  return [
    { path: `${kinds}/${service}/${file}.ts`, text: deviationText(asked, name) },
    { path: `${kinds}/${service}/${file}.test.ts`, text: testText(asked, { name, file }) },
    { path: listPath, text: withDeviation(list, { id: `${service}/${kind}`, name, from: `./${service}/${file}.ts` }) },
  ]
}

/** Where runs of capitals are one word: `VPCLink` is `vpc`, `link`. */
export function wordsOf(kind: string): readonly string[] {
  const apart = kind.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return apart.toLowerCase().split(' ')
}

function deviationText({ service, kind }: ScaffoldedKind, name: string): string {
  return `// ${kind} of ${service}: one sentence about what only a person can know of its API.
import type { Deviation } from '../deviation.ts'

export const ${name}: Deviation = {
  refuse: () => undefined,
}
`
}

function testText(asked: ScaffoldedKind, { name, file }: { readonly name: string; readonly file: string }): string {
  const { service, kind, required } = asked
  if (required === undefined)
    return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ${name} } from './${file}.ts'

test('what is different', () => {
  assert.deepEqual(Object.keys(${name}), ['the steps that it takes'])
})
`
  const spec = required.map(field => `  ${field}: 'text',\n`).join('')
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../../api.ts'
import { resourceWorld } from '../../testing/world.ts'

const spec = {
${spec}}

test('what is different', async () => {
  await using world = resourceWorld({ services: ['${service}'], kinds: ['${kind}'] })
  world.start()
  await world.create('${kind}', 'one', spec)
  await world.settle()
  const refused = await world.condition('${kind}', 'one', conditions.terminal)
  assert.equal(refused?.message, 'what its author is told')
  assert.deepEqual(world.calls(), ['the calls that are made'])
})
`
}

/** With an import and an entry more, each at its place in the alphabet. */
function withDeviation(
  list: string,
  { id, name, from }: { readonly id: string; readonly name: string; readonly from: string },
): string {
  const lines = list.split('\n')
  const imported = insertSorted(lines, `import { ${name} } from '${from}'`, line => /^import .* from '(.*)'$/.exec(line)?.[1])
  return insertSorted(imported, `  '${id}': ${name},`, line => /^ {2}'([\w-]+\/\w+)': /.exec(line)?.[1]).join('\n')
}

/** Before the first line whose key comes after its own, or after the last that has one. */
function insertSorted(lines: readonly string[], added: string, keyOf: (line: string) => string | undefined): readonly string[] {
  const own = keyOf(added) ?? ''
  const after = lines.findIndex(line => (keyOf(line) ?? '') > own)
  const at = after >= 0 ? after : lines.findLastIndex(line => keyOf(line) !== undefined) + 1
  return lines.toSpliced(at, 0, added)
}
