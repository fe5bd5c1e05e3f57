// `vouch infer` as its user meets it: files, errors, exit codes. In this process, since starting another costs more than the test.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { addInferCommand } from './infer.ts'

const model = {
  metadata: {
    apiVersion: '2020-01-01',
    endpointPrefix: 'small',
    protocol: 'json',
    jsonVersion: '1.1',
    targetPrefix: 'Small',
    serviceId: 'Small',
  },
  operations: {
    CreateThing: { name: 'CreateThing', http: { method: 'POST', requestUri: '/' }, input: { shape: 'CreateThingRequest' } },
    CreateTree: { name: 'CreateTree', http: { method: 'POST', requestUri: '/' }, input: { shape: 'Tree' } },
    DeleteThing: { name: 'DeleteThing', http: { method: 'POST', requestUri: '/' } },
  },
  shapes: {
    String: { type: 'string' },
    CreateThingRequest: { type: 'structure', required: ['Name'], members: { Name: { shape: 'String' } } },
    Tree: { type: 'structure', members: { Left: { shape: 'Tree' } } },
  },
}

interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command in a folder of its own that holds model.json and the files. */
async function vouch(
  files: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Outcome & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-infer-'))
  for (const [name, content] of Object.entries({ 'model.json': JSON.stringify(model), ...files }))
    writeFileSync(join(folder, name), content)
  const program = new Command('vouch').exitOverride()
  addInferCommand(program)
  const [log, error, before] = [console.log, console.error, process.exitCode]
  const lines = { out: [] as string[], err: [] as string[] }
  console.log = (line: string) => lines.out.push(line)
  console.error = (line: string) => lines.err.push(line)
  try {
    await program.parseAsync(
      args.map(arg => arg.replace(/^@/, `${folder}/`)),
      { from: 'user' },
    )
    return {
      code: Number(process.exitCode ?? 0),
      out: lines.out.join('\n'),
      err: lines.err.join('\n').replaceAll(`${folder}/`, ''),
      folder,
    }
  } finally {
    console.log = log
    console.error = error
    process.exitCode = before
  }
}

const common = ['infer', '--model', '@model.json', '--service', 'small', '--output', '@out']

test('without a config the sound kinds are written and the refused ones named with a way out', async () => {
  const { code, err, folder } = await vouch({}, ...common)
  assert.equal(code, 0)
  assert.match(err, /refused: Tree: .*Tree would contain itself[^]*- Tree\.Left/)
  assert.deepEqual(readdirSync(join(folder, 'out', 'crds')), ['small.services.k8s.aws_things.yaml'])
  const ir = JSON.parse(readFileSync(join(folder, 'out', 'ir.json'), 'utf8')) as { madeOf: { model: string }; kinds: object }
  assert.deepEqual(Object.keys(ir.kinds), ['Thing'])
  assert.match(ir.madeOf.model, /^[0-9a-f]{64}$/)
  assert.deepEqual(readdirSync(folder).sort(), ['model.json', 'out'])
  rmSync(folder, { recursive: true })
})

test('a refused kind that the config names stops everything, and nothing is written; --keep-going and --kinds write the others', async () => {
  const files = { 'g.yaml': 'resources:\n  Thing: {}\n  Tree: {}\n' }
  const refused = await vouch(files, ...common, '--generator', '@g.yaml')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /^error: Tree: /)
  assert.deepEqual(readdirSync(refused.folder).sort(), ['g.yaml', 'model.json'])
  for (const more of [['--keep-going'], ['--kinds', 'Thing']]) {
    const { code, folder } = await vouch(files, ...common, '--generator', '@g.yaml', ...more)
    assert.equal(code, 0)
    assert.ok(existsSync(join(folder, 'out', 'ir.json')))
    rmSync(folder, { recursive: true })
  }
  rmSync(refused.folder, { recursive: true })
})

test('a refused kind that the config does not name is of a later model: it is said, and the others are written', async () => {
  const { code, err, folder } = await vouch({ 'g.yaml': 'resources:\n  Thing: {}\n' }, ...common, '--generator', '@g.yaml')
  assert.equal(code, 0)
  assert.match(err, /refused: Tree: .*Tree would contain itself/)
  assert.deepEqual(readdirSync(join(folder, 'out', 'crds')), ['small.services.k8s.aws_things.yaml'])
  rmSync(folder, { recursive: true })
})

test('what is wrong with the input is said with file and line, and nothing is written', async () => {
  const cases: readonly (readonly [files: Record<string, string>, message: RegExp])[] = [
    [
      { 'g.yaml': 'resources:\n  Thing:\n    field: {}\n' },
      /^error: g\.yaml:3: unknown key "field" in "resources\.Thing"; did you mean "fields"\?$/,
    ],
    [
      { 'g.yaml': 'ignore:\n  operations: [CreateThng]\n' },
      /^error: g\.yaml:2: operation "CreateThng" does not exist; did you mean "CreateThing"\?\n/,
    ],
    [{ 'g.yaml': '', 'model.json': JSON.stringify(model).slice(0, 300) }, /^error: model\.json: not JSON at line 1, column \d+/],
    [{ 'g.yaml': '', 'model.json': '[]' }, /^error: model\.json: expected a JSON object/],
  ]
  for (const [files, message] of cases) {
    const { code, err, folder } = await vouch(files, ...common, '--generator', '@g.yaml', '--keep-going')
    assert.equal(code, 1)
    assert.match(err, message)
    assert.ok(!existsSync(join(folder, 'out')))
    rmSync(folder, { recursive: true })
  }
})

test('a missing file, a kind that is not there', async () => {
  const missing = await vouch({}, 'infer', '--model', '@other.json', '--service', 'small', '--output', '@out')
  assert.match(missing.err, /^error: .*other\.json: no such file or folder/)
  const kind = await vouch({}, ...common, '--kinds', 'Thin')
  assert.match(kind.err, /error: small has no kind "Thin"; did you mean "Thing"\?/)
  for (const { folder } of [missing, kind]) rmSync(folder, { recursive: true })
})

test('classify, explain and diff', async () => {
  const source = ['--model', '@model.json', '--service', 'small']
  const classified = await vouch({}, 'infer', 'classify', ...source)
  assert.match(classified.out, /^CreateThing\tCreate\tThing\tCreate and a singular noun$/m)
  const explained = await vouch({}, 'infer', 'explain', 'Thing.name', ...source)
  assert.equal(
    explained.out,
    'Thing.spec.name\n  it is CreateThingRequest.Name, of the input of CreateThing\n  required, since the model requires Name',
  )
  const unknown = await vouch({}, 'infer', 'explain', 'Thing.nome', ...source)
  assert.match(unknown.err, /^error: Thing has no field "nome"; did you mean "name"\?$/)
  const { folder } = await vouch({}, ...common)
  const crd = join(folder, 'out', 'crds', 'small.services.k8s.aws_things.yaml')
  const text = readFileSync(crd, 'utf8')
  const same = await vouch({ 'b.yaml': text }, 'infer', 'diff', crd, '@b.yaml')
  assert.deepEqual([same.code, same.out.split(', ').at(-1)], [0, '0 differences'])
  const other = await vouch({ 'b.yaml': text.replaceAll(/\bname:$/gm, 'title:') }, 'infer', 'diff', crd, '@b.yaml')
  assert.deepEqual([other.code, other.out.split('\n').length], [1, 3])
  for (const each of [classified, explained, unknown, same, other]) rmSync(each.folder, { recursive: true })
  rmSync(folder, { recursive: true })
})

test('a kind is found in any case and number, and by what adopts it without a model', async () => {
  const model = ['--model', '@model.json', '--service', 'small']
  for (const name of ['Thing', 'things', 'THING'])
    assert.match((await vouch({}, 'infer', 'explain', name, ...model)).out, /^spec\tName/, name)
  const adopted = await vouch({}, 'infer', 'explain', 'roles', '--adoption')
  assert.deepEqual([adopted.code, adopted.out.trim()], [0, 'name'])
  const unknown = await vouch({}, 'infer', 'explain', 'rolls', '--adoption')
  assert.deepEqual([unknown.code, /did you mean roles\?/.test(unknown.err)], [1, true])
})
