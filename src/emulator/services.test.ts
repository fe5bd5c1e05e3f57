// What holds for every service: it can be told from the others, and what it brings has one meaning.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAws } from './create-aws.ts'
import type { Service } from './service.ts'
import { allServices } from './services.ts'
import { AddressBook } from './wire/address.ts'

const nameless = { query: new Map<string, string>(), headers: {}, path: '/', formVersion: () => undefined }

function repeated(all: readonly string[]): readonly string[] {
  return all.filter((one, index) => all.indexOf(one) !== index)
}

test('each service has a folder of its name with a README', () => {
  const missing = allServices.filter(({ name }) => !existsSync(join(import.meta.dirname, name, 'README.md')))
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

test('no two services have a name, a host, a signing name, a target or a form version in common', () => {
  const told = ({ name, address }: Service): readonly string[] => [
    `name ${name}`,
    ...[...address.hosts, ...(address.signingNames ?? [])].map(host => `host ${host}`),
    ...(address.target === undefined ? [] : [`target ${address.target}`]),
    ...(address.formVersion === undefined ? [] : [`form ${address.formVersion}`]),
  ]
  assert.deepEqual(repeated(allServices.flatMap(told)), [])
})

for (const { name, model, address } of allServices) {
  test(`${name} is known by the target, the form version and the signing name of its model`, () => {
    assert.equal(address.target, model.targetPrefix)
    assert.equal(address.formVersion, model.protocol === 'query' ? model.apiVersion : undefined)
    assert.ok([...address.hosts, ...(address.signingNames ?? [])].includes(model.signingName))
  })

  test(`a request that is signed for ${name} is not taken for another service's`, () => {
    const authorization = `AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/${model.signingName}/aws4_request, Signature=0`
    const book = new AddressBook(allServices)
    assert.equal(book.addressOf({ ...nameless, host: '127.0.0.1:4566', headers: { authorization } }).service, name)
  })
}

test('a quota has one value, whichever services count under its name', () => {
  const quotas = allServices.flatMap(service => Object.values(service.quotas?.quotas ?? {}))
  const values = new Map<string, Set<number>>()
  for (const { name, limit } of quotas) values.set(name, (values.get(name) ?? new Set()).add(limit.value))
  assert.ok(quotas.length > 15)
  assert.deepEqual(
    [...values].filter(([, held]) => held.size > 1),
    [],
  )
  assert.deepEqual(repeated(quotas.flatMap(({ code }) => code ?? [])), [])
})

test('every operation that a service carries out is one of its model', () => {
  const unknown = allServices.flatMap(({ name, model, operations }) =>
    Object.keys(operations)
      .filter(operation => !Object.hasOwn(model.operations, operation))
      .map(operation => `${name}:${operation}`),
  )
  assert.deepEqual(unknown, [])
})

test('what the emulator does not serve is refused with the names of what it serves', async () => {
  const aws = createAws()
  const authorization = 'AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/lambda/aws4_request, Signature=0'
  const { status, body } = await aws.handle({
    method: 'GET',
    target: '/',
    headers: { host: 'localhost', authorization },
    body: null,
  })
  const served = allServices.map(({ name }) => name).join(', ')
  assert.equal(status, 404)
  assert.match(Buffer.from(body as Uint8Array).toString(), new RegExp(`does not serve lambda; it serves ${served}`))
})
