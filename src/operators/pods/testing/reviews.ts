// Reviews for the fuzzer: sound ones of odd pods, and sound ones broken in their tree or in their bytes.
import * as fc from 'fast-check'
import { pods } from '../aws/reviews.fixture.ts'
import type { PatchObject, PatchValue } from '../patch.ts'

/** What the ServiceAccounts of the fuzzed webhook are called; see world.ts. */
export const accountNames = ['role', 'plain', 'odd', 'all', 'listed', 'mapped', 'nobody', '', '__proto__', 'x/../y'] as const

export interface Review {
  readonly apiVersion: string
  readonly kind: string
  readonly request: PatchObject & { readonly uid: string; readonly object: PatchObject }
}

export const reviews: fc.Arbitrary<Review> = fc
  .record({
    pod: pods,
    account: fc.constantFrom(...accountNames),
    version: fc.constantFrom('v1', 'v1beta1'),
    uid: fc.oneof(fc.uuid(), fc.string({ maxLength: 5 })),
    namespace: fc.constantFrom('ns1', 'ns1', 'ns1', 'ns2', '', '__proto__'),
    operation: fc.constantFrom('CREATE', 'UPDATE', 'CONNECT'),
    isDryRun: fc.boolean(),
  })
  .map(({ pod, account, version, uid, namespace, operation, isDryRun }) => {
    const spec = pod['spec'] as PatchObject
    const object: PatchObject = { ...pod, spec: { ...spec, serviceAccountName: account } }
    const request = { uid, namespace, operation, dryRun: isDryRun, object }
    return { apiVersion: `admission.k8s.io/${version}`, kind: 'AdmissionReview', request }
  })

const odd: fc.Arbitrary<PatchValue> = fc.oneof(
  fc.constantFrom<PatchValue>(null, true, 0, -1, 1e308, '', '\0', '\ud800', [], {}, [null], [[]], { name: 1 }, { name: null }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<PatchValue>,
  fc.integer({ min: 1, max: 200 }).map(depth => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as PatchValue),
)

/** One node of the tree, drawn by number, becomes something else. */
const treeBroken = fc
  .tuple(reviews, fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 3 }))
  .map(([review, changes]) =>
    bytesOf(
      changes.reduce<PatchValue>(
        (tree, [at, value]) => replaceNode(tree, at % countNodes(tree), value),
        review as unknown as PatchValue,
      ),
    ),
  )

const bytesBroken = fc
  .tuple(
    reviews,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('cut', 'put', 'drop', 'twice'), fc.uint8Array({ maxLength: 6 })), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([review, changes]) =>
    changes.reduce(
      (bytes, [at, how, put]) => {
        const index = bytes.length === 0 ? 0 : at % bytes.length
        if (how === 'cut') return bytes.subarray(0, index)
        if (how === 'drop') return Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1 + put.length)])
        if (how === 'twice') return Buffer.concat([bytes, bytes.subarray(index)])
        return Buffer.concat([bytes.subarray(0, index), put, bytes.subarray(index + put.length)])
      },
      bytesOf(review as unknown as PatchValue),
    ),
  )

const shapeless = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
  fc.jsonValue().map(value => bytesOf(value as PatchValue)),
  fc.constantFrom(500, 5_000, 50_000).map(depth => Buffer.from(`{"request":{"uid":"u","object":${'['.repeat(depth)}`)),
  fc
    .constantFrom(1_500, 20_000)
    .map(depth => Buffer.from(`{"request":{"uid":"u","object":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`)),
  fc
    .constantFrom(1_000, 300_000)
    .map(count => Buffer.from(`{"request":{"uid":"u","object":{"spec":{"containers":[${'{},'.repeat(count)}{}]}}}}`)),
)

export const brokenReviews: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 5, arbitrary: treeBroken },
  { weight: 4, arbitrary: bytesBroken },
  { weight: 1, arbitrary: shapeless },
)

function bytesOf(value: PatchValue): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function countNodes(value: PatchValue): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, item) => sum + countNodes(item as PatchValue), 1)
}

function replaceNode(tree: PatchValue, at: number, value: PatchValue): PatchValue {
  if (at === 0) return value
  if (typeof tree !== 'object' || tree === null) return tree
  let left = at - 1
  const entries = Object.entries(tree).map(([key, child]) => {
    const count = countNodes(child as PatchValue)
    const next = left >= 0 && left < count ? replaceNode(child as PatchValue, left, value) : (child as PatchValue)
    left -= count
    return [key, next] as const
  })
  return Array.isArray(tree) ? entries.map(([, child]) => child) : (Object.fromEntries(entries) as PatchObject)
}
