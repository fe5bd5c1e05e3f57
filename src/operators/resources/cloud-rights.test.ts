// The permissions of the resources operator hold whatever its code names: an operation that a kind calls and the policy lacks is a refusal
// in somebody's account.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { permissionOf } from '#aws'
import { cloudRights } from './cloud-rights.ts'
import { shippedKinds, shippedService } from './services/shipped.ts'

const allowed = new Set(cloudRights({ services: shippedKinds }).flatMap(({ actions }) => actions))

test('every operation that the code of a kind names is allowed, where its service has it', () => {
  const folder = join(import.meta.dirname, 'kinds')
  const missing: string[] = []
  let named = 0
  for (const file of globSync('*/*.ts', { cwd: folder })) {
    const service = shippedKinds.find(alias => file.startsWith(`${alias}/`))
    if (service === undefined || file.endsWith('.test.ts')) continue
    const { signingName, operations } = shippedService(service).service.model
    for (const [, operation = ''] of readFileSync(join(folder, file), 'utf8').matchAll(/'([A-Z][A-Za-z0-9]+)'/g)) {
      if (!Object.hasOwn(operations, operation)) continue
      named++
      if (!allowed.has(permissionOf(signingName, operation))) missing.push(`${file}: ${operation}`)
    }
  }
  assert.ok(named > 40, `${named} operations`)
  assert.deepEqual(missing, [])
})

test('who looks after less is allowed less, and role mappings and queues are there only where they are wanted', () => {
  const buckets = cloudRights({
    services: ['s3'],
    carm: false,
    gates: { IAMRoleSelector: false },
    driftQueues: ['https://sqs.eu-west-1.amazonaws.com/111122223333/drift'],
  })
  const actions = buckets.flatMap(each => each.actions)
  assert.ok(
    actions.every(action => /^(?:s3|s3express|sqs|iam:GetRole|iam:PassRole)/.test(action)),
    actions.join(),
  )
  assert.deepEqual(buckets.at(-1)?.resources, ['arn:aws:sqs:eu-west-1:111122223333:drift'])
  assert.ok(allowed.has('sts:AssumeRole') && allowed.has('iam:PassRole') && allowed.has('s3:GetEncryptionConfiguration'))
})

test('what resets a resource is allowed with what else is named after it, and resets of others are not', () => {
  const { service } = shippedService('iam')
  const { model } = service
  const operations = {
    ...model.operations,
    ResetRole: model.operations['UpdateRole'],
    ResetUser: model.operations['UpdateUser'],
  }
  const resetting = { ...service, model: { ...model, operations } } as typeof service
  const actions = cloudRights({ services: [resetting], kinds: ['Role'] }).flatMap(each => each.actions)
  assert.ok(actions.includes('iam:ResetRole'), actions.join())
  assert.ok(!actions.includes('iam:ResetUser'))
})

const assumes = (more: object): boolean =>
  cloudRights({ services: ['iam'], ...more }).some(({ actions }) => actions.includes('sts:AssumeRole'))

test('roles of other accounts are taken while mappings or selectors may name one', () => {
  const shut = { IAMRoleSelector: false }
  assert.deepEqual([{}, { carm: true, gates: shut }, { carm: false }, { carm: false, gates: shut }].map(assumes), [
    true,
    true,
    true,
    false,
  ])
})

test('roles are handed over by those kinds alone that have a place for one', () => {
  const passing = (services: readonly string[], kinds?: readonly string[]): readonly string[] =>
    cloudRights({ services, ...(kinds === undefined ? {} : { kinds }) })
      .filter(({ actions }) => actions.includes('iam:PassRole'))
      .map(({ why }) => why)
  assert.deepEqual(passing(['route53']), [])
  assert.deepEqual(passing(['acm', 'eks'], ['Certificate', 'Cluster']), ['roles that are handed over by Cluster'])
})

for (const [url, resource] of [
  ['https://sqs.eu-west-1.amazonaws.com/111122223333/drift', 'arn:aws:sqs:eu-west-1:111122223333:drift'],
  ['https://queues.example.com/111122223333/drift', 'arn:aws:sqs:*:111122223333:drift'],
  ['https://queues.example.com/111122223333', 'arn:aws:sqs:*:111122223333:*'],
] as const)
  test(`the queue ${url} is read as ${resource}`, () =>
    assert.deepEqual(cloudRights({ services: ['iam'], driftQueues: [url] }).at(-1)?.resources, [resource]))

test('entries of a kind’s lists are read one by one where there is a call for it', () => {
  const { service } = shippedService('iam')
  const role = service.kinds['Role']
  assert.ok(role !== undefined)
  const actionsWith = (get: string | undefined): readonly string[] => {
    const sub = { list: 'ListThings', put: 'PutThing', delete: 'DeleteThing', ...(get === undefined ? {} : { get }) }
    const kinds = { Role: { ...role, subResources: [sub] } } as unknown as typeof service.kinds
    return cloudRights({ services: [{ ...service, kinds }] })[0]?.actions.filter(action => /Thing/.test(action)) ?? []
  }
  const common = ['iam:DeleteThing', 'iam:ListThings', 'iam:PutThing']
  assert.deepEqual([actionsWith(undefined), actionsWith('GetThing')], [common, [...common, 'iam:GetThing'].toSorted()])
})
