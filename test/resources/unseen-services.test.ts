// What the runtime makes of services that it has never seen: by which words of an API it finds, changes and lets go what it made. Each
// model is made by hand, after one that a real service has.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AwsError } from '#aws'
import { resourceService } from '#crdgen'
import { adoptionKeys } from '#operators/resources'
import { inferSmall, type SmallModel, structure } from '../../src/crdgen/infer/model.fixture.ts'
import { tagCalls } from '../../src/operators/resources/kinds/tag-calls.ts'
import { isAbsence } from '../../src/operators/resources/model/absence.ts'
import { type KindModel, kindModel } from '../../src/operators/resources/model/kind-model.ts'
import { type Content, requestOf } from '../../src/operators/resources/model/request.ts'
import { readByModel } from '../../src/operators/resources/observe/read-aws.ts'

type Values = Readonly<Record<string, unknown>>

function modelOf(small: SmallModel, kind: string, config = ''): KindModel {
  const inferred = inferSmall(small, config)
  const madeOf = { model: '', config, program: '' }
  const service = resourceService(inferred, { kinds: inferred.kinds, madeOf })
  const found = service.kinds[kind]
  assert.ok(found, `${kind} is among ${Object.keys(service.kinds).join(', ')}`)
  return kindModel(service, found)
}

/** The kind's own read against answers from a table, and what was asked. */
async function read(
  model: KindModel,
  wanted: Partial<Content>,
  answer: Values,
): Promise<{ readonly found: Content | undefined; readonly asked: readonly (readonly [string, Values])[] }> {
  const asked: [string, Values][] = []
  const call = (operation: string, input: Values): Promise<Values> => {
    asked.push([operation, input])
    return Promise.resolve(answer)
  }
  const pages = async function* (operation: string, input: Values): AsyncGenerator<Values> {
    yield await call(operation, input)
  }
  const context = { model, wanted: { spec: {}, status: {}, ...wanted }, caller: { call, pages } }
  const found = await readByModel(context as unknown as Parameters<typeof readByModel>[0])
  return { found, asked }
}

const groups: SmallModel = {
  operations: {
    CreateSecurityGroup: [{ '!GroupName': 'String', Description: 'String' }, { GroupId: 'String' }],
    DescribeSecurityGroups: [{ GroupIds: 'Strings', GroupNames: 'Strings' }, { SecurityGroups: 'Groups' }],
    DeleteSecurityGroup: [{ GroupId: 'String', GroupName: 'String' }],
    CreateNetwork: [{ Range: 'String' }, { NetworkId: 'String' }],
    DescribeNetworks: [{ NetworkIds: 'Strings' }, { Networks: 'Networks' }],
    DeleteNetwork: [{ '!NetworkId': 'String' }],
  },
  shapes: {
    Groups: { type: 'list', member: { shape: 'Group' } },
    Group: structure({ GroupId: 'String', GroupName: 'String', Description: 'String' }),
    Networks: { type: 'list', member: { shape: 'Network' } },
    Network: structure({ NetworkId: 'String', Range: 'String' }),
  },
}

describe('what a list is searched for', () => {
  test('nothing is asked while nothing is known that tells a resource from its neighbours', async () => {
    const network = modelOf(groups, 'Network')
    const answer = { Networks: [{ NetworkId: 'default', Range: '10.0.0.0/8' }] }
    assert.deepEqual(await read(network, { spec: { range_: '10.0.0.0/8' } }, answer), { found: undefined, asked: [] })
    const { found, asked } = await read(network, { status: { networkID: 'default' } }, answer)
    assert.equal(found?.spec['range_'], '10.0.0.0/8')
    assert.deepEqual(asked, [['DescribeNetworks', { NetworkIds: ['default'] }]])
  })

  test('by a shorter word than the kind has, and by the id alone where there is one', async () => {
    const group = modelOf(groups, 'SecurityGroup')
    const answer = {
      SecurityGroups: [
        { GroupId: 'g-1', GroupName: 'other' },
        { GroupId: 'g-2', GroupName: 'mine' },
      ],
    }
    const byName = await read(group, { spec: { groupName: 'mine' } }, answer)
    assert.deepEqual(byName.asked, [['DescribeSecurityGroups', { GroupNames: ['mine'] }]])
    assert.equal(byName.found?.status['groupID'], 'g-2')
    const byId = await read(group, { spec: { groupName: 'mine' }, status: { groupID: 'g-2' } }, answer)
    assert.deepEqual(byId.asked, [['DescribeSecurityGroups', { GroupIds: ['g-2'] }]])
    const content: Content = { spec: { groupName: 'mine' }, status: { groupID: 'g-2' } }
    assert.deepEqual(requestOf(group, 'DeleteSecurityGroup', content, { method: 'Delete' }), { GroupId: 'g-2' })
  })

  test('the list that a config names, or that is called like the kind, is the one that is searched; a name of Create is one everywhere', async () => {
    const small: SmallModel = {
      operations: {
        CreateAlarm: [{ '!AlarmName': 'String', Limit: 'Integer' }, {}],
        DescribeAlarms: [{ AlarmNames: 'Strings' }, { Advice: 'Advices', Alarms: 'Alarms' }],
        DeleteAlarm: [{ '!AlarmName': 'String' }],
      },
      shapes: {
        Advices: { type: 'list', member: { shape: 'Advice' } },
        Advice: structure({ AlarmName: 'String' }),
        Alarms: { type: 'list', member: { shape: 'Alarm' } },
        Alarm: structure({ AlarmName: 'String', Limit: 'Integer' }),
      },
    }
    const config =
      'resources:\n  Alarm:\n    renames:\n      operations:\n        CreateAlarm: {input_fields: {AlarmName: Name}}\n'
    const answer = { Advice: [{ AlarmName: 'a' }], Alarms: [{ AlarmName: 'a', Limit: 3 }] }
    const { found, asked } = await read(modelOf(small, 'Alarm', config), { spec: { name: 'a' } }, answer)
    assert.deepEqual(asked, [['DescribeAlarms', { AlarmNames: ['a'] }]])
    assert.equal(found?.spec['limit'], 3)
    const named = `${config}operations:\n  DescribeAlarms: {output_wrapper_field_path: Advice}\n`
    const other = await read(modelOf(small, 'Alarm', named), { spec: { name: 'a' } }, answer)
    assert.equal(other.found?.spec['limit'], undefined)
  })

  test('of two lists the one that tells more than names is read', async () => {
    const small: SmallModel = {
      operations: {
        CreateCluster: [{ '!ClusterName': 'String' }, {}],
        DescribeClusters: [{ Clusters: 'Strings' }, { Clusters: 'Clusters' }],
        ListClusters: [{}, { ClusterArns: 'Strings' }],
        DeleteCluster: [{ '!Cluster': 'String' }],
      },
      shapes: {
        Clusters: { type: 'list', member: { shape: 'Cluster' } },
        Cluster: structure({ ClusterName: 'String', ClusterArn: 'String' }),
      },
    }
    const cluster = modelOf(small, 'Cluster')
    const answer = { Clusters: [{ ClusterName: 'c', ClusterArn: 'arn:aws:x:::c' }] }
    const { found, asked } = await read(cluster, { spec: { clusterName: 'c' } }, answer)
    assert.deepEqual(asked, [['DescribeClusters', { Clusters: ['c'] }]])
    assert.equal(found?.arn, 'arn:aws:x:::c')
    assert.deepEqual(requestOf(cluster, 'DeleteCluster', { spec: { clusterName: 'c' }, status: {} }, { method: 'Delete' }), {
      Cluster: 'c',
    })
  })
})

test('an answer that is empty where the resource would stand says that there is none; so does a refusal in words', async () => {
  const small: SmallModel = {
    operations: {
      CreateWorkGroup: [{ '!Name': 'String' }, {}],
      GetWorkGroup: [{ '!WorkGroup': 'String' }, { WorkGroup: 'WorkGroup' }],
      DeleteWorkGroup: [{ '!WorkGroup': 'String' }],
    },
    shapes: { WorkGroup: structure({ Name: 'String' }) },
  }
  const model = modelOf(small, 'WorkGroup')
  const empty = await read(model, { spec: { name: 'w' } }, {})
  assert.deepEqual(empty, { found: undefined, asked: [['GetWorkGroup', { WorkGroup: 'w' }]] })
  assert.equal((await read(model, { spec: { name: 'w' } }, { WorkGroup: { Name: 'w' } })).found?.spec['name'], 'w')
  const refusal = (code: string, message: string): AwsError =>
    new AwsError({ service: 'Small', operation: 'GetWorkGroup', code, message, httpStatus: 400 })
  assert.ok(isAbsence(refusal('WAFNonexistentItemException', 'gone'), model))
  assert.ok(isAbsence(refusal('InvalidRequestException', 'WorkGroup w is not found.'), model))
  assert.ok(isAbsence(refusal('ValidationException', 'Could not find model "w".'), model))
  const notOwned = 'The request is rejected because the input detectorId is not owned by the current account.'
  assert.ok(isAbsence(refusal('BadRequestException', notOwned), model))
  assert.ok(!isAbsence(refusal('ValidationException', 'The name is too long'), model))
})

test('an answer with something beside the resource tells the resource all the same', async () => {
  const small: SmallModel = {
    operations: {
      CreateIPSet: [{ '!Name': 'String', Addresses: 'Strings' }, { Summary: 'Summary' }],
      GetIPSet: [{ '!Name': 'String' }, { IPSet: 'IPSet', LockToken: 'String' }],
      UpdateIPSet: [{ '!Name': 'String', '!LockToken': 'String', Addresses: 'Strings' }],
      DeleteIPSet: [{ '!Name': 'String', '!LockToken': 'String' }],
    },
    shapes: {
      IPSet: structure({ Name: 'String', ARN: 'String', Addresses: 'Strings' }),
      Summary: structure({ Name: 'String', ARN: 'String', LockToken: 'String' }),
    },
  }
  const model = modelOf(small, 'IPSet')
  assert.equal(model.kind.untold, undefined)
  const answer = { IPSet: { Name: 'i', ARN: 'arn:aws:waf:::i', Addresses: ['10.0.0.0/8'] }, LockToken: 'two' }
  const { found } = await read(model, { spec: { name: 'i', addresses: [] }, status: { lockToken: 'one' } }, answer)
  assert.deepEqual(
    [found?.spec, found?.status, found?.arn],
    [{ name: 'i', addresses: ['10.0.0.0/8'] }, { lockToken: 'two' }, 'arn:aws:waf:::i'],
  )
  const held = { spec: found?.spec ?? {}, status: found?.status ?? {} }
  assert.deepEqual(requestOf(model, 'DeleteIPSet', held, { method: 'Delete' }), { Name: 'i', LockToken: 'two' })
})

test('what a list can be filtered by is set by an operation of its own all the same', () => {
  const small: SmallModel = {
    operations: {
      CreateWorkspace: [{ Alias: 'String' }, { WorkspaceId: 'String' }],
      DescribeWorkspace: [{ '!WorkspaceId': 'String' }, { WorkspaceId: 'String', Alias: 'String' }],
      ListWorkspaces: [{ Alias: 'String' }, { Workspaces: 'Workspaces' }],
      UpdateWorkspaceAlias: [{ '!WorkspaceId': 'String', Alias: 'String' }],
      DeleteWorkspace: [{ '!WorkspaceId': 'String' }],
    },
    shapes: { Workspaces: { type: 'list', member: { shape: 'Workspace' } }, Workspace: structure({ Alias: 'String' }) },
  }
  const parts = modelOf(small, 'Workspace').kind.parts?.map(({ operation, fields }) => [
    operation,
    fields.map(({ field }) => field),
  ])
  assert.deepEqual(parts, [['UpdateWorkspaceAlias', ['Alias']]])
})

test('of two lists, and no other read, the one that tells most of the resource is read', async () => {
  const small: SmallModel = {
    operations: {
      CreateLogGroup: [{ '!LogGroupName': 'String', Days: 'Integer' }, {}],
      DescribeLogGroups: [{ Prefix: 'String' }, { LogGroups: 'LogGroups' }],
      ListLogGroups: [{ Pattern: 'String' }, { LogGroups: 'Summaries' }],
      DeleteLogGroup: [{ '!LogGroupName': 'String' }],
    },
    shapes: {
      LogGroups: { type: 'list', member: { shape: 'LogGroup' } },
      LogGroup: structure({ LogGroupName: 'String', Days: 'Integer', Arn: 'String', LogGroupArn: 'String' }),
      Summaries: { type: 'list', member: { shape: 'Summary' } },
      Summary: structure({ LogGroupName: 'String' }),
    },
  }
  const model = modelOf(small, 'LogGroup')
  assert.equal(model.kind.untold, undefined)
  const answer = { LogGroups: [{ LogGroupName: 'l', Days: 3, Arn: 'arn:aws:l:::l:*', LogGroupArn: 'arn:aws:l:::l' }] }
  const { found, asked } = await read(model, { spec: { logGroupName: 'l' } }, answer)
  assert.deepEqual([found?.spec['days'], asked.map(([operation]) => operation)], [3, ['DescribeLogGroups']])
  assert.equal(found?.arn, 'arn:aws:l:::l')
})

test('what a creation takes in one structure is known by the name within it, and by nothing while that says none', async () => {
  const base: SmallModel = {
    operations: {
      CreateBase: [{ CatalogId: 'String', BaseInput: 'BaseInput' }, {}],
      GetBase: [{ CatalogId: 'String', '!Name': 'String' }, { Base: 'Base' }],
      GetBases: [{ CatalogId: 'String' }, { Bases: 'Bases' }],
      UpdateBase: [{ CatalogId: 'String', '!Name': 'String', '!BaseInput': 'BaseInput' }],
      DeleteBase: [{ CatalogId: 'String', '!Name': 'String' }],
      CreateRuleSet: [{ '!RuleSet': 'RuleSet' }, {}],
      DescribeRuleSet: [{ '!RuleSetName': 'String' }, { RuleSet: 'RuleSet', Active: 'Boolean' }],
      DeleteRuleSet: [{ '!RuleSetName': 'String' }],
    },
    shapes: {
      BaseInput: structure({ '!Name': 'String', Description: 'String' }),
      Base: structure({ Name: 'String', Description: 'String' }),
      Bases: { type: 'list', member: { shape: 'Base' } },
      RuleSet: structure({ '!Name': 'String' }),
    },
  }
  const model = modelOf(base, 'Base')
  const wanted = { spec: { baseInput: { name: 'b', description: 'd' } }, status: {} }
  const { found, asked } = await read(model, wanted, { Base: { Name: 'b' } })
  assert.deepEqual([found?.isAbsent, asked], [undefined, [['GetBase', { Name: 'b' }]]])
  assert.deepEqual(requestOf(model, 'DeleteBase', wanted, { method: 'Delete' }), { Name: 'b' })
  const update = { Name: 'b', BaseInput: { Name: 'b', Description: 'd' } }
  assert.deepEqual(requestOf(model, 'UpdateBase', wanted, { method: 'Update' }), update)
  const create = { BaseInput: { Name: 'b', Description: 'd' } }
  assert.deepEqual(requestOf(model, 'CreateBase', wanted, { method: 'Create' }), create)
  assert.deepEqual(await read(model, { spec: { baseInput: { description: 'd' } } }, {}), { found: undefined, asked: [] })
  const rules = await read(modelOf(base, 'RuleSet'), { spec: { ruleSet: { name: 'r' } } }, { RuleSet: { Name: 'r' } })
  assert.deepEqual(rules.asked, [['DescribeRuleSet', { RuleSetName: 'r' }]])
})

test('a deletion names no version of what has several, unless the version is what is deleted', () => {
  const small: SmallModel = {
    operations: {
      CreateDocument: [
        { '!Name': 'String', VersionName: 'String' },
        { Name: 'String', DocumentVersion: 'String' },
      ],
      GetDocument: [{ '!Name': 'String' }, { Name: 'String', VersionName: 'String', DocumentVersion: 'String' }],
      DeleteDocument: [{ '!Name': 'String', DocumentVersion: 'String', VersionName: 'String', Force: 'Boolean' }],
      CreatePolicyVersion: [{ '!Name': 'String' }, { VersionId: 'String' }],
      GetPolicyVersion: [{ '!Name': 'String', VersionId: 'String' }, { VersionId: 'String' }],
      DeletePolicyVersion: [{ '!Name': 'String', VersionId: 'String' }],
    },
  }
  const document: Content = { spec: { name: 'd', versionName: 'one' }, status: { documentVersion: '1' } }
  assert.deepEqual(requestOf(modelOf(small, 'Document'), 'DeleteDocument', document, { method: 'Delete' }), { Name: 'd' })
  const version: Content = { spec: { name: 'p' }, status: { versionID: 'v2' } }
  const asked = requestOf(modelOf(small, 'PolicyVersion'), 'DeletePolicyVersion', version, { method: 'Delete' })
  assert.deepEqual(asked, { Name: 'p', VersionId: 'v2' })
})

test('tags are put on by the pair of operations that is for the kind alone, by id where no ARN is asked for, or not at all', () => {
  const tag = { '!Name': 'String', Tags: 'StringMap' }
  const small: SmallModel = {
    operations: {
      CreateStream: [tag, { StreamId: 'String' }],
      GetStream: [{ Name: 'String' }, {}],
      DeleteStream: [{ Name: 'String' }],
      AddTagsToStream: [{ '!StreamId': 'String', '!Tags': 'StringMap' }],
      RemoveTagsFromStream: [{ '!StreamId': 'String', '!TagKeys': 'Strings' }],
      TagResource: [{ '!ResourceArn': 'String', '!Tags': 'StringMap' }],
      UntagResource: [{ '!ResourceArn': 'String', '!TagKeys': 'Strings' }],
      CreateTable: [tag, {}],
      GetTable: [{ Name: 'String' }, {}],
      DeleteTable: [{ Name: 'String' }],
    },
  }
  const wanted = (tags: object): Content => ({ spec: { name: 'x', tags }, status: {} })
  const latest: Content = { spec: { name: 'x', tags: { a: '1', b: '2' } }, status: { streamID: 's-1' } }
  assert.deepEqual(tagCalls(modelOf(small, 'Stream'), { wanted: wanted({ a: '2' }), latest }), [
    { operation: 'RemoveTagsFromStream', input: { StreamId: 's-1', TagKeys: ['b'] }, verb: 'UPDATE' },
    { operation: 'AddTagsToStream', input: { StreamId: 's-1', Tags: { a: '2' } }, verb: 'UPDATE' },
  ])
  assert.equal(tagCalls(modelOf(small, 'Table'), { wanted: wanted({ a: '2' }), latest }), undefined)
})

test('what both makes and changes is told to overwrite when it changes', () => {
  const small: SmallModel = {
    operations: {
      PutParameter: [{ '!Name': 'String', Value: 'String', Overwrite: 'Boolean' }, {}],
      GetParameter: [{ '!Name': 'String' }, {}],
      DeleteParameter: [{ '!Name': 'String' }],
    },
  }
  const config = 'operations:\n  PutParameter: {operation_type: [Create, Update], resource_name: Parameter}\n'
  const model = modelOf(small, 'Parameter', config)
  const content: Content = { spec: { name: 'p', value: 'v' }, status: {} }
  assert.deepEqual(requestOf(model, 'PutParameter', content, { method: 'Create' }), { Name: 'p', Value: 'v' })
  assert.deepEqual(requestOf(model, 'PutParameter', content, { method: 'Update' }), { Name: 'p', Value: 'v', Overwrite: true })
})

describe('what a config says of an operation', () => {
  const versions: SmallModel = {
    operations: {
      PublishVersion: [{ '!FunctionName': 'String', Description: 'String' }, { Version: 'String' }],
      GetFunction: [
        { '!FunctionName': 'String', Qualifier: 'String' },
        { FunctionName: 'String', Version: 'String' },
      ],
      UpdateVersion: [{ '!FunctionName': 'String', Now: 'Boolean', Why: 'String' }],
      DeleteFunction: [{ '!FunctionName': 'String', Qualifier: 'String' }],
    },
  }
  const config = [
    'operations:',
    '  PublishVersion: {operation_type: [Create], resource_name: [Version]}',
    '  GetFunction: {operation_type: [ReadOne], resource_name: [Version]}',
    '  DeleteFunction: {operation_type: [Delete], resource_name: [Version]}',
    '  UpdateVersion: {override_values: {Now: aws.Bool(true), Why: aws.String("soon")}}',
    'resources:',
    '  Version:',
    '    renames:',
    '      operations:',
    '        GetFunction: {input_fields: {Qualifier: Version}}',
    '        DeleteFunction: {input_fields: {Qualifier: Version}}',
    '',
  ].join('\n')

  test('values in the words of Go are values', () => {
    const version = modelOf(versions, 'Version', config)
    const input = requestOf(version, 'UpdateVersion', { spec: { functionName: 'work' }, status: {} }, { method: 'Update' })
    assert.deepEqual(input, { FunctionName: 'work', Now: true, Why: 'soon' })
  })

  test('a version is asked for by its number, and not at all while AWS has not said it: the answer would be about the function', async () => {
    const version = modelOf(versions, 'Version', config)
    const answer = { FunctionName: 'work', Version: '$LATEST' }
    assert.deepEqual((await read(version, { spec: { functionName: 'work' } }, answer)).asked, [])
    const known = await read(version, { spec: { functionName: 'work' }, status: { version: '1' } }, { ...answer, Version: '1' })
    assert.deepEqual(known.asked, [['GetFunction', { FunctionName: 'work', Qualifier: '1' }]])
    assert.deepEqual(adoptionKeys(version), ['functionName', 'version'])
  })
})

describe('identifiers that an API calls by another word than the kind', () => {
  const id = (name: string): Readonly<Record<string, string>> => ({ [`!${name}`]: 'String' })
  const parts = (operations: SmallModel['operations']): SmallModel => ({
    operations,
    shapes: { Answer: structure({ Id: 'String', Arn: 'String' }), Gate: structure({ GateId: 'String', State: 'String' }) },
  })
  const deletionOf = (model: KindModel, status: Values, arn?: string): Values =>
    requestOf(model, model.kind.operations.delete ?? '', { spec: { name: 'n' }, status, arn }, { method: 'Delete' })

  test('what the read and the deletion ask for alone is the id that AWS gave, as the ApplicationId of an App', async () => {
    const app = modelOf(
      parts({
        CreateApp: [{ Name: 'String' }, { Answer: 'Answer' }],
        GetApp: [id('ApplicationId'), { Answer: 'Answer' }],
        DeleteApp: [id('ApplicationId')],
      }),
      'App',
    )
    assert.deepEqual(adoptionKeys(app), ['id'])
    const { asked } = await read(app, { status: { id: 'a-1' } }, { Answer: { Id: 'a-1' } })
    assert.deepEqual(asked, [['GetApp', { ApplicationId: 'a-1' }]])
    assert.deepEqual(deletionOf(app, { id: 'a-1' }), { ApplicationId: 'a-1' })
  })

  test('an end of the name of the kind means its id, or where it has none its ARN', () => {
    const made = (told: Readonly<Record<string, string>>): KindModel =>
      modelOf(
        parts({
          CreateCustomModel: [{ '!ModelName': 'String' }, told],
          GetCustomModel: [id('ModelIdentifier'), told],
          DeleteCustomModel: [id('ModelIdentifier')],
        }),
        'CustomModel',
      )
    assert.deepEqual(deletionOf(made({ Id: 'String' }), { id: 'm-1' }), { ModelIdentifier: 'm-1' })
    assert.deepEqual(deletionOf(made({ ModelArn: 'String' }), {}, 'arn:m'), { ModelIdentifier: 'arn:m' })
  })

  test('the id within what is called after the kind is its own: that of a gateway beside a token', async () => {
    const gate = modelOf(
      parts({
        CreateRedGate: [{ Name: 'String' }, { Token: 'String', RedGate: 'Gate' }],
        GetRedGate: [id('GateId'), { Token: 'String', RedGate: 'Gate' }],
        DeleteRedGate: [id('GateId')],
      }),
      'RedGate',
    )
    const status = { redGate: { gateID: 'g-1' } }
    const { asked } = await read(gate, { status }, { RedGate: { GateId: 'g-1' } })
    assert.deepEqual(asked, [['GetRedGate', { GateId: 'g-1' }]])
    assert.deepEqual(deletionOf(gate, status), { GateId: 'g-1' })
  })

  test('an identifier that is a structure holds the ARN, or the name before it is known', async () => {
    const small = parts({
      CreateRegistry: [{ '!RegistryName': 'String' }, { RegistryArn: 'String' }],
      GetRegistry: [{ '!RegistryId': 'RegistryId' }, { RegistryName: 'String', RegistryArn: 'String' }],
      DeleteRegistry: [{ '!RegistryId': 'RegistryId' }],
    })
    const RegistryId = structure({ RegistryName: 'String', RegistryArn: 'String' })
    const registry = modelOf({ ...small, shapes: { ...small.shapes, RegistryId } }, 'Registry')
    const { asked } = await read(registry, { spec: { registryName: 'r' } }, { RegistryName: 'r', RegistryArn: 'arn:r' })
    assert.deepEqual(asked, [['GetRegistry', { RegistryId: { RegistryName: 'r' } }]])
    assert.deepEqual(deletionOf(registry, {}, 'arn:r'), { RegistryId: { RegistryArn: 'arn:r' } })
  })

  test('what the creation is told, and the id of another kind, is that of something around', () => {
    const small = parts({
      CreateShopItem: [{ '!ItemId': 'String' }, { Id: 'String' }],
      DeleteShopItem: [id('ItemId')],
      CreateBox: [{ Name: 'String' }, { BoxId: 'String' }],
      CreateRedBox: [{ Name: 'String' }, { Id: 'String' }],
      DeleteRedBox: [id('BoxId')],
    })
    assert.deepEqual(deletionOf(modelOf(small, 'ShopItem'), { id: 'x' }), {})
    assert.deepEqual(deletionOf(modelOf(small, 'RedBox'), { id: 'x' }), {})
  })

  test('a deletion that is to match what was read says the tag that the answer bore', () => {
    const small = parts({
      CreateFilm: [{ '!Name': 'String' }, { ETag: 'String' }],
      DeleteFilm: [{ ...id('Name'), '!IfMatch': 'String' }],
    })
    assert.deepEqual(deletionOf(modelOf(small, 'Film'), { eTag: 'v1' }), { Name: 'n', IfMatch: 'v1' })
  })
})
