// Whoever has read one operator has read them all: the same files in each folder, and each says of itself what a program needs to know.
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { operators } from '../../src/cli/operators.ts'
import { operatorFlagGroups } from '../../src/cli/testing/commands.ts'
import { importsOf } from './imports.ts'

const top = join(import.meta.dirname, '../../src/operators')
const folders = readdirSync(top, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))

/** Folders of programs that run for themselves, each with the reason. */
const alone: Readonly<Record<string, string>> = {
  pods: 'a server beside each API server: it has no claims, no lease and no manager, and takes the flags of the program that it stands in for',
}

test('every folder of operators is one of the list, and the list has no other', () => {
  const wanted = folders.filter(name => !(name in alone))
  assert.deepEqual(operators.map(({ name }) => name).toSorted(), wanted.toSorted())
})

for (const folder of folders) {
  test(`the folder ${folder} has the furniture of every other`, () => {
    const wanted = ['README.md', 'index.ts', ...(folder in alone ? [] : ['api.ts', 'operator.ts'])]
    assert.deepEqual(
      wanted.filter(name => !existsSync(join(top, folder, name))),
      [],
    )
  })
}

/** Folders whose pass is one file, each with the reason. */
const inOneFile: Readonly<Record<string, string>> = {
  'dns/credentials': 'what one Secret holds is copied into another',
  'dns/trusted-ca': 'what one ConfigMap holds is copied into another',
}

const claims = globSync('**/controller.ts', { cwd: top })
  .map(dirname)
  .filter(folder => !Object.hasOwn(inOneFile, folder))

/** The files of a stage, which is a file or a folder; none where the claim has no such stage. */
function stageOf(claim: string, stage: string): readonly string[] {
  return globSync([`${claim}/${stage}.ts`, `${claim}/${stage}/*.ts`], { cwd: top }).filter(
    file => !/\.(?:test|fixture)\.ts$/.test(file),
  )
}

const importsIn = (file: string): ReturnType<typeof importsOf> => importsOf(file, readFileSync(join(top, file), 'utf8'))

for (const claim of claims)
  test(`a pass of ${claim} has the stages of every other: what is seen are types, and no judge looks`, () => {
    const missing = ['seen', 'observe', 'decide'].filter(stage => stageOf(claim, stage).length === 0)
    assert.deepEqual(missing, [])
    const values = stageOf(claim, 'seen').flatMap(file => [
      ...importsIn(file).filter(({ typeOnly }) => !typeOnly),
      ...(readFileSync(join(top, file), 'utf8').match(/^export (?:async )?(?:function|class|const|let)\b.*/gm) ?? []),
    ])
    assert.deepEqual(values, [])
    const looking = [...stageOf(claim, 'decide'), ...stageOf(claim, 'report')].flatMap(file =>
      importsIn(file).filter(({ specifier }) => /(?:^|\/)observe(?:\.ts|\/)/.test(specifier)),
    )
    assert.deepEqual(looking, [])
  })

test('the claims whose furniture was looked at are those of every operator that has any', () => {
  assert.deepEqual(
    [...new Set(claims.map(claim => claim.split('/')[0] ?? ''))].toSorted(),
    folders.filter(name => !(name in alone)).toSorted(),
  )
  for (const folder of Object.keys(inOneFile)) assert.ok(existsSync(join(top, folder, 'controller.ts')), folder)
})

test('what they say of themselves is whole: a sentence, examples that are theirs, help for each flag', () => {
  for (const { name, summary, examples, flags, lease } of operators) {
    assert.ok(summary.length > 20 && lease !== '', name)
    assert.ok(examples.length > 0 && examples.every(({ line }) => line.startsWith('vouch operator ')), name)
    for (const flag of flags.flatMap(group => group.flags)) assert.ok(flag.help.length > 5, `${name}: --${flag.name}`)
  }
})

test('no two share a lease or a title of flags, and a flag that shapes manifests is one of theirs', () => {
  const leases = operators.map(({ lease }) => lease)
  assert.equal(new Set(leases).size, leases.length)
  const titles = operatorFlagGroups().map(({ title }) => title)
  assert.equal(new Set(titles).size, titles.length)
  for (const { name, flags, shaping = [] } of operators) {
    const known = new Set(flags.flatMap(group => group.flags.map(flag => flag.name)))
    for (const { flag } of shaping) assert.ok(known.has(flag), `${name}: --${flag}`)
  }
})
