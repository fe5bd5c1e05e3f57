// §11.2: what holds for every pod and every identity, not only for those in the tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { applyJsonPatch } from '#kube'
import type { AddOperation, PatchValue } from '../patch.ts'
import { answerReview } from '../review.ts'
import { admitPod } from './admit.ts'
import { type AwsWebhookOptions, defaultAwsOptions, type IdentitySnapshot } from './api.ts'
import { assertAdditions, assertContains, assertMounts, flagSets, pods, reversed, snapshots } from './reviews.fixture.ts'

const runs = { numRuns: 1_000 }

function admit(object: PatchValue, of: IdentitySnapshot, options: AwsWebhookOptions): readonly AddOperation[] {
  return admitPod({ object, snapshot: of, flags: options, randomBelow: below => below >> 1, warn: () => {} })
}

test('nothing is removed or changed but the label, and operations are of the known shapes [T-01, T-04, T-05]', () => {
  fc.assert(
    fc.property(pods, snapshots, flagSets, (object, of, options) => {
      const operations = admit(object, of, options)
      assertAdditions(operations)
      assertContains(applyJsonPatch(structuredClone(object), operations) as PatchValue, object, [])
    }),
    runs,
  )
})

test('applied to its own output it changes nothing [T-02, S19]', () => {
  fc.assert(
    fc.property(pods, snapshots, flagSets, (object, of, options) => {
      const once = applyJsonPatch(structuredClone(object), admit(object, of, options)) as PatchValue
      assert.deepEqual(admit(once, of, options), [])
    }),
    runs,
  )
})

test('volume names stay unique, mount paths stay unique in each container, and each mount has its volume [T-03]', () => {
  fc.assert(
    fc.property(pods, snapshots, flagSets, (object, of, options) => {
      assertMounts(applyJsonPatch(structuredClone(object), admit(object, of, options)))
    }),
    runs,
  )
})

test('what is added does not depend on the order of fields, of the pod or of its annotations', () => {
  fc.assert(
    fc.property(pods, snapshots, flagSets, (object, of, options) => {
      assert.deepEqual(admit(reversed(object), of, options), admit(object, of, options))
    }),
    runs,
  )
})

test('the same review and the same state give the same bytes [T-07]', async () => {
  await fc.assert(
    fc.asyncProperty(pods, snapshots, flagSets, async (object, of, options) => {
      const review = Buffer.from(
        JSON.stringify({
          apiVersion: 'admission.k8s.io/v1',
          kind: 'AdmissionReview',
          request: { uid: 'u', namespace: 'n', object },
        }),
      )
      const answer = () =>
        answerReview('application/json', review, subject => ({ kind: 'allow', operations: admit(subject.object, of, options) }))
      assert.equal((await answer()).body, (await answer()).body)
    }),
    { numRuns: 200 },
  )
})

test('any bytes, and any cut or altered review, get an answer [T-06, X1]', async () => {
  const good = JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      namespace: 'n',
      object: { metadata: { annotations: {} }, spec: { containers: [{ name: 'a', env: [] }] } },
    },
  })
  const reviews = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat(good.length).map(length => Buffer.from(good.slice(0, length))),
    fc
      .tuple(fc.nat(good.length), fc.string({ maxLength: 3 }))
      .map(([at, text]) => Buffer.from(good.slice(0, at) + text + good.slice(at + text.length))),
    fc
      .jsonValue()
      .map(object => Buffer.from(JSON.stringify({ request: { uid: 'u', object: { metadata: object, spec: object } } }))),
    fc.jsonValue().map(value =>
      Buffer.from(
        JSON.stringify({
          request: {
            uid: 'u',
            object: { spec: { containers: [value], initContainers: value, volumes: [value], nodeSelector: value } },
          },
        }),
      ),
    ),
  )
  const of: IdentitySnapshot = {
    serviceAccount: { roleArn: 'r', audience: '', regionalSts: true, expirationSeconds: 600n },
    exactEntry: undefined,
    wildcardEntry: undefined,
    usesContainerCredentials: false,
  }
  await fc.assert(
    fc.asyncProperty(reviews, async bytes => {
      const answer = await answerReview('application/json', bytes, ({ object }) => ({
        kind: 'allow',
        operations: admit(object, of, defaultAwsOptions),
      }))
      assert.equal(answer.httpStatus, 200)
      const { response } = JSON.parse(answer.body) as { response: { allowed: boolean; patch?: string } }
      if (response.patch === undefined) return
      const { request } = JSON.parse(Buffer.from(bytes).toString()) as { request: { object: PatchValue } }
      applyJsonPatch(request.object, JSON.parse(Buffer.from(response.patch, 'base64').toString()) as unknown[])
    }),
    { numRuns: 3_000 },
  )
})
