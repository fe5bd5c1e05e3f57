// The contract with the SDK: the tuples that we make at run time are those that its own generator writes into its clients.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as acm from '@aws-sdk/client-acm'
import * as eks from '@aws-sdk/client-eks'
import * as iam from '@aws-sdk/client-iam'
import * as route53 from '@aws-sdk/client-route-53'
import * as s3 from '@aws-sdk/client-s3'
import * as sts from '@aws-sdk/client-sts'
import { type ShippedService, serviceModel } from '../../services/service-models.ts'
import { type SchemaRef, Tuples } from './tuples.ts'

const clients: readonly (readonly [ShippedService, Readonly<Record<string, unknown>>])[] = [
  ['iam', iam],
  ['sts', sts],
  ['eks', eks],
  ['acm', acm],
  ['route53', route53],
  ['s3', s3],
]

for (const [service, generated] of clients) {
  test(`the tuples of ${service} are those of the generated client`, () => {
    const model = serviceModel(service)
    const tuples = new Tuples(model)
    let compared = 0
    for (const operation of Object.values(model.operations)) {
      const theirs = generated[`${operation.name}$`]
      assert.ok(Array.isArray(theirs), `the client has ${operation.name}`)
      const ours = tuples.operation(operation)
      assert.equal(theirs[0], 9)
      assert.deepEqual(traitsOf(ours.traits), without(traitsOf(theirs[3]), ['httpChecksum', 'idempotent']), operation.name)
      compare(ours.input, theirs[4], `${operation.name} input`, new Set())
      compare(ours.output, theirs[5], `${operation.name} output`, new Set())
      for (const error of operation.errors) {
        // An error that the newer client lacks is no question of layout.
        if (generated[`${error}$`] !== undefined) compare(tuples.shape(error), generated[`${error}$`], error, new Set())
      }
      compared += 1
    }
    assert.ok(compared > 5)
  })
}

/** The clients are newer than the models: they may have more members and more required ones, and nothing else may differ. */
function compare(ours: unknown, theirs: unknown, path: string, seen: Set<string>): void {
  const [left, leftTraits] = resolve(ours as SchemaRef)
  const [right, rightTraits] = resolve(theirs as SchemaRef)
  assert.deepEqual(leftTraits, meaningfulTraits(rightTraits, path), `${path}: traits`)
  if (!Array.isArray(left) || !Array.isArray(right)) {
    assert.deepEqual(simpleOf(left), simpleOf(right), path)
    return
  }
  assert.equal(left[0], right[0], `${path}: kind`)
  assert.equal(left[2], right[2], `${path}: name`)
  const key = `${left[2]}`
  if (seen.has(key)) return
  seen.add(key)
  assert.deepEqual(traitsOf(left[3]), withoutSameCode(without(traitsOf(right[3]), ['sensitive']), left[2]), `${path}: own traits`)
  if (left[0] === 1 || left[0] === 2) {
    for (let index = 4; index < left.length; index++) compare(left[index], right[index], `${path}[${index}]`, seen)
    return
  }
  const names = right[4] as string[]
  const common = (left[4] as string[]).filter(name => names.includes(name))
  for (const name of common) {
    compare(
      (left[5] as unknown[])[(left[4] as string[]).indexOf(name)],
      (right[5] as unknown[])[names.indexOf(name)],
      `${path}.${name}`,
      seen,
    )
  }
  const required = new Set((left[4] as string[]).slice(0, left[6] ?? 0))
  const optional = (list: string[]): string[] =>
    list.filter(name => common.includes(name) && !required.has(name) && names.indexOf(name) >= ((right[6] as number) ?? 0))
  assert.deepEqual(optional(left[4] as string[]), optional(names), `${path}: order of members`)
  if (left[0] !== 4) assert.ok(((left[6] as number) ?? 0) <= left[4].length, `${path}: required`)
}

/** A reference down to its schema, with the traits it picked up on the way. */
function resolve(ref: unknown): readonly [schema: unknown, traits: object] {
  let current = ref
  let traits: object = {}
  for (;;) {
    if (typeof current === 'function') current = (current as () => unknown)()
    else if (Array.isArray(current) && current.length === 2) {
      traits = { ...traitsOf(current[1]), ...traits }
      current = current[0]
    } else return [current, traits]
  }
}

/** Lists and maps of simple shapes are a number in both; a streaming blob is read whole here. */
function simpleOf(schema: unknown): unknown {
  if (schema === 42) return 21
  if (Array.isArray(schema) && schema[0] === 0) return simpleOf(schema[4])
  return schema
}

const bits = ['httpLabel', 'idempotent', 'idempotencyToken', 'sensitive', 'httpPayload', 'httpResponseCode', 'httpQueryParams']

function traitsOf(traits: unknown): object {
  if (typeof traits !== 'number') return { ...(traits as object) }
  return Object.fromEntries(bits.flatMap((name, index) => ((traits >> index) & 1 ? [[name, 1]] : [])))
}

function without(traits: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(traits).filter(([name]) => !names.includes(name)))
}

/** A query code that is the shape's own name says nothing. */
function withoutSameCode(traits: object, name: unknown): object {
  const { awsQueryError } = traits as { awsQueryError?: readonly unknown[] }
  return awsQueryError?.[0] === name ? without(traits, ['awsQueryError']) : traits
}

/** Without what a client fills in by itself, and without a name that is the member's own (a payload's name always counts). */
function meaningfulTraits(traits: object, path: string): object {
  const { xmlName, httpPayload } = traits as { xmlName?: string; httpPayload?: 1 }
  const isOwnName = xmlName === path.split('.').at(-1) && httpPayload === undefined
  return without(traits, ['idempotencyToken', 'contextParam', 'sensitive', ...(isOwnName ? ['xmlName'] : [])])
}
