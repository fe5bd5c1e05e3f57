// The truth: what we infer for five services beside what is published for them, under the rules of §10.1 of docs/rules/resources.md. Published
// CRDs and models are not part of the repository; without them the tests are skipped and say so.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { diffCrds, type KindComparison } from './compare/diff.ts'
import { flattenCrd } from './compare/flatten.ts'
import { judgeSkew } from './compare/skew.ts'
import { readGeneratorConfig } from './config/read-config.ts'
import { type InferredService, inferService } from './infer/infer-service.ts'
import { readModel } from './read/read-model.ts'
import { crdOf, crdYaml } from './render/crd.ts'

const shared = resolve(process.env['VOUCH_SHARED'] ?? join(import.meta.dirname, '..', '..', '..', 'shared'))
const isHere = existsSync(join(shared, 'ack')) && existsSync(join(shared, 'models'))
const skip = isHere ? false : `skipped: published CRDs and models are not here (${shared}; VOUCH_SHARED names another folder)`

const services = [
  { alias: 'iam', model: 'iam-2010-05-08.json' },
  { alias: 's3', model: 's3-2006-03-01.json' },
  { alias: 'eks', model: 'eks-2017-11-01.json' },
  { alias: 'acm', model: 'acm-2015-12-08.json' },
  { alias: 'route53', model: 'route-53-2013-04-01.json' },
]

function infer(alias: string, model: string): InferredService {
  const generator = join(shared, 'ack', alias, 'generator.yaml')
  const loaded = readGeneratorConfig(readFileSync(generator, 'utf8'), generator)
  return inferService(readModel(readFileSync(join(shared, 'models', model))), { alias, loaded })
}

function publishedCrds(alias: string): readonly { readonly kind: string; readonly crd: unknown }[] {
  const folder = join(shared, 'ack', alias)
  const files = readdirSync(folder).filter(file => file !== 'generator.yaml')
  return files.sort().map(file => {
    const crd = load(readFileSync(join(folder, file), 'utf8'))
    return { kind: flattenCrd(crd).names['kind'] ?? '', crd }
  })
}

for (const { alias, model } of services) {
  test(`the kinds of ${alias} equal the published ones, but for what another version of the model brings [10.1]`, {
    skip,
  }, context => {
    const service = infer(alias, model)
    const published = publishedCrds(alias)
    const paths = new Set(published.flatMap(({ crd }) => [...flattenCrd(crd).fields.keys()]))
    const failures: string[] = []
    let equal = 0
    let all = 0
    let skewed = 0
    for (const { kind: name, crd } of published) {
      const kind = service.kinds.find(each => each.kind === name)
      if (kind === undefined) {
        // A kind that no operation of this model creates.
        const creates = Object.keys(service.model.operations).some(operation => operation === `Create${name}`)
        if (creates) failures.push(`${name}: not inferred`)
        else context.diagnostic(`${alias} ${name}: skew, the model has no Create${name}`)
        continue
      }
      const comparison: KindComparison = diffCrds(crd, load(crdYaml(crdOf(service, kind))))
      const differences = comparison.differences.filter(difference => difference.class !== 'common')
      const judged = judgeSkew(differences, { service, kind, published: paths })
      const skew = judged.filter(({ proof }) => proof !== undefined)
      failures.push(
        ...judged.filter(({ proof }) => proof === undefined).map(({ difference }) => `${name}: ${JSON.stringify(difference)}`),
      )
      for (const { difference, proof } of skew)
        context.diagnostic(`${alias} ${name}: skew: ${difference.class} ${difference.path}: ${proof}`)
      equal += comparison.pathsEqual
      all += comparison.paths
      skewed += skew.length
    }
    const extraKinds = service.kinds.filter(({ kind }) => !published.some(each => each.kind === kind)).map(({ kind }) => kind)
    context.diagnostic(
      `${alias}: ${published.length} kinds published, ${service.kinds.length} inferred; ${equal} of ${all} paths equal, ${skewed} skew, ${failures.length} failures`,
    )
    assert.deepEqual(failures, [])
    assert.deepEqual(extraKinds, [])
    assert.deepEqual(service.refused, [])
  })

  test(`${alias} inferred twice gives the same bytes [10.1]`, { skip }, () => {
    const render = (service: InferredService): string[] => service.kinds.map(kind => crdYaml(crdOf(service, kind)))
    assert.deepEqual(render(infer(alias, model)), render(infer(alias, model)))
  })
}
