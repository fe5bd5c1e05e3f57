import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Principal } from '../principal.ts'
import { decide } from './decide.ts'
import { PolicyReader } from './document.ts'
import { type Json, type NaiveCaller, type NaiveCase, naiveDecision } from './naive.fixture.ts'

const here = '111122223333'
const there = '444455556666'
const roleArn = `arn:aws:iam::${here}:role/app`
const sessionArn = `arn:aws:sts::${here}:assumed-role/app/s`
const userArn = `arn:aws:iam::${here}:user/u`

const action = fc.constantFrom('s3:GetObject', 's3:PutObject', 's3:DeleteObject', 'iam:GetRole')
const actionPattern = fc.constantFrom(
  '*',
  's3:*',
  'S3:getobject',
  's3:Get*',
  's3:?etObject',
  's3:PutObject',
  'iam:*',
  'iam:GetRole',
  's3:*Object',
)
const resource = fc.constantFrom(
  'arn:aws:s3:::b/k',
  'arn:aws:s3:::b/alice/x',
  'arn:aws:s3:::b',
  'arn:aws:s3:::other/*k',
  'arn:aws:s3:::b/a:b',
)
const resourcePattern = fc.constantFrom(
  '*',
  'arn:aws:s3:::b/*',
  'arn:aws:s3:::b',
  'arn:aws:s3:::?/k',
  'arn:aws:s3:::b/${aws:username}/*',
  "arn:aws:s3:::b/${aws:PrincipalTag/team, 'alice'}/*",
  'arn:aws:s3:::other/${*}k',
  'arn:aws:s3:::${missing:key}/*',
)

const contextKey = fc.constantFrom(
  'aws:username',
  'aws:PrincipalTag/team',
  'aws:TagKeys',
  'aws:SourceIp',
  'aws:CurrentTime',
  'aws:EpochTime',
  'aws:SecureTransport',
  'aws:SourceArn',
  's3:max-keys',
)
const values: Readonly<Record<string, readonly string[]>> = {
  'aws:username': ['alice', 'bob', 'ALICE', '*', ''],
  'aws:PrincipalTag/team': ['a', 'b', 'alice', 'a*'],
  'aws:TagKeys': ['team', 'cost', 'Team'],
  'aws:SourceIp': ['10.0.0.1', '10.1.2.3', '192.168.0.9', '::1'],
  'aws:CurrentTime': ['2026-01-01T00:00:00Z', '2026-06-01T12:00:00Z', '2027-01-01'],
  'aws:EpochTime': ['1767225600', '1800000000', 'soon'],
  'aws:SecureTransport': ['true', 'false'],
  'aws:SourceArn': ['arn:aws:s3:::b', 'arn:aws:eks:eu-west-1:111122223333:cluster/c', 'arn:aws:sns:eu-west-1:1:t:x'],
  's3:max-keys': ['1', '10', '10.0', '-5', 'many'],
}
const wantedFor: Readonly<Record<string, readonly string[]>> = {
  ...values,
  'aws:username': ['alice', 'a*', '${aws:PrincipalTag/team}', '?ob', '${*}', ''],
  'aws:SourceIp': ['10.0.0.0/8', '10.0.0.1', '192.168.0.0/16', 'nonsense', '10.0.0.0/33'],
  'aws:SourceArn': ['arn:aws:s3:::*', 'arn:aws:eks:*:111122223333:cluster/*', 'arn:*', 'arn:aws:sns:*:*:t:x', 'arn:aws:s?:::b'],
}
const bases = ['String', 'Numeric', 'Date']
const comparisons = ['Equals', 'NotEquals', 'LessThan', 'LessThanEquals', 'GreaterThan', 'GreaterThanEquals']
const base = fc.constantFrom(
  'StringEquals',
  'StringNotEquals',
  'StringEqualsIgnoreCase',
  'StringNotEqualsIgnoreCase',
  'StringLike',
  'StringNotLike',
  'ArnEquals',
  'ArnLike',
  'ArnNotEquals',
  'ArnNotLike',
  'Bool',
  'Null',
  'IpAddress',
  'NotIpAddress',
  'BinaryEquals',
  ...bases.slice(1).flatMap(kind => comparisons.map(comparison => `${kind}${comparison}`)),
)
const operator = fc
  .tuple(fc.constantFrom('', '', 'ForAllValues:', 'ForAnyValue:'), base, fc.boolean())
  .map(([qualifier, name, ifExists]) => (name === 'Null' ? name : `${qualifier}${name}${ifExists ? 'IfExists' : ''}`))

const condition = fc.tuple(operator, contextKey).chain(([name, key]) => {
  const wanted = name === 'Null' ? fc.constantFrom('true', 'false') : fc.constantFrom(...(wantedFor[key] as string[]))
  return fc
    .uniqueArray(wanted, { minLength: 1, maxLength: 3 })
    .map(list => ({ [name]: { [key]: list.length === 1 ? list[0] : list } }))
})
const conditions = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc
      .array(condition, { minLength: 1, maxLength: 2 })
      .map(list => ({ Condition: Object.assign({}, ...list) as Json })),
  },
)

const oneOrMany = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T | T[]> =>
  fc.oneof(item, fc.uniqueArray(item, { minLength: 1, maxLength: 3 }))
const effect = fc.oneof({ weight: 4, arbitrary: fc.constant('Allow') }, { weight: 1, arbitrary: fc.constant('Deny') })
const actions = fc.tuple(fc.boolean(), oneOrMany(actionPattern)).map(([not, list]) => ({ [not ? 'NotAction' : 'Action']: list }))
const resources = fc
  .tuple(fc.boolean(), oneOrMany(resourcePattern))
  .map(([not, list]) => ({ [not ? 'NotResource' : 'Resource']: list }))
const principal = fc.constantFrom('*', here, there, `arn:aws:iam::${here}:root`, userArn, roleArn, sessionArn)
const principals = fc
  .tuple(fc.integer({ max: 5 }), oneOrMany(principal))
  .map(([kind, list]) => (kind === 0 ? { NotPrincipal: { AWS: list } } : { Principal: list === '*' ? '*' : { AWS: list } }))

const version = fc.constantFrom({ Version: '2012-10-17' }, { Version: '2012-10-17' }, { Version: '2008-10-17' }, {})
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Json> =>
  fc.tuple(...parts).map(list => Object.assign({}, ...list) as Json)
const identityStatement = merged(
  effect.map(Effect => ({ Effect })),
  actions,
  resources,
  conditions,
)
const resourceStatement = merged(
  effect.map(Effect => ({ Effect })),
  actions,
  resources,
  principals,
  conditions,
)
const documentOf = (statement: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  merged(
    version,
    fc.array(statement, { minLength: 1, maxLength: 3 }).map(Statement => ({ Statement })),
  )

const caller: fc.Arbitrary<NaiveCaller> = fc.constantFrom(
  { kind: 'user', account: here, arn: userArn } as const,
  { kind: 'session', account: here, arn: sessionArn, roleArn } as const,
  { kind: 'session', account: here, arn: sessionArn, roleArn } as const,
  { kind: 'anonymous' } as const,
)
const context = fc.uniqueArray(contextKey, { maxLength: 6 }).chain(keys =>
  fc
    .tuple(
      ...keys.map(key =>
        fc
          .uniqueArray(fc.constantFrom(...(values[key] as string[])), {
            minLength: 1,
            maxLength: key === 'aws:TagKeys' ? 3 : 1,
          })
          .map(list => [key.toLowerCase(), list] as const),
      ),
    )
    .map(entries => new Map(entries)),
)

const question: fc.Arbitrary<NaiveCase> = fc.record({
  action,
  resource,
  resourceAccount: fc.constantFrom(here, here, there),
  caller,
  context,
  identity: fc.array(documentOf(identityStatement), { maxLength: 3 }),
  boundary: fc.option(documentOf(identityStatement), { nil: undefined, freq: 2 }),
  session: fc.array(documentOf(identityStatement), { maxLength: 2 }),
  resourcePolicy: fc.option(documentOf(resourceStatement), { nil: undefined }),
})

function principalOf(naive: NaiveCaller): Principal {
  if (naive.kind === 'anonymous') return naive
  const common = { partition: 'aws', account: naive.account, arn: naive.arn, accessKeyId: 'AKIA' }
  if (naive.kind === 'user') return { ...common, kind: 'user', userId: 'AIDA', userName: 'u', managed: true }
  return {
    ...common,
    kind: 'session',
    userId: 'AROA:s',
    roleName: 'app',
    roleArn: naive.roleArn,
    roleId: 'AROA',
    sessionName: 's',
    issuedAtMs: 0,
    expiresAtMs: 1,
    policy: undefined,
    policyArns: [],
    tags: {},
    transitiveTagKeys: [],
    sourceIdentity: undefined,
    federatedProvider: undefined,
  }
}

function decisionOf(asked: NaiveCase): string {
  const named = (documents: readonly Json[]): { name: string; text: string }[] =>
    documents.map((document, index) => ({ name: `p${index}`, text: JSON.stringify(document) }))
  const [boundary] = asked.boundary === undefined ? [] : named([asked.boundary])
  const { action: name, resource: arn, resourceAccount, resourcePolicy } = asked
  const decision = decide(
    {
      action: name,
      resource: arn,
      resourceAccount,
      ...(resourcePolicy && { resourcePolicy: { kind: 'resource-based', name: 'r', text: JSON.stringify(resourcePolicy) } }),
    },
    {
      caller: principalOf(asked.caller),
      mode: 'full',
      context: asked.context,
      policies: () => ({ identity: named(asked.identity), boundary, session: named(asked.session) }),
      serviceControls: [],
      resourceControls: [],
      reader: new PolicyReader(),
    },
  )
  assert.equal(decision.allowed, decision.kind === 'allowed')
  assert.equal(decision.message === '', decision.allowed)
  if (!decision.allowed)
    assert.ok(decision.steps.length === 0 || decision.steps.some(step => !step.holds), 'a refusal names the link that broke')
  return decision.kind
}

test('over five thousand random documents the evaluator says what a second, naive one says [#110]', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(question, asked => {
      const decision = naiveDecision(asked)
      seen.set(decision, (seen.get(decision) ?? 0) + 1)
      assert.equal(decisionOf(asked), decision)
    }),
    { numRuns: 5_000 },
  )
  // A corpus that only ever ends one way would prove nothing.
  for (const decision of ['allowed', 'explicit deny', 'implicit deny'])
    assert.ok((seen.get(decision) ?? 0) > 250, `${decision}: ${seen.get(decision) ?? 0}`)
})

test('the order of statements and policies does not matter [#110]', () => {
  const reversed = (document: Json): Json => ({
    ...document,
    Statement: (document['Statement'] as readonly unknown[]).toReversed(),
  })
  fc.assert(
    fc.property(question, asked => {
      const turned: NaiveCase = {
        ...asked,
        identity: asked.identity.toReversed().map(reversed),
        session: asked.session.toReversed().map(reversed),
        boundary: asked.boundary && reversed(asked.boundary),
        resourcePolicy: asked.resourcePolicy && reversed(asked.resourcePolicy),
      }
      assert.equal(decisionOf(turned), decisionOf(asked))
    }),
    { numRuns: 1_000 },
  )
})
