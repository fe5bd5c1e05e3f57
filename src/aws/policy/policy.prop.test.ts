import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { samePolicy } from './compare-policies.ts'
import { parsePolicy } from './parse-policy.ts'
import type { PolicyDocument, Statement } from './policy-document.ts'
import { renderPolicy } from './render-policy.ts'

const text = fc.stringMatching(/^[ -~\u00a0-\u00ff]{1,20}$/)
const oneOrMany = (value: fc.Arbitrary<string>): fc.Arbitrary<string | string[]> =>
  fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 4 }))
const action = fc.constantFrom('*', 's3:*', 's3:GetObject', 'iam:Get?ole', 'STS:AssumeRole', 'execute-api:Invoke')
const resource = fc.constantFrom('*', 'arn:aws:s3:::b/*', 'arn:aws:iam::123456789012:role/x', 'arn:aws:s3:::<&>')

const statement: fc.Arbitrary<Statement> = fc
  .record(
    {
      sid: fc.stringMatching(/^[A-Za-z0-9]{1,8}$/),
      effect: fc.constantFrom('Allow' as const, 'Deny' as const),
      action: oneOrMany(action),
      resource: oneOrMany(resource),
      condition: fc.dictionary(
        fc.constantFrom('StringEquals', 'ForAnyValue:StringLike', 'Null', 'NumericLessThanEqualsIfExists', 'NotIpAddress'),
        fc.dictionary(text, oneOrMany(text), { maxKeys: 3, noNullPrototype: true }),
        { maxKeys: 3, noNullPrototype: true },
      ),
    },
    { requiredKeys: ['effect', 'action', 'resource'], noNullPrototype: true },
  )
  .map(value => value as Statement)

const policy: fc.Arbitrary<PolicyDocument> = fc
  .record(
    {
      version: fc.constantFrom('2012-10-17' as const, '2008-10-17' as const),
      id: text,
      statements: fc.uniqueArray(statement, { minLength: 1, maxLength: 4, selector: ({ sid }) => sid ?? Symbol('none') }),
    },
    { requiredKeys: ['statements'], noNullPrototype: true },
  )
  .map(value => value as PolicyDocument)

test('what is rendered reads back as the same document', () => {
  fc.assert(fc.property(policy, document => assert.deepEqual(parsePolicy(renderPolicy(document), 'identity').document, document)))
})

test('a document stays the same when everything without order is shuffled', () => {
  fc.assert(
    fc.property(policy, document => {
      const shuffled: PolicyDocument = {
        ...document,
        statements: document.statements.toReversed().map(each => ({
          ...each,
          action: Array.isArray(each.action) ? each.action.toReversed() : [each.action as string],
          ...(each.condition && { condition: Object.fromEntries(Object.entries(each.condition).toReversed()) }),
        })),
      }
      assert.ok(samePolicy(document, shuffled))
    }),
  )
})

test('a document with one more action is another document', () => {
  fc.assert(
    fc.property(policy, document => {
      const [first, ...rest] = document.statements as [Statement, ...Statement[]]
      const wider = { ...document, statements: [{ ...first, action: ['x:New', ...[first.action ?? []].flat()] }, ...rest] }
      assert.ok(!samePolicy(document, wider))
    }),
  )
})

test('any text is read without an exception, in bounded time', () => {
  const mutated = fc
    .tuple(policy.map(renderPolicy), fc.nat(), fc.string({ unit: 'binary', maxLength: 5 }), fc.nat(5))
    .map(([whole, at, what, drop]) => {
      const place = at % whole.length
      return whole.slice(0, place) + what + whole.slice(place + drop)
    })
  const nasty = fc.constantFrom(
    '{"Statement":'.repeat(70_000),
    `{"Statement":[${'{},'.repeat(100_000)}{}]}`,
    `{"Statement":{"Effect":"Allow","Resource":"${'arn:'.repeat(240_000)}","Action":"x:y"}}`,
    `{"Statement":{"Effect":"Allow","Resource":"*","Action":"${'a-'.repeat(490_000)}"}}`,
    `"${'\\ud800'.repeat(100_000)}"`,
  )
  fc.assert(
    fc.property(
      fc.oneof({ weight: 50, arbitrary: mutated }, { weight: 10, arbitrary: fc.json() }, { weight: 1, arbitrary: nasty }),
      source => {
        for (const use of ['identity', 'resource', 'trust'] as const) {
          const { document, problems } = parsePolicy(source, use)
          assert.ok(document === undefined ? problems.length > 0 && problems.length <= 50 : problems === undefined)
          for (const problem of problems ?? []) {
            assert.ok(problem.message.length < 400 && problem.line >= 1 && problem.column >= 1, JSON.stringify(problem))
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})
