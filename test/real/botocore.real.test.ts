// Every API model that botocore ships (over 400 services), read, classified, inferred and rendered without a config: nothing may crash,
// and a model without a kind must say why. The models come from PyPI once, into the cache that the other real suites use.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { load } from 'js-yaml'
import {
  crdOf,
  crdYaml,
  diffCrds,
  flattenCrd,
  inferService,
  judgeSkew,
  readGeneratorConfig,
  readModel,
  renderService,
  whyNone,
} from '#crdgen'

const version = '1.44.5'
const folder = process.env['VOUCH_BOTOCORE'] ?? join(homedir(), '.cache', 'vouch', 'botocore', version)

/** botocore's data folder, or why it cannot be had. */
function data(): { readonly folder: string } | { readonly skip: string } {
  const found = join(folder, 'botocore', 'data')
  if (existsSync(found)) return { folder: found }
  try {
    mkdirSync(folder, { recursive: true })
    const target = ['--target', folder, '--no-deps', '--disable-pip-version-check', '--quiet']
    execFileSync('python3', ['-m', 'pip', 'install', ...target, `botocore==${version}`], { stdio: 'pipe', timeout: 120_000 })
  } catch (error) {
    return {
      skip: `skipped: botocore ${version} cannot be had from PyPI (${String(error).split('\n')[0]}); VOUCH_BOTOCORE names a folder`,
    }
  }
  return existsSync(found) ? { folder: found } : { skip: `skipped: ${folder} holds no botocore` }
}

const models = data()

test('every model of botocore is read, classified and rendered', { skip: 'skip' in models ? models.skip : false }, context => {
  assert.ok('folder' in models)
  const counts = { services: 0, kinds: 0, refused: 0, operations: 0 }
  const codes = new Map<string, number>()
  const none: string[] = []
  const refusedKinds: string[] = []
  const startedMs = performance.now()
  for (const { service, file } of newest(models.folder)) {
    const model = readModel(readFileSync(file), { file })
    const inferred = inferService(model, { alias: service })
    counts.services++
    counts.operations += Object.keys(model.operations).length
    counts.kinds += inferred.kinds.length
    counts.refused += inferred.refused.length
    for (const { resource, problems } of inferred.refused) {
      assert.ok(problems.length > 0)
      refusedKinds.push(`${service}.${resource}`)
      for (const { code, message } of problems) {
        assert.match(message, /ignore:|renames/, `${service} ${resource}: no way out is named`)
        codes.set(code, (codes.get(code) ?? 0) + 1)
      }
    }
    for (const kind of inferred.kinds)
      assert.ok(flattenCrd(load(crdYaml(crdOf(inferred, kind)))).fields.size > 0, `${service} ${kind.kind}`)
    const names = inferred.kinds.map(({ plural }) => plural)
    assert.equal(new Set(names).size, names.length, `${service}: two kinds of one name`)
    if (inferred.kinds.length > 0) assert.ok(renderService(inferred).size >= inferred.kinds.length)
    else none.push(`${service}: ${whyNone(inferred).slice(0, 100)}`)
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  context.diagnostic(
    `${counts.services} services, ${counts.operations} operations, ${counts.kinds} kinds, ${counts.refused} refused, in ${seconds} s`,
  )
  context.diagnostic(`reasons of refusal: ${[...codes].map(([code, count]) => `${code} ${count}`).join(', ')}`)
  context.diagnostic(`${none.length} services without a kind: ${none.join('; ')}`)
  assert.ok(counts.services > 400, `only ${counts.services} models`)
  assert.ok(counts.kinds > 1000, `only ${counts.kinds} kinds`)
})

const shared = resolve(process.env['VOUCH_SHARED'] ?? join(import.meta.dirname, '..', '..', '..', 'shared'))
const published = join(shared, 'ack')
const skipped =
  'skip' in models ? models.skip : existsSync(published) ? false : `skipped: published CRDs are not here (${published})`

for (const alias of ['acm', 'eks', 'iam', 'route53', 's3']) {
  test(`${alias} from the newest C2J model lacks nothing of what is published; what is more is new in the model [10.1]`, {
    skip: skipped,
  }, context => {
    assert.ok('folder' in models)
    const file = newest(models.folder).find(({ service }) => service === alias)?.file
    assert.ok(file !== undefined)
    const generator = join(published, alias, 'generator.yaml')
    const loaded = readGeneratorConfig(readFileSync(generator, 'utf8'), generator)
    const service = inferService(readModel(readFileSync(file), { file }), { alias, loaded })
    const crds = readdirSync(join(published, alias))
      .filter(name => name !== 'generator.yaml')
      .map(name => load(readFileSync(join(published, alias, name), 'utf8')))
    const paths = new Set(crds.flatMap(crd => [...flattenCrd(crd).fields.keys()]))
    const counts = { paths: 0, equal: 0, extra: 0 }
    const failures: string[] = []
    for (const crd of crds) {
      const kind = service.kinds.find(each => each.kind === flattenCrd(crd).names['kind'])
      assert.ok(kind !== undefined, flattenCrd(crd).names['kind'])
      const comparison = diffCrds(crd, crdOf(service, kind))
      const differences = comparison.differences.filter(difference => difference.class !== 'common')
      const judged = judgeSkew(differences, { service, kind, published: paths })
      failures.push(
        ...judged
          .filter(({ proof }) => proof === undefined)
          .map(({ difference }) => `${kind.kind} ${JSON.stringify(difference)}`),
      )
      for (const { difference, proof } of judged)
        if (proof !== undefined) context.diagnostic(`${kind.kind} ${difference.class} ${difference.path}: ${proof}`)
      counts.paths += comparison.paths
      counts.equal += comparison.pathsEqual
      counts.extra += judged.length
    }
    context.diagnostic(
      `${alias}: ${crds.length} kinds, ${counts.equal} of ${counts.paths} paths equal, ${counts.extra} new in the model, ${failures.length} failures`,
    )
    assert.deepEqual(failures, [])
  })
}

function newest(root: string): { readonly service: string; readonly file: string }[] {
  const services = readdirSync(root, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return services.flatMap(({ name }) => {
    const last = readdirSync(join(root, name)).sort().at(-1)
    const file = ['service-2.json.gz', 'service-2.json'].map(each => join(root, name, last ?? '', each)).find(existsSync)
    return file === undefined ? [] : [{ service: name, file }]
  })
}
