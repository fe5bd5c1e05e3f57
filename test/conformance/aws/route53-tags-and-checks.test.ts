// Tags of Route 53 and its health checks: what is taken, kept and refused, and how they are listed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, asked, at, each } from './asked.ts'

const check = (more: object = {}): object => ({ Type: 'HTTP', FullyQualifiedDomainName: 'a.example.com', ...more })
const create = (
  { route53 }: Pick<Asked, 'route53'>,
  CallerReference: string,
  more: object = {},
  save?: string,
): Promise<unknown> => route53('CreateHealthCheck', { CallerReference, HealthCheckConfig: check(more) }, save)

for (const [type, sni] of [
  ['HTTP', false],
  ['HTTPS', true],
  ['HTTPS_STR_MATCH', true],
  ['TCP', false],
] as const) {
  test(`a health check of the type ${type} has defaults where nothing is said`, async () => {
    const made = at(await create(asked(), 'r', { Type: type }), 'HealthCheck')
    assert.deepEqual([at(made, 'CallerReference'), at(made, 'HealthCheckVersion')], ['r', 1])
    assert.deepEqual(at(made, 'HealthCheckConfig'), {
      ...check({ Type: type }),
      RequestInterval: 30,
      FailureThreshold: 3,
      MeasureLatency: false,
      Inverted: false,
      Disabled: false,
      EnableSNI: sni,
    })
  })
}

test('a reference makes one health check, and another configuration under it is refused', async () => {
  const world = asked()
  await create(world, 'r')
  await create(world, 'r', { RequestInterval: 30 })
  await create(world, 's')
  assert.deepEqual(at(await world.route53('GetHealthCheckCount'), 'HealthCheckCount'), 2)
  const refused = await create(world, 'r', { RequestInterval: 10 })
  assert.deepEqual([at(refused, 0), at(refused, 1)], ['HealthCheckAlreadyExists', 409])
})

test('a health check is changed at the version that is told, and loses what is reset', async () => {
  const { route53 } = asked()
  await create({ route53 }, 'r', { ResourcePath: '/x', Regions: ['us-east-1', 'us-west-1', 'eu-west-1'] }, 'made')
  const HealthCheckId = { $ref: 'made.HealthCheck.Id' }
  const update = async (more: object): Promise<unknown> => route53('UpdateHealthCheck', { HealthCheckId, ...more })
  const changed = at(await update({ HealthCheckVersion: 1, FailureThreshold: 5, ResetElements: ['ResourcePath'] }), 'HealthCheck')
  assert.deepEqual(
    ['FailureThreshold', 'ResourcePath', 'RequestInterval'].map(name => at(changed, 'HealthCheckConfig', name)),
    [5, undefined, 30],
  )
  assert.equal(at(changed, 'HealthCheckVersion'), 2)
  assert.equal(at(await update({ HealthCheckVersion: 1 }), 0), 'HealthCheckVersionMismatch')
  assert.equal(at(await update({ Inverted: true }), 'HealthCheck', 'HealthCheckVersion'), 3)
  assert.deepEqual(at(await route53('GetHealthCheckStatus', { HealthCheckId }), 'HealthCheckObservations') ?? [], [])
  assert.deepEqual(await route53('DeleteHealthCheck', { HealthCheckId }), {})
  const gone = await route53('GetHealthCheck', { HealthCheckId })
  assert.deepEqual([at(gone, 0), at(gone, 1)], ['NoSuchHealthCheck', 404])
})

test('health checks come in pages', async () => {
  const world = asked()
  for (const reference of ['a', 'b', 'c']) await create(world, reference)
  const first = await world.route53('ListHealthChecks', { MaxItems: 2 }, 'page')
  assert.deepEqual([each(first, 'HealthChecks', 'Id').length, at(first, 'IsTruncated'), at(first, 'MaxItems')], [2, true, 2])
  const second = await world.route53('ListHealthChecks', { MaxItems: 2, Marker: { $ref: 'page.NextMarker' } })
  assert.deepEqual(
    [each(second, 'HealthChecks', 'Id').length, at(second, 'IsTruncated'), at(second, 'NextMarker')],
    [1, false, undefined],
  )
  assert.equal(at(await world.route53('ListHealthChecks', { MaxItems: 3 }), 'IsTruncated'), false)
})

for (const [kind, list] of [
  ['hostedzone', 'HostedZone'],
  ['healthcheck', 'HealthCheck'],
] as const) {
  test(`tags of a ${kind} are added, replaced and taken away, fifty at most`, async () => {
    const { route53 } = asked({ knobs: { quotas: { tags: 3 } } })
    if (kind === 'hostedzone') await route53('CreateHostedZone', { Name: 'example.com', CallerReference: 'r' }, 'made')
    else await create({ route53 }, 'r', {}, 'made')
    const one = { ResourceType: kind, ResourceId: { $ref: `made.${list}.Id` } }
    const change = (more: object): Promise<unknown> => route53('ChangeTagsForResource', { ...one, ...more })
    const add = (...tags: readonly (readonly [Key: string, Value: string])[]): object => ({
      AddTags: tags.map(([Key, Value]) => ({ Key, Value })),
    })
    const tags = async (): Promise<unknown> => {
      const found = at(await route53('ListTagsForResource', one), 'ResourceTagSet', 'Tags') as { Key: string; Value: string }[]
      return found.map(({ Key, Value }) => `${Key}=${Value}`).join(' ')
    }
    assert.equal(await tags(), '')
    assert.deepEqual(await change(add(['a', '1'], ['b', '2'])), {})
    assert.deepEqual(await change({ ...add(['a', '3']), RemoveTagKeys: ['b', 'none'] }), {})
    assert.equal(await tags(), 'a=3')
    const refused = async (more: object): Promise<unknown> => at(await change(more), 2)
    assert.equal(await refused({}), 'At least one of AddTags and RemoveTagKeys must be specified')
    assert.equal(await refused(add(['aws:x', '1'])), "Tag key 'aws:x' uses the reserved prefix aws:")
    assert.equal(await refused(add(['x', '1'], ['x', '2'])), 'Duplicate tag keys found.')
    assert.equal(
      await refused({ ...add(['x', '1']), RemoveTagKeys: ['x'] }),
      'A tag key may not be added and removed in one request',
    )
    assert.equal(await refused(add(['x', ''], ['y', ''], ['z', ''])), 'The number of tags exceeds the limit of 3.')
    assert.deepEqual(await change(add(['x', ''], ['y', ''])), {})
    assert.deepEqual(await change({ RemoveTagKeys: ['x', 'y'] }), {})
    const many = await route53('ListTagsForResources', { ResourceType: kind, ResourceIds: [{ $ref: `made.${list}.Id` }] })
    assert.deepEqual(at(many, 'ResourceTagSets', 0, 'Tags'), [{ Key: 'a', Value: '3' }])
    const missing = await route53('ListTagsForResource', { ResourceType: kind, ResourceId: 'NONE' })
    assert.equal(at(missing, 0), kind === 'hostedzone' ? 'NoSuchHostedZone' : 'NoSuchHealthCheck')
  })
}
