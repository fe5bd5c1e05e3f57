// The reference pages say what the program has, no less and no more. Those that are made of it are what would be made; those that people wrote
// are held against its closed lists and against the names that stand in its source.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as labels from '#operators/identity/api'
import { conditionTypes, reasons } from '#operators/identity/api'
import { metricsIn, pages } from '../../scripts/reference.ts'
import * as certLabels from '../../src/operators/certificates/api/labels.ts'
import * as certs from '../../src/operators/certificates/api.ts'
import * as resourcesApi from '../../src/operators/resources/api.ts'
import { reasons as resourceReasons } from '../../src/operators/resources/errors.ts'
import { troubleReasons } from '../../src/runtime/plan/trouble.ts'

const top = join(import.meta.dirname, '../..')
const read = (name: string): string => readFileSync(join(top, name), 'utf8')

for (const [name, page] of Object.entries(pages)) {
  test(`${name} is what the program says of itself (npm run reference)`, async () => {
    assert.equal(read(name), await page())
  })
}

test('the page of metrics has every metric that is made', () => {
  const source = sourceOf('src/{operators,runtime,cli}/**/*.ts')
  const made = [...source.matchAll(/\.(?:counter|gauge|histogram|summary)\(\s*'([a-z_]+)'/g)].map(([, name]) => name)
  assert.ok(made.length > 60)
  assert.deepEqual(sorted(metricsIn(source).map(([name]) => name)), sorted(made))
  const rows = firstCells(read('docs/reference/metrics.md'))
  assert.deepEqual(sorted(rows), sorted(made))
})

const identity = read('docs/reference/identity.md')

test('identity: every condition type, and no other', () => {
  assert.deepEqual(sorted(firstCells(section(identity, '## Condition types'))), sorted(Object.values(conditionTypes)))
})

test('identity: every reason of a condition, and no other', () => {
  // `ACKResourceWaiting` is one of an event, which the closed list of the specification has among the others.
  assert.deepEqual(sorted(firstCells(section(identity, '## Reasons'))), sorted(reasons))
})

test('identity: every event, and no other', () => {
  const source = sourceOf('src/operators/identity/**/*.ts')
  const transitions = read('src/operators/identity/api/transition-events.ts')
  const warnings = /const warningReasons = \[([^\]]*)\]/.exec(transitions)?.[1] ?? ''
  const tellings = /const tellingReasons = \[([^\]]*)\]/.exec(transitions)?.[1] ?? ''
  const sent = [
    ...[...source.matchAll(/kind: 'record-event'[\s\S]{0,200}?reason: '(\w+)'/g)].map(([, reason]) => reason),
    ...[...transitions.matchAll(/type: '(?:Normal|Warning)', reason: '(\w+)'/g)].map(([, reason]) => reason),
    ...words(warnings),
    ...words(tellings),
  ]
  assert.deepEqual(sorted(firstCells(section(identity, '## Events'))), sorted(sent))
})

test('identity: every annotation, label and finalizer, and no other', () => {
  const named = [labels.annotations, labels.labels, labels.finalizers].flatMap(Object.values) as readonly string[]
  const told = [section(identity, '## Annotations'), section(identity, '## Labels and finalizers')].flatMap(firstCells)
  // The head of the table has the prefix.
  assert.deepEqual(sorted(told.map(afterSlash).filter(name => name !== '')), sorted(named.map(afterSlash)))
})

const resources = read('docs/reference/resources.md')

test('resources: every condition type, and no other', () => {
  assert.deepEqual(sorted(firstCells(section(resources, '## Condition types'))), sorted(Object.values(resourcesApi.conditions)))
})

test('resources: every reason of trouble, ours and the engine’s, and no other', () => {
  const told = firstCells(section(resources, '## Reasons'))
  assert.deepEqual(sorted(told), sorted([...Object.keys(resourceReasons), ...Object.keys(troubleReasons)]))
})

test('resources: every other reason that the source gives a condition', () => {
  // What the webhooks answer is a reason of the API server's.
  const source = sourceOf('src/operators/resources/{*,[!a]*/**/*,act/**/*}.ts')
  const given = [...source.matchAll(/(?:reason: |Reason = )'(\w+)'/g)].map(([, reason = '']) => reason)
  const told = firstCells(section(resources, '## Reasons of the other conditions'))
  const known = new Set([...told, ...Object.keys(resourceReasons), ...Object.keys(troubleReasons)])
  assert.deepEqual(sorted(given.filter(reason => !known.has(reason))), [])
  assert.deepEqual(sorted(told.filter(reason => !given.includes(reason))), [])
})

test('resources: every event, and no other', () => {
  const source = read('src/operators/resources/decide/events.ts')
  const named = (type: string): readonly string[] => words(new RegExp(`type ${type} = ([^\\n]*)`).exec(source)?.[1] ?? '')
  assert.deepEqual(
    sorted(firstCells(section(resources, '## Events'))),
    sorted([...named('Normal'), ...named('Warning'), 'Terminal', 'Recoverable']),
  )
})

test('resources: every annotation and tag, and no other', () => {
  const named = names(sourceOf('src/operators/resources/**/*.ts'), /'((?:\w+\.)?services\.k8s\.aws\/[a-z][a-z-]*)'/g)
  const told = [section(resources, '## Annotations'), section(resources, '## Tags and finalizers')]
    .flatMap(text => [...text.matchAll(/`(?:[\w.<>]*services\.k8s\.aws\/)?([a-z][a-z-]{3,})`/g)])
    .map(([, name = '']) => name)
    .filter(name => !['adopt', 'adopt-or-create', 'delete', 'retain', 'detect-only'].includes(name))
  const set = [...named, 'controller-version', 'namespace'].map(afterSlash)
  assert.deepEqual(sorted(told), sorted(set))
})

const certificates = read('docs/reference/certificates.md')
const certFile = (name: string): string => read(`src/operators/certificates/${name}`)
const union = (file: string, type: string): readonly string[] =>
  words(new RegExp(`type ${type} =([\\s\\S]*?)\\n\\n`).exec(`${certFile(file)}\n\n`)?.[1] ?? '')

test('certificates: every state and every condition type, and no other', () => {
  assert.deepEqual(sorted(firstCells(section(certificates, '## States'))), sorted(union('api/status.ts', 'CertState')))
  assert.deepEqual(sorted(firstCells(section(certificates, '## Condition types'))), sorted(Object.values(certs.conditionTypes)))
})

test('certificates: every reason of Ready, and no other', () => {
  const all = ['Issued', ...union('api/conditions.ts', 'WaitReason'), ...union('api/conditions.ts', 'FailureReason')]
  assert.ok(all.length > 18)
  assert.deepEqual(sorted(firstCells(part(certificates, '### Of Ready and Stalled'))), sorted(all))
})

test('certificates: every reason of another condition, and no other', () => {
  const said = certFile('cert/conditions.ts')
  const exporting = `${certFile('export/decide.ts')}${certFile('export/act.ts')}`
  const given = [
    ...[...said.matchAll(/'(?:True|False|Unknown)', (?:\w+ \? '(\w+)' : )?'(\w+)'/g)].flatMap(([, one, other]) => [one, other]),
    ...names(certFile('cert/decide/renewal.ts'), /ealthy\('(\w+)'/g),
    ...words(/interface Blocked \{\s+readonly reason: ([^\n]*)/.exec(certFile('cert/decide/verdict.ts'))?.[1] ?? ''),
    ...union('publish/write.ts', 'PublishReason'),
    ...names(certFile('publish/decide.ts'), /'True', reason: '(\w+)'/g),
    ...names(exporting, /(?:said|patience)\('(\w+)'/g),
    ...names(exporting, /exported\('True', '(\w+)'/g),
  ]
  const ofReady = new Set(firstCells(part(certificates, '### Of Ready and Stalled')))
  const told = firstCells(part(certificates, '### Of the other conditions'))
  assert.ok(given.length > 30)
  assert.deepEqual(sorted(given.filter(reason => reason !== undefined && !ofReady.has(reason))), sorted(told))
})

test('certificates: every event, and no other', () => {
  const sent = [...union('cert/decide/verdict.ts', 'EventReason'), ...names(certFile('operator.ts'), /reason: '(\w+)'/g)]
  assert.deepEqual(sorted(firstCells(section(certificates, '## Events'))), sorted(sent))
})

test('certificates: every annotation, tag, label and finalizer, and no other', () => {
  const { annotations, tagKeys, finalizer, publishFinalizer, publishedLabel, exportMarks } = certLabels
  const told = firstCells(section(certificates, '## Annotations'))
  assert.deepEqual(sorted(told), sorted(Object.values(annotations).map(afterSlash)))
  const marks = [
    ...Object.values(tagKeys),
    finalizer,
    publishFinalizer,
    ...Object.keys(publishedLabel),
    ...Object.values(exportMarks),
  ]
  const named = firstCells(section(certificates, '## Tags, labels and finalizers')).map(afterSlash)
  assert.deepEqual(sorted(named), sorted(marks.map(afterSlash)))
})

test('certificates: what the page says of refusals are words of the webhook', () => {
  const source = sourceOf('src/operators/certificates/{admission,policy}/*.ts')
  const told = names(section(certificates, '## What the webhook refuses'), /`([^`]+)`/g)
  // What stands between names and values.
  const plain = told
    .flatMap(text => text.split(/…|"|spec(?:\.\w+)?(?:\[\])?:/))
    .map(text => text.replace(/^: /, '').trim())
    .filter(text => text.includes(' '))
  assert.ok(plain.length > 8)
  assert.deepEqual(
    plain.filter(text => !source.includes(text)),
    [],
  )
})

const webhook = read('docs/reference/webhook.md')

test('the webhook: every reason of an answer, and no other', () => {
  const union = words(read('src/operators/pods/reasons.ts'))
  assert.deepEqual(sorted(firstCells(section(webhook, '## Answers'))), sorted(union))
})

test('the webhook: every annotation that it reads, and no other', () => {
  const source = sourceOf('src/operators/pods/{aws,accounts}/*.ts')
  const called = names(source, /(?:get|listed)\('([a-z-]+)'/g)
  const spelled = [...names(source, /[pP]refix\}\/([a-z-]+)/g), ...names(source, /Annotation = '([a-z-]+)'/g)]
  const told = firstCells(section(webhook, '## Annotations')).map(afterSlash)
  assert.deepEqual(sorted(told), sorted([...called, ...spelled]))
})

test('the Azure webhook: every annotation and label that it reads, and no other', () => {
  const source = sourceOf('src/operators/pods/azure/*.ts')
  const spelled = names(source, /azurePrefix\}\/([a-z-]+)`/g)
  const told = firstCells(section(read('docs/reference/webhook-azure.md'), '## Annotations and labels')).map(afterSlash)
  assert.ok(spelled.length > 7)
  assert.deepEqual(sorted(told), sorted(spelled))
})

test('the Azure webhook: every variable of its environment, and no other', () => {
  const told = firstCells(section(read('docs/reference/webhook-azure.md'), '## Environment of the webhook'))
  const asked = names(
    read('src/operators/pods/flags/azure-environment.ts'),
    /(?:get|configVariable|env)[([](?:env, )?'([A-Z_]+)'/g,
  )
  assert.deepEqual(sorted(told), sorted(asked))
})

/** All that is not a test, as one text. */
function sourceOf(pattern: string): string {
  const files = globSync(pattern, { cwd: top, exclude: ['**/*.test.ts', '**/*.gen.ts', '**/*.fixture.ts'] })
  assert.ok(files.length > 3)
  return files.map(read).join('\n')
}

function section(page: string, heading: string): string {
  const start = page.indexOf(`${heading}\n`)
  assert.ok(start >= 0, `there is no ${heading}`)
  const end = page.indexOf('\n## ', start)
  return page.slice(start, end < 0 ? undefined : end)
}

/** Of a section below another one. */
function part(page: string, heading: string): string {
  const start = page.indexOf(`${heading}\n`)
  assert.ok(start >= 0, `there is no ${heading}`)
  const end = page.slice(start + heading.length).search(/\n##/)
  return page.slice(start, end < 0 ? undefined : start + heading.length + end)
}

/** The names in the first column of all tables. */
function firstCells(text: string): readonly string[] {
  return [...text.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = '']) => names(cell, /`([^`]+)`/g))
}

function names(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name)
}

function words(text: string): readonly string[] {
  return names(text, /'(\w+)'/g)
}

function afterSlash(name: string): string {
  return name.split('/').at(-1) ?? name
}

function sorted(all: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(all.filter(one => one !== undefined))].sort()
}
