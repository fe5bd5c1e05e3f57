// The parts of the runtime, each by itself: values in, values out. What is decided here is decided for every kind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, type Normaliser, parseAccountId, type ServiceModel } from '#aws'
import { parseNamedObjects } from '#kube'
import { annotations, conditions, ownerTag, type Resource } from '../api.ts'
import { atRest, readyOf } from '../decide/at-rest.ts'
import { transientState } from '../decide/state.ts'
import { compareSpecs, isAtOrBelow, sameDeep } from '../delta/compare.ts'
import { troubleOf } from '../errors.ts'
import { parseFieldPath, valueAtPath } from '../exports/field-path.ts'
import { dnsName } from '../kinds/route53/ids.ts'
import { toWire, ValueError } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import { tagChanges, wantedTags } from '../model/tags.ts'
import { readResource } from '../observe/read-aws.ts'
import { matchSelectors, selectorProblem } from '../place/match-selectors.ts'
import { selectPlace } from '../place/select-place.ts'
import { resolveReferences } from '../references/references.ts'
import { readSecrets } from '../secrets/secrets.ts'
import { changes } from '../testing/changes.ts'
import { at, modelOf, type PlaceInput } from '../testing/parts.ts'
import { type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

const role = modelOf('iam', 'Role')

test('the order of texts, nil and empty, and another way to write a policy are no differences [6.6]', () => {
  const base = { name: 'a', assumeRolePolicyDocument: trust() }
  assert.deepEqual(compareSpecs(role, { ...base, policies: ['b', 'a'] }, { ...base, policies: ['a', 'b'] }), [])
  assert.deepEqual(compareSpecs(role, { ...base, policies: ['a', 'a'] }, { ...base, policies: ['a', 'b'] }), ['Spec.Policies'])
  assert.deepEqual(compareSpecs(role, { ...base, policies: [] }, base), [])
  assert.deepEqual(compareSpecs(role, { ...base, description: 'x' }, base), ['Spec.Description'])
  assert.equal(sameDeep({ a: [], b: { c: null } }, {}), true)
  assert.equal(sameDeep({ a: [0] }, {}), false)
  assert.equal(isAtOrBelow('Spec.AB', 'Spec.A'), false)
  assert.equal(isAtOrBelow('Spec.A.B', 'Spec.A'), true)
})

test('a field with a normaliser is equal to what means the same [9.19]', () => {
  const field = role.spec.named('Description')
  assert.ok(field)
  const withNormaliser = (normalise: Normaliser): KindModel => {
    const spec = role.kind.spec.map(each => (each === field ? { ...each, compare: { normalise } } : each))
    return { ...role, kind: { ...role.kind, spec } }
  }
  const same = (normalise: Normaliser, wanted: unknown, latest: unknown): boolean =>
    compareSpecs(withNormaliser(normalise), { description: wanted }, { description: latest }).length === 0
  assert.equal(same('dns-name', 'WWW.Example.com', 'www.example.com.'), true)
  assert.equal(same('dns-name', 'www.example.com', 'example.com'), false)
  assert.equal(same('arn', 'arn:aws:logs:r:1:log-group:g', 'arn:aws:logs:r:1:log-group:g:*'), true)
  assert.equal(same('case-insensitive', 'GZIP', 'gzip'), true)
  assert.equal(same('json', '{"a": 1, "b": [2]}', 'b: [2]\na: 1'), true)
  assert.equal(same('json', '{"a": 1}', '{"a": 2}'), false)
  assert.equal(same('unordered', [{ a: 1, b: 2 }, { a: 3 }], [{ a: 3 }, { b: 2, a: 1 }]), true)
  assert.equal(same('unordered', [{ a: 1 }, { a: 1 }], [{ a: 1 }]), false)
})

test('tags of AWS itself are neither asked for nor taken away [6.15]', () => {
  const latest = { 'aws:cloudformation:stack-name': 's', old: '1' }
  assert.deepEqual(tagChanges({ team: 'a' }, latest), { set: { team: 'a' }, removed: ['old'] })
  assert.deepEqual(wantedTags({ team: 'a', 'aws:x': 'mine' }, latest), { team: 'a', 'aws:cloudformation:stack-name': 's' })
})

test('account and region, by team, by namespace, by selector; what moved or is doubtful is refused [6.2]', () => {
  const select = (more: Partial<PlaceInput>) => selectPlace(at(more))
  const own = select({})
  assert.deepEqual(own.kind === 'chosen' && [own.place.account, own.place.region, own.place.role], [
    '111122223333',
    'eu-west-1',
    undefined,
  ])
  const owner = { 'services.k8s.aws/owner-account-id': '999988887777' }
  const arn = 'arn:aws:iam::999988887777:role/work'
  assert.equal(select({ namespaceAnnotations: owner }).kind, 'no-role')
  assert.equal(
    select({ namespaceAnnotations: owner, maps: { accounts: { '999988887777': '' }, teams: undefined } }).kind,
    'no-role',
  )
  const mapped = select({ namespaceAnnotations: owner, maps: { accounts: { '999988887777': arn }, teams: undefined } })
  assert.deepEqual(mapped.kind === 'chosen' && [mapped.place.account, mapped.place.role], ['999988887777', arn])
  const selector = (name: string) => ({ name, resourceVersion: '1', arn })
  assert.equal(select({ selectors: [selector('a'), selector('b')] }).kind, 'ambiguous')
  const selected = select({ selectors: [selector('a')] })
  assert.equal(
    selected.kind === 'chosen' && selected.place.selected?.message,
    `roleARN: ${arn}, selectorName: a, selectorResourceVersion: 1`,
  )
  const made = (metadata: object) => at({}, { status: { ackResourceMetadata: metadata } }).claim
  assert.equal(select({ claim: made({ region: 'us-west-2' }) }).kind, 'moved')
  assert.equal(selectPlace({ ...at({ carm: false }), claim: made({ ownerAccountID: '999988887777' }) }).kind, 'moved')
})

test('nobody works in an account that is none: in a role of a team, in a status, in the settings', () => {
  const select = (more: Partial<PlaceInput>) => selectPlace(at(more)).kind
  const team = (role: string) =>
    select({
      teamLevelCarm: true,
      namespaceAnnotations: { 'services.k8s.aws/team-id': 'red' },
      maps: { accounts: undefined, teams: { red: role } },
    })
  assert.equal(team('arn:aws:iam::999988887777:role/red'), 'chosen')
  assert.equal(team('arn:aws:iam:::role/red'), 'no-role')
  assert.equal(team('arn:aws:iam::aws:role/red'), 'no-role')
  const made = at({}, { status: { ackResourceMetadata: { ownerAccountID: '../x' } } }).claim
  assert.equal(select({ claim: made }), 'moved')
  assert.equal(select({ home: { account: '', partition: 'aws', region: 'eu-west-1' } }), 'invalid')
})

test('selectors of different sorts must all fit, entries of one sort are alternatives [6.14]', () => {
  const selector = (spec: object) => ({
    metadata: { name: 's', uid: 'u', resourceVersion: '1' },
    spec: { arn: 'arn:aws:iam::1:role/r', ...spec },
  })
  const selected = { claim: at({}).claim, type: role.type, namespaceLabels: { team: 'blue' } }
  const fits = (spec: object): boolean => matchSelectors([selector(spec)] as never, selected).length === 1
  // One that cannot be followed selects all the same: what it selects must not be made as somebody else.
  assert.equal(fits({}), true)
  assert.match(selectorProblem({ arn: 'arn:aws:iam::/r' }) ?? '', /no ARN of a role/)
  const arn = 'arn:aws:iam::111122223333:role/r'
  assert.equal(fits({ arn }), true)
  assert.equal(fits({ arn, namespaceSelector: { names: ['other'] } }), false)
  assert.equal(fits({ arn, namespaceSelector: { names: [], labelSelector: { matchLabels: { team: 'blue' } } } }), true)
  assert.equal(fits({ arn, resourceTypeSelector: [{ group: '', version: '', kind: 'Policy' }] }), false)
  assert.equal(
    fits({
      arn,
      resourceTypeSelector: [
        { group: '', version: '', kind: 'Policy' },
        { group: '', version: '', kind: 'Role' },
      ],
    }),
    true,
  )
  assert.match(selectorProblem({ arn, resourceTypeSelector: [{ group: '', version: '', kind: '' }] }) ?? '', /names nothing/)
})

test('references are resolved from what is ready, and never beside a value [6.12]', () => {
  const target = (said: string, arn?: string): Resource =>
    ({
      metadata: { name: 'p' },
      status: {
        ...(arn === undefined ? {} : { ackResourceMetadata: { arn } }),
        conditions: [{ type: conditions.synced, status: said, reason: '', message: '', lastTransitionTime: '' }],
      },
    }) as unknown as Resource
  const resolve = (spec: object, found: Resource | undefined | 'unserved') =>
    resolveReferences(role, { ...at({}).claim, spec } as Resource, { find: () => found, crossNamespace: true })
  const policyRefs = [{ from: { name: 'p' } }]
  const good = resolve({ policyRefs }, target('True', 'arn:p'))
  assert.deepEqual(good.kind === 'resolved' && good.spec, { policies: ['arn:p'] })
  for (const [spec, found, message] of [
    [{ policyRefs }, undefined, /does not exist/],
    [{ policyRefs }, target('False', 'arn:p'), /not synced yet/],
    [{ policyRefs }, target('True'), /missing the target field/],
    [{ policyRefs }, 'unserved', /not served/],
    [{ policyRefs, policies: ['x'] }, target('True', 'arn:p'), /cannot be used together: Policies,PolicyRefs/],
    [{ policyRefs: [{ from: { name: '' } }] }, target('True', 'arn:p'), /reference is empty/],
  ] as const) {
    const bad = resolve(spec, found)
    assert.match(bad.kind === 'unresolved' ? bad.message : 'resolved', message)
  }
})

test('a secret that is missing, of another type or without the key is terminal; its hash is keyed with what only its readers know [10.3.14]', async () => {
  const certificate = modelOf('acm', 'Certificate')
  const secret = (more: object) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { uid: 's1' },
    type: 'Opaque',
    data: { key: 'c2VjcmV0' },
    ...more,
  })
  const spec = { certificate: { name: 's', key: 'key' } }
  const read = async (found: object | undefined, uid = 'u1') =>
    readSecrets(certificate, { ...at({}).claim, metadata: { ...at({}).claim.metadata, uid }, spec } as Resource, spec, {
      read: () => Promise.resolve(found as never),
      crossNamespace: true,
      access: { secrets: parseNamedObjects(['*']), anySecretType: false },
    })
  const [good, other] = [await read(secret({})), await read(secret({}), 'u2')]
  assert.equal(good.kind === 'read' && good.spec['certificate'], 'secret')
  const hashOf = (one: Awaited<ReturnType<typeof read>>) => (one.kind === 'read' ? one.hash : assert.fail(one.message))
  assert.notEqual(hashOf(good), hashOf(other))
  assert.equal(hashOf(good), hashOf(await read(secret({ metadata: { uid: 's1', resourceVersion: '7' } }))))
  assert.notEqual(hashOf(good), hashOf(await read(secret({ metadata: { uid: 's2' } }))))
  for (const [found, message] of [
    [undefined, /kubernetes secret not found/],
    [secret({ type: 'kubernetes.io/tls' }), /only opaque secrets can be used/],
    [secret({ data: {} }), /has no key/],
  ] as const) {
    const bad = await read(found)
    assert.match(bad.kind === 'unusable' ? bad.message : 'read', message)
  }
})

test('a missing permission is never terminal, a code of the config is [6.11]', () => {
  const error = (code: string, httpStatus: number) =>
    troubleOf(
      new AwsError({ service: 'IAM', operation: 'CreateRole', code, message: 'm', httpStatus }),
      { model: withTerminal(role, ['AccessDenied', 'InvalidInput']), deviation: {} },
      'aws',
    ) as { kind: string; reason: string }
  assert.deepEqual([error('AccessDenied', 403).kind, error('AccessDenied', 403).reason], ['backoff', 'MissingPermission'])
  assert.deepEqual([error('InvalidInput', 400).kind, error('InvalidInput', 400).reason], ['stop', 'InvalidManifest'])
  assert.equal(error('LimitExceeded', 409).reason, 'QuotaExceeded')
})

function withTerminal(model: KindModel, terminalCodes: readonly string[]): KindModel {
  return { ...model, kind: { ...model.kind, settings: { ...model.kind.settings, terminalCodes } } }
}

test('numbers that do not fit are refused before anything is sent [6.9.3]', () => {
  const service = {
    ...role.service,
    model: { ...role.service.model, shapes: { Small: { type: 'integer' }, Big: { type: 'long' } } } as unknown as ServiceModel,
  }
  const wire = (value: number, target: string) =>
    toWire(value, { service, type: { kind: 'integer' }, member: { target }, path: 'x' })
  assert.equal(wire(2 ** 31 - 1, 'Small'), 2 ** 31 - 1)
  assert.throws(() => wire(2 ** 31, 'Small'), ValueError)
  assert.equal(wire(2 ** 31, 'Big'), 2 ** 31)
})

test('what stands on the third page is found, and a read that names nothing is not made [10.3.20]', async () => {
  const zone = modelOf('s3', 'Bucket')
  const pages = [['a'], ['b'], ['c']].map(names => ({ Buckets: names.map(Name => ({ Name })) }))
  let asked = 0
  const context = (name: string | undefined) => ({
    model: zone,
    claim: at({}).claim,
    wanted: { spec: name === undefined ? {} : { name }, status: {} },
    place: { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' },
    adopting: false,
    justMade: false,
    caller: {
      call: () => Promise.resolve(pages[0] ?? {}),
      of: () => assert.fail('no other service is asked'),
      once: () => Promise.resolve({}),
      list: () => Promise.resolve([]),
      together: () => Promise.reject(new Error('nobody is here to ask together with')),
      pages: async function* () {
        for (const page of pages) {
          asked += 1
          yield page
        }
      },
    },
  })
  assert.equal((await readResource({ ...context('c'), deviation: {} }))?.spec['name'], 'c')
  assert.equal(asked, 3)
  assert.equal(await readResource({ ...context('d'), deviation: {} }), undefined)
  const user = modelOf('iam', 'User')
  const nameless = {
    ...context(undefined),
    model: user,
    caller: { ...context(undefined).caller, call: () => Promise.resolve({ User: { UserName: 'me' } }) },
  }
  const unnamed = await readResource({ ...nameless, deviation: {} })
  assert.deepEqual([unnamed?.isAbsent, unnamed?.isUnasked, unnamed?.spec], [true, true, {}])
})

test('names of Route 53 are equal in any case, with and without the last dot, escaped or not', () => {
  assert.equal(dnsName('\\052.Example.COM.'), '*.example.com')
})

test('a resource that is on its way to another state is not ready', () => {
  const cluster = modelOf('eks', 'Cluster')
  assert.equal(transientState(cluster, { spec: {}, status: { status: 'CREATING' } }), 'CREATING')
  assert.equal(transientState(cluster, { spec: {}, status: { status: 'ACTIVE' } }), undefined)
  const one = {
    model: cluster,
    deviation: {},
    settings: { strictSync: false, resyncSecondsOf: {} },
    place: { account: parseAccountId('111122223333'), partition: 'aws', region: 'r' },
    claim: at({}).claim,
    seen: { references: { kind: 'resolved', hasReferences: false, notices: [] }, adoption: { kind: 'none' } },
    now: 0,
  }
  const said = atRest(one as never, { spec: {}, status: { status: 'CREATING' } }, { advisories: [] }).conditions
  assert.equal(said.find(({ type }) => type === 'Ready')?.status, 'False')
  assert.equal(readyOf([{ type: conditions.recoverable, status: 'True', reason: 'x', message: 'm' }]).status, 'False')
})

test('FieldExport: paths of jq that name a field [6.14]', () => {
  const object = { status: { conditions: [{ type: 'Ready' }] }, metadata: { annotations: { 'a.b/c': 'd' } } }
  const value = (path: string): unknown => {
    const steps = parseFieldPath(path)
    return steps === undefined ? 'no path' : valueAtPath(object, steps)
  }
  assert.equal(value('.status.conditions[0].type'), 'Ready')
  assert.equal(value('.metadata.annotations["a.b/c"]'), 'd')
  assert.equal(value('.status.nothing.deeper'), undefined)
  for (const path of ['status', '.', '.a | b', '.a | keys', '.a[', '']) assert.equal(value(path), 'no path', path)
})

test('what stands there under the name and is another’s stays when the claim goes', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  await world.create('Role', 'one', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.settle()
  await world.client('iam').call('TagRole', { RoleName: 'reader', Tags: [{ Key: ownerTag, Value: 'somebody-else' }] })
  world.aws.calls.clear()
  await world.remove('Role', 'one')
  await world.advance(5_000)
  assert.equal(await world.get('Role', 'one'), undefined)
  assert.deepEqual(changes(world), [])
})

test('a claim that goes before AWS shows what was made for it leaves nothing behind', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.aws.faults.add({
    match: { service: 'iam', operation: 'GetRole' },
    effect: { kind: 'error', code: 'NoSuchEntity', http: 404 },
    times: 4,
  })
  world.start()
  await world.create('Role', 'one', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.settle()
  await world.remove('Role', 'one')
  await world.advance(120_000)
  assert.equal(await world.get('Role', 'one'), undefined)
  assert.deepEqual((await world.client('iam').call('ListRoles'))['Roles'], [])
})

test('updates that undo each other do not go on for ever: the object says so, and they are tried seldom', async () => {
  let sent = 0
  await using world: ResourceWorld = resourceWorld({
    kinds: ['Role', 'Policy'],
    // Whoever sets the description loses the tags, and whoever sets the tags loses the description.
    throughAws: exchange => async request => {
      const answer = await exchange(request)
      const [, operation = ''] =
        /Action=(UpdateRole|TagRole)&/.exec(request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : '') ??
        []
      if (operation !== '') sent += 1
      if (operation === 'UpdateRole') await world.client('iam').call('UntagRole', { RoleName: 'reader', TagKeys: ['team'] })
      if (operation === 'TagRole') await world.client('iam').call('UpdateRole', { RoleName: 'reader', Description: 'lost' })
      return answer
    },
  })
  world.start()
  const spec = { name: 'reader', assumeRolePolicyDocument: trust(), description: 'first', tags: [{ key: 'team', value: 'blue' }] }
  await world.create('Role', 'one', spec)
  await world.advance(10_000)
  await world.patch('Role', 'one', { spec: { description: 'second' } })
  await world.advance(300_000)
  assert.ok(sent > 2 && sent <= 8, `${sent} updates`)
  const ready = await world.condition('Role', 'one', conditions.ready)
  assert.deepEqual([ready?.status, ready?.message?.includes('undo each other')], ['False', true])
  await world.patch('Role', 'one', { spec: { description: 'lost' } })
  await world.advance(60_000)
  assert.equal((await world.condition('Role', 'one', conditions.ready))?.status, 'True', 'another wish is tried at once')
})

test('an update without effect is sent twice and told; another wish is tried again [10.3.19]', async () => {
  // AWS takes the call and keeps what it has.
  await using stubborn = resourceWorld({
    kinds: ['Role', 'Policy'],
    throughAws: exchange => request => {
      const text = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      if (!text.includes('Action=UpdateRole&')) return exchange(request)
      sent += 1
      const body =
        '<UpdateRoleResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><UpdateRoleResult/><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></UpdateRoleResponse>'
      return Promise.resolve({ status: 200, headers: { 'content-type': 'text/xml' }, body: new TextEncoder().encode(body) })
    },
  })
  let sent = 0
  stubborn.start()
  await stubborn.create('Role', 'one', { name: 'reader', assumeRolePolicyDocument: trust(), description: 'first' })
  await stubborn.advance(10_000)
  await stubborn.patch('Role', 'one', { spec: { description: 'second' } })
  await stubborn.advance(300_000)
  assert.equal(sent, 2)
  const advisory = await stubborn.condition('Role', 'one', conditions.advisory)
  assert.equal(advisory?.reason, 'PersistentDiff')
  assert.match(advisory?.message ?? '', /Spec\.Description/)
  await stubborn.patch('Role', 'one', { spec: { description: 'third' } })
  await stubborn.advance(300_000)
  assert.equal(sent, 4)
})

test('weather that passes is not written into a status; a third failure in a row is', async () => {
  for (const times of [6, 12]) {
    await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
    const { passes } = world.start()
    world.aws.faults.add({
      match: { service: 'iam', operation: 'GetRole' },
      effect: { kind: 'error', code: 'ServiceFailure', http: 500 },
      times,
    })
    await world.create('Role', 'one', { name: 'reader', assumeRolePolicyDocument: trust() })
    await world.advance(120_000)
    assert.equal((await world.condition('Role', 'one', conditions.ready))?.status, 'True')
    const statusWrites = passes.flatMap(({ writes }) => writes).filter(({ subresource }) => subresource === 'status').length
    assert.equal(statusWrites, times === 6 ? 1 : 2, `${times} failures`)
  }
})

test('tags of ours never get into a manifest that is filled from AWS [10.3.10]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  const Tags = [
    { Key: 'services.k8s.aws/namespace', Value: 'default' },
    { Key: 'team', Value: 'blue' },
  ]
  await world.client('iam').call('CreateRole', { RoleName: 'old', AssumeRolePolicyDocument: trust(), Tags })
  world.start()
  const metadata = { annotations: { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"old"}' } }
  await world.create('Role', 'one', undefined, metadata)
  await world.advance(10_000)
  assert.deepEqual((await world.get('Role', 'one'))?.spec?.['tags'], [{ key: 'team', value: 'blue' }])
})
