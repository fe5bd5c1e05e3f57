// The whole life of a parameter group, over a small service that takes and refuses parameters as RDS does: by twenty, at once only where the engine
// reads them while it runs, and telling as the user's what was set alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crdOf, resourceService } from '#crdgen'
import { conditions, type ServiceWithKinds } from '#operators/resources'
import { inferSmall, structure } from '../../src/crdgen/infer/model.fixture.ts'
import { type ResourceWorld, resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { json, throughSmall } from './small-server.ts'

const named = { '!DBParameterGroupName': 'String' }
const groupMembers = { DBParameterGroupName: 'String', DBParameterGroupFamily: 'String', Description: 'String' }

const config = `resources:
  DBParameterGroup:
    renames:
      operations:
${['Create', 'Describe', 'Modify', 'Delete']
  .map(
    verb =>
      `        ${verb}DBParameterGroup${verb === 'Describe' ? 's' : ''}: {input_fields: {DBParameterGroupName: Name, DBParameterGroupFamily: Family}}\n`,
  )
  .join('')}    exceptions: {errors: {"404": {code: DBParameterGroupNotFoundFault}}}
    fields:
      Name: {is_primary_key: true}
      ParameterOverrides: {custom_field: {map_of: String}}
      ParameterOverrideStatuses: {from: {operation: DescribeDBParameters, path: Parameters}, is_read_only: true}
`

function rds(): ServiceWithKinds {
  const inferred = inferSmall(
    {
      operations: {
        CreateDBParameterGroup: [
          { ...named, '!DBParameterGroupFamily': 'String', '!Description': 'String' },
          { DBParameterGroup: 'Group' },
        ],
        DescribeDBParameterGroups: [{ DBParameterGroupName: 'String' }, { DBParameterGroups: 'Groups' }],
        ModifyDBParameterGroup: [{ ...named, '!Parameters': 'ParametersList' }, { DBParameterGroupName: 'String' }],
        ResetDBParameterGroup: [
          { ...named, ResetAllParameters: 'Boolean', Parameters: 'ParametersList' },
          { DBParameterGroupName: 'String' },
        ],
        DeleteDBParameterGroup: [named],
        DescribeDBParameters: [{ ...named, Source: 'String', Filters: 'Filters' }, { Parameters: 'ParametersList' }],
      },
      shapes: {
        Group: structure(groupMembers),
        Groups: { type: 'list', member: { shape: 'Group' } },
        Parameter: structure({
          ParameterName: 'String',
          ParameterValue: 'String',
          ApplyMethod: 'String',
          ApplyType: 'String',
          Source: 'String',
        }),
        ParametersList: { type: 'list', member: { shape: 'Parameter' } },
        Filter: structure({ Name: 'String', Values: 'Strings' }),
        Filters: { type: 'list', member: { shape: 'Filter' } },
      },
    },
    config,
    { alias: 'rds' },
  )
  const madeOf = { model: '', config, program: '' }
  return {
    service: resourceService(inferred, { kinds: inferred.kinds, madeOf }),
    crds: inferred.kinds.map(kind => crdOf(inferred, kind)) as unknown as ServiceWithKinds['crds'],
  }
}

interface Told {
  readonly ParameterName: string
  readonly ParameterValue?: string
  readonly ApplyMethod: string
}

/** Parameters of the engine: `s…` are read at its start, all others while it runs, and each is 0 until somebody sets it. */
const engine = [...Array.from({ length: 30 }, (_, index) => `p${index}`), 's1', 's2']
const applyType = (name: string): string => (name.startsWith('s') ? 'static' : 'dynamic')

interface Server {
  readonly set: Map<string, string>
  /** Each write, with what it says of each parameter. */
  readonly writes: (readonly [operation: string, parameters: readonly string[]])[]
  readonly through: ReturnType<typeof throughSmall>
}

function server(): Server {
  const set = new Map<string, string>()
  const writes: Server['writes'] = []
  let group: object | undefined
  const refused = (message: string): ReturnType<typeof json> => json(400, { __type: 'InvalidParameterCombination', message })
  const write = (operation: string, parameters: readonly Told[]): ReturnType<typeof json> => {
    writes.push([operation, parameters.map(each => [each.ParameterName, each.ParameterValue, each.ApplyMethod].join(' '))])
    if (parameters.length > 20) return refused('more than twenty')
    const early = parameters.find(each => applyType(each.ParameterName) === 'static' && each.ApplyMethod !== 'pending-reboot')
    if (early !== undefined) return refused(`cannot use immediate apply method for static parameter ${early.ParameterName}`)
    // What is set to the engine's own value is not called the user's.
    for (const { ParameterName, ParameterValue } of parameters)
      if (operation.startsWith('Modify') && ParameterValue !== '0') set.set(ParameterName, ParameterValue ?? '')
      else set.delete(ParameterName)
    return json(200, { DBParameterGroupName: 'tuned' })
  }
  const through = throughSmall((operation, input) => {
    if (operation === 'CreateDBParameterGroup') {
      group = input
      return json(200, { DBParameterGroup: group })
    }
    const isListed = operation === 'DescribeDBParameterGroups' && input['DBParameterGroupName'] === undefined
    if (isListed) return json(200, { DBParameterGroups: group === undefined ? [] : [group] })
    if (group === undefined) return json(404, { __type: 'DBParameterGroupNotFoundFault', message: 'no such group' })
    if (operation === 'DescribeDBParameterGroups') return json(200, { DBParameterGroups: [group] })
    if (operation === 'DeleteDBParameterGroup') {
      group = undefined
      return json(200, {})
    }
    if (operation !== 'DescribeDBParameters') return write(operation, (input['Parameters'] ?? []) as readonly Told[])
    const [filter] = (input['Filters'] ?? []) as readonly { readonly Values: readonly string[] }[]
    const Parameters = engine
      .map(ParameterName => ({
        ParameterName,
        ParameterValue: set.get(ParameterName) ?? '0',
        ApplyType: applyType(ParameterName),
        Source: set.has(ParameterName) ? 'user' : 'engine-default',
      }))
      .filter(each => input['Source'] === undefined || each.Source === input['Source'])
      .filter(each => filter === undefined || filter.Values.includes(each.ParameterName))
    return json(200, { Parameters })
  })
  return { set, writes, through }
}

async function rests(world: ResourceWorld): Promise<void> {
  await world.settle()
  await world.advance(70_000)
  const ready = await world.condition('DBParameterGroup', 'one', conditions.ready)
  assert.equal(ready?.status, 'True', ready?.message)
}

test('parameters are set, changed, put right and reset, each as its engine takes it', async () => {
  const aws = server()
  const service = rds()
  await using world = resourceWorld({ services: [service.service], objects: [...service.crds], throughAws: aws.through })
  world.start()
  const many = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`p${index}`, '1']))
  const spec = { name: 'tuned', family: 'postgres16', description: 'one' }
  await world.create('DBParameterGroup', 'one', { ...spec, parameterOverrides: { ...many, s1: '1', p29: '0' } })
  await rests(world)
  assert.deepEqual(Object.fromEntries(aws.set), { ...many, s1: '1' })
  assert.deepEqual(
    aws.writes.map(([operation, parameters]) => [operation, parameters.length]),
    [
      ['ModifyDBParameterGroup', 20],
      ['ModifyDBParameterGroup', 6],
    ],
  )
  const status = (await world.get('DBParameterGroup', 'one'))?.status as Readonly<Record<string, unknown>> | undefined
  const told = status?.['parameterOverrideStatuses']
  assert.ok(Array.isArray(told))
  assert.equal(told.length, 25)

  aws.writes.length = 0
  await world.patch('DBParameterGroup', 'one', { spec: { parameterOverrides: { p0: '2', p1: null, s1: null, s2: '3' } } })
  await rests(world)
  assert.deepEqual(aws.writes, [
    ['ModifyDBParameterGroup', ['p0 2 immediate', 's2 3 pending-reboot']],
    ['ResetDBParameterGroup', ['p1  immediate', 's1  pending-reboot']],
  ])

  aws.writes.length = 0
  aws.set.set('p2', '9')
  aws.set.set('p28', '9')
  await world.advance(11 * 3_600_000)
  await rests(world)
  assert.deepEqual(aws.writes, [
    ['ModifyDBParameterGroup', ['p2 1 immediate']],
    ['ResetDBParameterGroup', ['p28  immediate']],
  ])

  aws.writes.length = 0
  await world.patch('DBParameterGroup', 'one', { spec: { parameterOverrides: null } })
  await rests(world)
  assert.deepEqual([...aws.set.keys()], [])
  assert.deepEqual(
    aws.writes.map(([operation]) => operation),
    ['ResetDBParameterGroup', 'ResetDBParameterGroup'],
  )
})
