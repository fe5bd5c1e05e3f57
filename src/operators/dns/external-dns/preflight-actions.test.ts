// When credentials are tried, and what is asked then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PreflightAction } from '../preflight/runner.ts'
import { dnsSeen, type SeenOptions, tried } from '../testing/dns-seen.fixture.ts'
import { preflightActions, preflightDue } from './preflight-actions.ts'

const seen = ({ settings, ...more }: SeenOptions = {}) => dnsSeen({ settings: { preflightEnabled: true, ...settings }, ...more })
const aws = (more: object): object => ({ provider: { type: 'AWS', aws: { credentials: { name: 'dns-creds' }, ...more } } })

/** What is asked where the try is due. */
function asked(options: SeenOptions = {}): PreflightAction {
  const [action] = preflightActions(seen(options), 0)
  assert.ok(action !== undefined)
  return action
}

/** With a try of the very same behind it. */
function after(options: SeenOptions = {}, finding: Parameters<typeof tried>[0] = {}): SeenOptions {
  return { ...options, preflight: tried({ fingerprint: asked(options).fingerprint, ...finding }) }
}

for (const [what, options] of [
  ['where nobody tries any', { settings: { preflightEnabled: false } }],
  ['where the object wants none tried', { spec: { preflight: { enabled: false } } }],
  ['of another provider', { spec: { provider: { type: 'GCP', gcp: { credentials: { name: 'dns-creds' } } } } }],
  ['that are not there yet', { target: undefined }],
] as const)
  test(`credentials ${what} are not tried`, () => {
    assert.equal(preflightDue(seen(options), 0), undefined)
    assert.deepEqual(preflightActions(seen(options), 0), [])
  })

test('credentials that nobody has tried are tried at once, with what the object says and what the cluster is', () => {
  const { fingerprint, ...action } = asked()
  assert.match(fingerprint, /^[0-9a-f]{64}$/)
  assert.deepEqual(action, {
    kind: 'act:preflight',
    summary: 'try the credentials of blue',
    name: 'blue',
    namespace: 'external-dns',
    secretName: 'external-dns-credentials-blue',
    identity: { kind: 'file' },
    aws: { credentials: { name: 'dns-creds' } },
    zones: [],
    zoneRoles: {},
    discovery: undefined,
    simulates: false,
    region: 'us-east-1',
  })
})

const openShift = { isOpenShift: true, type: 'AWS', awsRegion: 'eu-west-1', gcpProject: '' }

for (const [what, options, region] of [
  ['that the object names', { spec: aws({ region: 'us-west-2' }), platform: openShift }, 'us-west-2'],
  ['of the platform', { platform: openShift }, 'eu-west-1'],
  ['in which AWS began, where nobody names another', {}, 'us-east-1'],
] as const)
  test(`the region of a try is the one ${what}`, () => assert.equal(asked(options).region, region))

test('IAM is asked about changes where the object wishes it, and not where it says nothing of it', () => {
  assert.deepEqual(
    [true, false, undefined].map(simulate => asked({ spec: { preflight: { simulate } } }).simulates),
    [true, false, false],
  )
})

/** The least and the most of a time that is spread by a tenth, for many objects. */
function dueAfter(options: SeenOptions): readonly [min: number, max: number] {
  const dues = Array.from({ length: 400 }, (_, index) => {
    const more = { ...options, metadata: { uid: `uid-${index}` } }
    return preflightDue(seen(after(more)), 60_000) ?? Number.NaN
  })
  return [Math.min(...dues), Math.max(...dues)]
}

for (const [what, spec, seconds] of [
  ['ten minutes', {}, 600],
  ['the time that the object names', { preflight: { intervalSeconds: 3600 } }, 3600],
] as const)
  test(`the next try comes after ${what}, a tenth more or less, and not for all objects at once`, () => {
    const [min, max] = dueAfter({ spec })
    assert.ok(min >= seconds * 900 && min < seconds * 910, `${min}`)
    assert.ok(max <= seconds * 1_100 && max > seconds * 1_090, `${max}`)
  })

test('the time until the next try grows shorter as it comes near, and is over once it has passed', () => {
  const options = after()
  const due = preflightDue(seen(options), 60_000) ?? 0
  assert.equal(preflightDue(seen(options), 60_000 + due - 1), 1)
  assert.deepEqual(preflightActions(seen(options), 60_000 + due - 1), [])
  assert.equal(preflightDue(seen(options), 60_000 + due), 0)
  assert.equal(preflightDue(seen(options), 60_000 + due + 1), 0)
  assert.equal(preflightActions(seen(options), 60_000 + due).length, 1)
})

const condition = { type: 'RecordsSynced', status: 'False', reason: 'AccessDenied', message: 'no' } as const

for (const [what, turnedAt, isDue] of [
  ['turned since the last try', 60_001, true],
  ['turned at the moment of the last try', 60_000, false],
  ['turned before the last try', 59_999, false],
  ['has not turned', undefined, false],
] as const)
  test(`a try is ${isDue ? '' : 'not '}due at once where what the operand says ${what}`, () => {
    const due = preflightDue(seen({ ...after(), operand: { condition, turnedAt } }), 60_000)
    assert.equal(due === 0, isDue)
  })

const data = (text: string): object => ({ data: { credentials: Buffer.from(text).toString('base64') } })
const withTarget = (text: string): SeenOptions => ({ target: { ...seen().target, ...data(text) } as never })
const looking = { zoneDiscovery: { mode: 'AssumedRole' } }
const irsa = aws({ credentials: undefined, workloadIdentity: { mode: 'IRSA', roleARN: 'arn:aws:iam::111111111111:role/x' } })

for (const [what, before, now, isOther] of [
  ['another role', {}, { spec: aws({ assumeRole: { arn: 'x' } }) }, true],
  ['other keys', withTarget('a'), withTarget('b'), true],
  [
    'other keys that the identity of the pod has no use for',
    { spec: irsa, ...withTarget('a') },
    { spec: irsa, ...withTarget('b') },
    false,
  ],
  ['other zones', {}, { spec: { zones: ['ZA'] } }, true],
  ['the wish to ask IAM', {}, { spec: { preflight: { simulate: true } } }, true],
  ['another interval', {}, { spec: { preflight: { intervalSeconds: 60 } } }, false],
  ['other authorities', {}, { trustedCa: { data: { a: 'b' } } as never }, true],
  ['zones that were found', { spec: looking }, { spec: looking, status: { zones: ['ZA'] } }, false],
  ['other domains to look for', { spec: looking }, { spec: { ...looking, domains: [] } }, true],
  ['another policy of records', {}, { spec: { ownership: { policy: 'CreateOnly' } } }, false],
] as const)
  test(`${what} ${isOther ? 'is another thing to try, at once' : 'is nothing to try anew'}`, () => {
    const { preflight } = after(before)
    assert.equal(preflightDue(seen({ ...now, preflight }), 60_000) === 0, isOther)
  })

const found = { zones: ['ZA'], doubted: ['ZA'] }
const nothing = { zones: [], doubted: [] }
const known = (options: SeenOptions) => asked({ spec: looking, ...options }).discovery?.known

test('zones that were found are known to the next look, after a restart by the status, and not where something else is looked for', () => {
  assert.deepEqual(asked({ spec: looking }).discovery?.domains, ['example.com'])
  const { fingerprint } = asked({ spec: looking })
  const turned = { operand: { condition, turnedAt: 70_000 } }
  assert.deepEqual(known({ ...turned, preflight: tried({ fingerprint, found }) }), found)
  assert.deepEqual(known({ preflight: tried({ found }) }), nothing)
  const status = { zones: ['ZB'], observedGeneration: 1 }
  assert.deepEqual(known({ status }), { zones: ['ZB'], doubted: [] })
  assert.deepEqual(known({ status, metadata: { generation: 2 } }), nothing)
  assert.deepEqual(known({ status, preflight: tried() }), nothing)
})
