// What the webhook answers, against what the existing operator answers to the same: the refusal's words, and nothing else counts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goPatternProblem } from '../domains/go-pattern.ts'
import { noVectors, readVectors } from '../testing/vectors.fixture.ts'
import { refusals } from './checks.ts'
import { judge } from './judge.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('every recorded request is answered alike, in the same words [21.6]', { skip }, () => {
  for (const { id, isOpenShift, operation, object, oldObject, allowed, error, status } of vectors?.validations ?? []) {
    const request = { operation, object, oldObject: oldObject ?? null }
    const answer = judge(request, { isOpenShift, hasRoutes: true })
    assert.equal(answer.kind === 'allow', allowed, `${id}: ${JSON.stringify(answer)}`)
    if (answer.kind === 'deny')
      assert.deepEqual([answer.message, answer.code, answer.reason], [error, status?.code, status?.reason], id)
  }
})

test('every recorded pattern is taken or refused as Go does it [21.4]', { skip }, () => {
  for (const { pattern, accepted, error } of vectors?.patterns ?? []) {
    const problem = goPatternProblem(pattern)
    assert.equal(problem === undefined, accepted, pattern)
    if (problem !== undefined) assert.equal(`invalid pattern for "Pattern" match type: ${problem}`, error)
  }
})

test('every recorded ARN is taken or refused alike', { skip }, () => {
  const context = { isOpenShift: true, isNewest: false, hadCrdSource: false }
  for (const { arn, error } of vectors?.arns ?? []) {
    const spec = { provider: { type: 'AWS', aws: { assumeRole: { arn } } }, source: { type: 'OpenShiftRoute' } }
    assert.deepEqual(refusals(spec, context), error === undefined ? [] : [error])
  }
})
