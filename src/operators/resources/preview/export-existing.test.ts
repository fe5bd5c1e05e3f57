// Manifests of what an account has: how they are called, how they adopt, and what is left out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, type ResourceService } from '#aws'
import type { KubeObject } from '#kube'
import { annotations } from '../api.ts'
import type { Values } from '../model/request.ts'
import { type KindMadeUp, madeUpKind, map } from '../testing/made-up-kind.ts'
import { type ExportOptions, exportExisting } from './export-existing.ts'

const account = '111122223333'
const things: KindMadeUp = {
  spec: { Name: 'string', Size: 'integer', Tags: map('string') },
  settings: { tags: { path: 'Tags' } as never },
  operations: { create: 'CreateThing', readOne: 'GetThing', readMany: 'ListThings' },
  inputs: { CreateThing: { Name: 'String', Size: 'Integer' } },
  outputs: {
    GetThing: { Name: 'String', Size: 'Integer', Arn: 'String', Tags: 'TagMap' },
    ListThings: { Names: 'NameList' },
  },
  required: { GetThing: ['Name'] },
  shapes: {
    TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as never,
    NameList: { type: 'list', member: { target: 'String' } },
    ThingList: { type: 'list', member: { target: 'Thing' } },
    Thing: { type: 'structure', required: [], members: { Name: { target: 'String' } } },
  },
}
const { service } = madeUpKind(things)

interface Around {
  readonly services?: readonly ResourceService[]
  readonly asked?: Partial<ExportOptions>
  /** Instead of the names. */
  readonly list?: readonly object[]
}

/** Of a list of names; `inAws` is what reads tell beside the name. */
async function exported(
  inAws: Readonly<Record<string, Values | undefined>>,
  { services = [service], asked = {}, list }: Around = {},
): Promise<{ readonly manifests: readonly KubeObject[]; readonly leftOut: readonly string[] }> {
  const client = {
    call: (operation: string, input: Values) => {
      const Name = String(input['Name'] ?? input['ThingArn'])
      const found = inAws[Name]
      const gone = { service: 'madeup', operation, code: 'NotFoundException', message: 'gone', httpStatus: 404 }
      return found === undefined ? Promise.reject(new AwsError(gone)) : Promise.resolve({ Name, ...found })
    },
    pages: async function* () {
      await Promise.resolve()
      yield list === undefined ? { Names: Object.keys(inAws) } : { Things: list }
    },
  }
  const leftOut: string[] = []
  const manifests: KubeObject[] = []
  const home = { account, partition: 'aws', region: 'eu-west-1' }
  for await (const manifest of exportExisting(
    { services, aws: { for: () => client } as never, home, nowMs: () => 0 },
    {
      kind: 'Thing',
      namespace: 'team',
      with: {},
      onManaged: arn => void leftOut.push(arn),
      signal: new AbortController().signal,
      ...asked,
    },
  ))
    manifests.push(manifest)
  return { manifests, leftOut }
}

test('what an account has is written with what adopts it', async () => {
  const tags = { team: 'blue', 'aws:created-by': 'x' }
  const { manifests } = await exported({ One: { Size: 3, Tags: tags, Arn: 'arn:aws:madeup:eu-west-1:1:thing/One' } })
  assert.deepEqual(manifests, [
    {
      apiVersion: 'madeup.services.k8s.aws/v1alpha1',
      kind: 'Thing',
      metadata: {
        namespace: 'team',
        name: 'one',
        annotations: { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"One"}' },
      },
      spec: { name: 'One', size: 3, tags: { team: 'blue' } },
    },
  ])
})

for (const [names, called] of [
  [
    ['a', 'A', 'a-2'],
    ['a', 'a-2', 'a-2-2'],
  ],
  [
    ['x', 'X', 'x_'],
    ['x', 'x-2', 'x-3'],
  ],
  [['/hostedzone/Z1'], ['z1']],
  [['x:y'], ['y']],
  [['a_b!!c'], ['a-b-c']],
  [['__a__'], ['a']],
  [['...'], ['resource']],
  [['a.b-c9'], ['a.b-c9']],
  [
    ['x'.repeat(200), 'x'.repeat(201)],
    ['x'.repeat(200), `${'x'.repeat(200)}-2`],
  ],
] as const)
  test(`${names.map(name => name.slice(0, 20)).join(', ')} is written as ${called.map(name => name.slice(0, 20)).join(', ')}`, async () => {
    const { manifests } = await exported(Object.fromEntries(names.map(name => [name, {}])))
    assert.deepEqual(
      manifests.map(({ metadata }) => metadata.name),
      called,
    )
  })

test('what is gone since it was listed is left out, and so is what an object looks after', async () => {
  const marked = { Tags: { 'services.k8s.aws/controller-version': 'x', team: 'blue' } }
  const inAws = { gone: undefined, ours: { ...marked, Arn: 'arn:ours' }, nameless: marked, free: {} }
  const { manifests, leftOut } = await exported(inAws)
  assert.deepEqual([manifests.map(({ metadata }) => metadata.name), leftOut], [['free'], ['arn:ours', '']])
  const all = await exported(inAws, { asked: { managed: true } })
  assert.deepEqual(
    all.manifests.map(({ metadata, spec }: { metadata: KubeObject['metadata']; spec?: Values }) => [
      metadata.name,
      spec?.['tags'],
    ]),
    [
      ['ours', { team: 'blue' }],
      ['nameless', { team: 'blue' }],
      ['free', undefined],
    ],
  )
  assert.deepEqual(all.leftOut, [])
})

test('a kind of two services is asked for by its full name', async () => {
  const other = { ...service, alias: 'other', group: 'other.services.k8s.aws' }
  const services = [service, other]
  await assert.rejects(exported({ a: {} }, { services }), {
    name: 'ExportError',
    message: 'Thing is a kind of several services: say which, as things.madeup.services.k8s.aws or things.other.services.k8s.aws',
  })
  const asked = { kind: 'things.other.services.k8s.aws' }
  const { manifests } = await exported({ a: {} }, { services, asked })
  assert.equal(manifests[0]?.apiVersion, 'other.services.k8s.aws/v1alpha1')
})

test('a kind that is listed within another says what it needs, and one that is listed by nothing that it is not', async () => {
  const within = { ...things, required: { ...things.required, ListThings: ['ClusterName'] } }
  const services = [madeUpKind(within).service]
  await assert.rejects(exported({ a: {} }, { services }), {
    name: 'ExportError',
    message: 'ListThings needs ClusterName: give it by --with ClusterName=VALUE',
  })
  const { manifests } = await exported({ a: {} }, { services, asked: { with: { clusterName: 'main' } } })
  assert.equal(manifests.length, 1)
  const unlisted = { ...things, operations: { create: 'CreateThing', readOne: 'GetThing' } }
  await assert.rejects(exported({ a: {} }, { services: [madeUpKind(unlisted).service] }), {
    message: 'madeup/Thing has no operation that lists it',
  })
})

test('what is read by its ARN is adopted by it', async () => {
  const byArn = {
    ...things,
    required: { GetThing: ['ThingArn'] },
    inputs: { ...things.inputs, GetThing: { ThingArn: 'String' } },
  }
  const services = [madeUpKind(byArn).service]
  const arn = 'arn:aws:madeup:eu-west-1:1:thing/One'
  const { manifests } = await exported({ [arn]: { Arn: arn } }, { services })
  assert.equal(manifests.length, 1)
  assert.equal(manifests[0]?.metadata.annotations?.[annotations.adoptionFields], JSON.stringify({ arn }))
  assert.equal(manifests[0].metadata.name, 'one')
})

test('what is read by its ARN and a name is adopted by the ARN, and called by it', async () => {
  const both = {
    ...things,
    outputs: { ...things.outputs, ListThings: { Things: 'ThingList' } },
    required: { GetThing: ['ThingArn', 'Name'] },
    inputs: { ...things.inputs, GetThing: { ThingArn: 'String' } },
  } as KindMadeUp
  const arn = 'arn:aws:madeup:eu-west-1:1:thing/by-arn'
  const list = [{ Name: 'one', ThingArn: arn }]
  const { manifests } = await exported({ one: { Arn: arn } }, { services: [madeUpKind(both).service], list })
  assert.equal(manifests[0]?.metadata.annotations?.[annotations.adoptionFields], JSON.stringify({ arn }))
  assert.equal(manifests[0].metadata.name, 'by-arn')
})

test('what is read by two names is called by the last of them', async () => {
  const two = {
    ...things,
    spec: { Cluster: 'string', ...things.spec },
    outputs: { ...things.outputs, ListThings: { Things: 'ThingList' } },
    required: { GetThing: ['Cluster', 'Name'] },
  } as KindMadeUp
  const list = [{ Cluster: 'main', Name: 'one' }]
  const { manifests } = await exported({ one: {} }, { services: [madeUpKind(two).service], list })
  assert.equal(manifests[0]?.metadata.annotations?.[annotations.adoptionFields], '{"cluster":"main","name":"one"}')
  assert.equal(manifests[0].metadata.name, 'one')
})

test('what a list does not tell enough of is left out', async () => {
  const tokened = { ...things, required: { GetThing: ['Name', 'Token'] } }
  assert.deepEqual((await exported({ one: {} }, { services: [madeUpKind(tokened).service] })).manifests, [])
})

test('parts are read, although no manifest speaks of them yet', async () => {
  const parted = {
    ...things,
    spec: { ...things.spec, Text: 'string' },
    parts: [
      {
        operation: 'PutPart',
        fields: [{ field: 'Text', member: 'Text' }],
        read: { operation: 'GetPart', paths: { Text: 'Text' } },
      },
    ],
    inputs: { ...things.inputs, PutPart: { Text: 'String' } },
    outputs: { ...things.outputs, GetPart: { Name: 'String', Text: 'String' } },
    required: { ...things.required, GetPart: ['Name'] },
  } as KindMadeUp
  const { manifests } = await exported({ one: { Text: 'long' } }, { services: [madeUpKind(parted).service] })
  assert.equal((manifests[0] as { readonly spec?: Values }).spec?.['text'], 'long')
})
