// Hosted zones and health checks: what they are refused, found by, and changed with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, type Resource } from '../../api.ts'
import type { Content, Values } from '../../model/request.ts'
import { renderIntent } from '../../ownership/intent-text.ts'
import { type Answer, answering } from '../../testing/answers.ts'
import { modelOf } from '../../testing/parts.ts'
import type { Deviation, SyncContext } from '../deviation.ts'
import { route53HealthCheck as checks } from './health-check.ts'
import { route53HostedZone as zones } from './hosted-zone.ts'
import { bareId, dnsName, zoneArn } from './ids.ts'

const zoneModel = modelOf('route53', 'HostedZone')
const checkModel = modelOf('route53', 'HealthCheck')
const place = { account: '111122223333', partition: 'aws', region: 'eu-west-1' }
const content = (spec: object, more: object = {}): Content => ({ spec, status: {}, ...more }) as Content
const vpc = (vpcID: string, vpcRegion = 'eu-west-1') => ({ vpcID, vpcRegion })
const wire = (VPCId: string, VPCRegion = 'eu-west-1') => ({ VPCId, VPCRegion })

for (const [id, bare] of [
  ['/hostedzone/Z1', 'Z1'],
  ['hostedzone/Z1', 'Z1'],
  ['/change/C1', 'C1'],
  ['Z1', 'Z1'],
  [undefined, ''],
] as const)
  test(`the id ${id ?? 'of nothing'} is ${bare || 'none'}`, () => assert.equal(bareId(id), bare))

for (const [name, plain] of [
  ['WWW.Example.com.', 'www.example.com'],
  ['\\052.example.com.', '*.example.com'],
  ['\\101.com', 'a.com'],
  [undefined, ''],
] as const)
  test(`the name ${name ?? 'of nothing'} is ${plain || 'none'} to DNS`, () => assert.equal(dnsName(name), plain))

const isPrivate = { hostedZoneConfig: { privateZone: true } }
const isPublic = { hostedZoneConfig: { privateZone: false } }

for (const [what, spec, refused] of [
  ['nothing', {}, undefined],
  ['a VPC', { vpc: vpc('v') }, undefined],
  ['a VPC and an empty list', { vpc: vpc('v'), vpcs: [] }, undefined],
  ['VPCs', { vpcs: [vpc('v')], ...isPrivate }, undefined],
  ['both', { vpc: vpc('v'), vpcs: [vpc('v')] }, /^vpc and vpcs cannot be used together$/],
  ['a public zone', isPublic, undefined],
  ['a public zone with a VPC', { ...isPublic, vpc: vpc('v') }, /privateZone cannot be false$/],
  ['a public zone with VPCs', { ...isPublic, vpcs: [vpc('v')] }, /privateZone cannot be false$/],
  ['a VPC without a region', { vpcs: [vpc('v'), { vpcID: 'w' }] }, /^each of vpcs needs both vpcID and vpcRegion$/],
  ['a VPC without an id', { vpcs: [{ vpcRegion: 'r' }] }, /^each of vpcs needs both/],
] as const)
  test(`a zone with ${what} is ${refused === undefined ? 'taken' : 'refused'}`, () => {
    const found = zones.refuse?.({ wanted: content(spec) } as never)
    if (refused === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', refused)
  })

test('a zone is looked for in a list while neither its id nor its ARN is known', () => {
  const finds = (status: object, arn?: string) =>
    zones.findsByList?.(content({}, { status, ...(arn === undefined ? {} : { arn }) }))
  assert.deepEqual([finds({}), finds({ id: 'Z1' }), finds({}, 'arn')], [true, false, false])
})

const long = 'x'.repeat(90)

test('the reference of a zone is of its name, as much as fits, and of our token', () => {
  const create = (spec: object) => zones.create?.({ Name: 'n' }, { wanted: content(spec), token: 't' } as never)
  assert.deepEqual(create({ name: 'a.' }), { Name: 'n', CallerReference: 'a.-t' })
  assert.deepEqual(create({ name: long }), { Name: 'n', CallerReference: `${'x'.repeat(80)}-t` })
  assert.deepEqual(create({ name: 'a.', vpcs: [vpc('v'), vpc('w')] }), { Name: 'n', CallerReference: 'a.-t', VPC: wire('v') })
  assert.deepEqual(create({ name: 'a.', vpc: vpc('v') }), { Name: 'n', CallerReference: 'a.-t', VPC: wire('v') })
  const proves = (callerReference: string) =>
    zones.proves?.(content({}, { status: { callerReference } }), {
      wanted: content({ name: 'a.' }),
      intent: { token: 't' },
    } as never)
  assert.deepEqual([proves('a.-t'), proves('a.-u')], [true, false])
  const { arn } = zones.created?.({}, content({}, { status: { id: '/hostedzone/Z1' } }), { place } as never) ?? {}
  assert.deepEqual([arn, zoneArn('aws-cn', 'Z1')], ['arn:aws:route53:::hostedzone/Z1', 'arn:aws-cn:route53:::hostedzone/Z1'])
})

const sameZone = (field: string, wanted: unknown, latest: unknown, specs: readonly [object, object] = [{}, {}]) =>
  zones.same?.[field]?.(wanted, latest, { model: zoneModel, wanted: content(specs[0]), latest: content(specs[1]) })

for (const [what, wanted, latest, same] of [
  ['the same', { vpcs: [vpc('v'), vpc('w')] }, [vpc('w'), vpc('v')], true],
  ['one', { vpcs: [vpc('v')] }, [vpc('v')], true],
  ['one that stands alone', { vpc: vpc('v') }, [vpc('v')], true],
  ['one more', { vpcs: [vpc('v'), vpc('w')] }, [vpc('v')], false],
  ['one less', { vpcs: [vpc('v')] }, [vpc('v'), vpc('w')], false],
  ['another', { vpcs: [vpc('v'), vpc('w')] }, [vpc('v'), vpc('x')], false],
  ['another region', { vpcs: [vpc('v')] }, [vpc('v', 'r')], false],
  ['none', {}, [], true],
] as const)
  test(`the VPCs of a zone, ${what}, ${same ? 'are as they are wanted' : 'differ'}`, () =>
    assert.equal(sameZone('VPCs', undefined, undefined, [wanted, { vpcs: latest }]), same))

test('of the configuration of a zone its comment is compared', () => {
  const comment = (text: unknown) => ({ comment: text })
  assert.deepEqual(
    [
      sameZone('HostedZoneConfig', comment('a'), { ...comment('a'), privateZone: true }),
      sameZone('HostedZoneConfig', comment('a'), comment('b')),
      sameZone('HostedZoneConfig', undefined, comment('')),
      sameZone('HostedZoneConfig', comment(5), undefined),
      sameZone('VPC', vpc('v'), undefined),
    ],
    [true, false, true, true, true],
  )
})

const tags = (...keys: readonly string[]) => keys.map(key => ({ key, value: 'x' }))

function sync(deviation: Deviation, model: unknown, wanted: object, latest: object, more: Partial<SyncContext> = {}) {
  const status = { id: '/hostedzone/Z1' }
  const context = { model, wanted: content(wanted), latest: content(latest, { status }), isNew: false, delta: [], ...more }
  return (deviation.sync?.(context as never) ?? []).map(({ operation, input, tolerates }) => [operation, input, tolerates])
}
const ofZone = { ResourceType: 'hostedzone', ResourceId: 'Z1' }
const id = { HostedZoneId: '/hostedzone/Z1' }

test('a zone is changed by what differs of it, and by nothing while it is new', () => {
  const calls = (wanted: object, latest: object, more: Partial<SyncContext> = {}) => sync(zones, zoneModel, wanted, latest, more)
  assert.deepEqual(calls({ tags: tags('a') }, { tags: tags('a') }), [])
  assert.deepEqual(calls({ tags: tags('a') }, {}, { isNew: true }), [])
  assert.deepEqual(calls({ tags: tags('a') }, { tags: tags('b') }), [
    ['ChangeTagsForResource', { ...ofZone, RemoveTagKeys: ['b'] }, undefined],
    ['ChangeTagsForResource', { ...ofZone, AddTags: [{ Key: 'a', Value: 'x' }] }, undefined],
  ])
  assert.deepEqual(calls({ vpcs: [vpc('v'), vpc('w')] }, { vpcs: [vpc('w'), vpc('x')] }), [
    ['AssociateVPCWithHostedZone', { ...id, VPC: wire('v') }, ['ConflictingDomainExists']],
    ['DisassociateVPCFromHostedZone', { ...id, VPC: wire('x') }, ['VPCAssociationNotFound']],
  ])
  assert.deepEqual(calls({ hostedZoneConfig: { comment: 'c' } }, {}, { delta: ['Spec.HostedZoneConfig'] }), [
    ['UpdateHostedZoneComment', { Id: '/hostedzone/Z1', Comment: 'c' }, undefined],
  ])
})

test('all VPCs of a zone but the first are let go before it', () => {
  const latest = content({ vpcs: [vpc('v'), vpc('w'), vpc('x')] }, { status: { id: 'Z1' } })
  const calls = zones.beforeDelete?.({ latest } as never)
  assert.deepEqual(
    calls?.map(({ input }) => input['VPC']),
    [wire('w'), wire('x')],
  )
})

const claimOf = (intent?: string): Resource =>
  ({
    metadata: { name: 'x', ...(intent === undefined ? {} : { annotations: { [annotations.createIntent]: intent } }) },
  }) as unknown as Resource
const ours = claimOf(renderIntent({ token: 't', atMs: 0, prints: [] }))
const GetHostedZone = {
  HostedZone: { Id: '/hostedzone/Z1', Name: 'a.', CallerReference: 'r', Config: { Comment: 'c', PrivateZone: false } },
}
const ListTagsForResource = { ResourceTagSet: { Tags: [{ Key: 'a', Value: 'x' }] } }

async function readZone(answers: Readonly<Record<string, Answer>>, { wanted = content({ name: 'a.' }), claim = claimOf() } = {}) {
  const { caller, asked } = answering({ GetHostedZone, ListTagsForResource, ...answers })
  const found = await zones.read?.({ model: zoneModel, deviation: zones, claim, wanted, place, caller } as never)
  return { found, asked }
}

test('a zone is read by its id, with its tags, its VPCs and its name servers', async () => {
  const answer = { ...GetHostedZone, VPCs: [wire('v')], DelegationSet: { CallerReference: 'd', Id: 'N1', NameServers: ['ns.'] } }
  const { found, asked } = await readZone(
    { GetHostedZone: answer },
    { wanted: content({ name: 'a.', vpcs: [vpc('w')] }, { status: { id: '/hostedzone/Z1' } }) },
  )
  assert.deepEqual(asked, [
    ['GetHostedZone', { Id: '/hostedzone/Z1' }],
    ['ListTagsForResource', ofZone],
  ])
  assert.equal(found?.arn, 'arn:aws:route53:::hostedzone/Z1')
  assert.deepEqual([found?.spec['vpcs'], found?.spec['tags']], [[vpc('v')], tags('a')])
  assert.deepEqual(found?.status['delegationSet'], { callerReference: 'd', id: 'N1', nameServers: ['ns.'] })
})

test('a zone without VPCs has none, whatever the manifest says, and a private one no name servers', async () => {
  const wanted = content({ name: 'a.', vpcs: [vpc('w')] }, { arn: 'arn:aws:route53:::hostedzone/Z1' })
  const { found, asked } = await readZone({ GetHostedZone: { ...GetHostedZone, DelegationSet: null } }, { wanted })
  assert.deepEqual(asked[0], ['GetHostedZone', { Id: 'hostedzone/Z1'.slice('hostedzone/'.length) }])
  assert.deepEqual(['vpcs' in (found?.spec ?? {}), 'delegationSet' in (found?.status ?? {})], [false, false])
  const { found: silent } = await readZone({ GetHostedZone: { ...GetHostedZone, DelegationSet: undefined } }, { wanted })
  assert.equal('delegationSet' in (silent?.status ?? {}), false)
})

const page = (...held: readonly (readonly [name: string, reference: string])[]): Values => ({
  HostedZones: held.map(([Name, CallerReference], index) => ({
    Id: `/hostedzone/${CallerReference}${index}`,
    Name,
    CallerReference,
  })),
})

for (const [what, claim, pages, sought, pagesRead] of [
  ['nothing was begun', claimOf(), [page(['a.', 'a.-t'])], undefined, 0],
  ['its reference is there', ours, [page(['a.', 'other'], ['a.', 'a.-t'])], '/hostedzone/a.-t1', 1],
  ['its reference is on another page', ours, [page(['A', 'other']), page(['a.', 'a.-t'])], '/hostedzone/a.-t0', 2],
  ['another name ends the search', ours, [page(['a.', 'x'], ['b.', 'y']), page(['a.', 'a.-t'])], undefined, 1],
  ['no other name does', ours, [page(['a.', 'x']), page(['a.', 'y'])], undefined, 2],
] as const)
  test(`of a zone whose id is not known, ${what}: ${sought ?? 'it is not there'}`, async () => {
    let read = 0
    const { caller, asked } = answering({ GetHostedZone, ListTagsForResource })
    const counted = {
      ...caller,
      pages: async function* (operation: string, input: Values) {
        await Promise.resolve()
        assert.deepEqual([operation, input], ['ListHostedZonesByName', { DNSName: 'a.' }])
        for (const each of pages) {
          read++
          yield each
        }
      },
    }
    const found = await zones.read?.({
      model: zoneModel,
      claim,
      wanted: content({ name: 'a.' }),
      place,
      caller: counted,
    } as never)
    assert.deepEqual([found !== undefined, asked[0]?.[1]['Id'], read], [sought !== undefined, sought, pagesRead])
  })

test('an id that is none is asked for by nobody', async () => {
  for (const unknown of ['', 5])
    assert.deepEqual((await readZone({}, { wanted: content({}, { status: { id: unknown } }) })).asked, [])
})

const config = (more: object = {}) => ({ type: 'HTTP', fullyQualifiedDomainName: 'a.com', ...more })
const sameCheck = (wanted: unknown, latest: unknown) => checks.same?.['HealthCheckConfig']?.(wanted, latest, {} as never)

test('what a manifest leaves open of a health check is Route 53’s to fill', () => {
  assert.deepEqual(
    [
      sameCheck(config(), config({ port: 80 })),
      sameCheck(config({ port: 81 }), config({ port: 80 })),
      sameCheck(config(), undefined),
      sameCheck(undefined, config()),
      sameCheck({ toString: 'x' }, {}),
    ],
    [true, false, false, true, false],
  )
})

test('a health check is changed by what differs of it, member by member, and by nothing while it is new', () => {
  const calls = (wanted: object, latest: object, more: Partial<SyncContext> = {}) =>
    sync(checks, checkModel, wanted, latest, more)
  const ofCheck = { ResourceType: 'healthcheck', ResourceId: 'Z1' }
  assert.deepEqual(calls({ tags: tags('a') }, { tags: tags('a') }), [])
  assert.deepEqual(calls({ tags: tags('a') }, {}, { isNew: true }), [])
  assert.deepEqual(calls({ tags: tags('a') }, { tags: tags('b') }), [
    ['ChangeTagsForResource', { ...ofCheck, RemoveTagKeys: ['b'] }, undefined],
    ['ChangeTagsForResource', { ...ofCheck, AddTags: [{ Key: 'a', Value: 'x' }] }, undefined],
  ])
  // Its type cannot change, and stands in no update.
  const wanted = { healthCheckConfig: config({ port: 81 }) }
  assert.deepEqual(calls(wanted, {}, { delta: ['Spec.Other', 'Spec.HealthCheckConfig.Port'] }), [
    ['UpdateHealthCheck', { HealthCheckId: '/hostedzone/Z1', FullyQualifiedDomainName: 'a.com', Port: 81 }, undefined],
  ])
  assert.deepEqual(calls(wanted, {}, { delta: ['Spec.Other'] }), [])
  assert.deepEqual(checks.create?.({ a: 1 }, { token: 't' } as never), { a: 1, CallerReference: 't' })
})

const GetHealthCheck = {
  HealthCheck: { Id: 'H1', CallerReference: 'r', HealthCheckConfig: { Type: 'HTTP' }, HealthCheckVersion: 1 },
}

test('a health check is read with its tags, and one that is absent is asked for none', async () => {
  const read = async (answers: Readonly<Record<string, Answer>>, status: object = { id: 'H1' }) => {
    const { caller, asked } = answering({ ListTagsForResource, ...answers })
    const context = { model: checkModel, deviation: checks, claim: claimOf(), wanted: content({}, { status }), place, caller }
    return { found: await checks.read?.(context as never), asked }
  }
  const { found, asked } = await read({ GetHealthCheck })
  assert.deepEqual(found?.spec['tags'], tags('a'))
  assert.deepEqual(asked.at(-1), ['ListTagsForResource', { ResourceType: 'healthcheck', ResourceId: 'H1' }])
  const absent = await read({}, {})
  assert.deepEqual([absent.found, absent.asked], [undefined, []])
})
