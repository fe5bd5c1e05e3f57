import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGeneratorConfig } from '../config/read-config.ts'
import { inferService } from '../infer/infer-service.ts'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { readModel } from '../read/read-model.ts'
import { typeFiles } from './typescript.ts'

function filesOf(model: SmallModel, config = ''): ReadonlyMap<string, string> {
  const service = inferSmall(model, config)
  return typeFiles(service, service.kinds)
}

/** The lines between the braces of a type. */
function linesOf(file: string | undefined, name: string): readonly string[] {
  const found = new RegExp(`^export interface ${name} \\{\n(.*?)^\\}$`, 'ms').exec(file ?? '')
  return (found?.[1] ?? 'no such type').split('\n').filter(line => line !== '')
}

const model: SmallModel = {
  operations: {
    CreateThing: [
      {
        '!Name': 'String',
        Content: 'Blob',
        Flags: 'Flags',
        KeyId: 'String',
        Opts: 'Opts',
        Password: 'String',
        Share: 'Double',
        Size: 'Integer',
        Tags: 'StringMap',
      },
      { Made: 'Timestamp' },
    ],
  },
  shapes: {
    Blob: { type: 'blob' },
    Double: { type: 'double' },
    Flags: { type: 'list', member: { shape: 'Boolean' } },
    Opts: structure({ '!Mode': 'String' }),
  },
}
const fields =
  'fields: {KeyId: {references: {resource: Key, service_name: kms, path: Status.KeyID}}, Password: {is_secret: true}, Opts.Mode: {go_tag: \'json:"the-mode"\'}}'

test('each type of a field has its type in TypeScript, and what is not required may be absent', () => {
  const files = filesOf(model, `resources:\n  Thing: {${fields}}\n`)
  const file = files.get('apis/v1alpha1/thing.ts')
  assert.deepEqual(linesOf(file, 'ThingSpec'), [
    '  content?: string',
    '  flags?: boolean[]',
    '  keyID?: string',
    '  keyRef?: AWSResourceReferenceWrapper',
    '  name: string',
    '  opts?: Opts',
    '  password?: SecretKeyReference',
    '  share?: number',
    '  size?: number',
    '  tags?: Record<string, string>',
  ])
  assert.deepEqual(linesOf(file, 'ThingStatus'), [
    '  made?: string',
    '  ackResourceMetadata?: ACKResourceMetadata',
    '  conditions?: Condition[]',
  ])
  assert.deepEqual(linesOf(files.get('apis/v1alpha1/types.ts'), 'Opts'), ['  "the-mode"?: string'])
  assert.match(
    file ?? '',
    /^import type \{ ACKResourceMetadata, AWSResourceReferenceWrapper, Condition, ListMeta, ObjectMeta, Opts, SecretKeyReference \} from/m,
  )
})

test('a structure that is called like a kind or like a common type has a name of its own', () => {
  const shapes = {
    Thing: structure({ Size: 'Integer' }),
    ThingList: structure({ Size: 'Integer' }),
    Condition: structure({ Word: 'String' }),
    condition: structure({ Text: 'String' }),
    Other: structure({ Text: 'String' }),
  }
  const files = filesOf({
    operations: {
      CreateThing: [{ '!Name': 'String', A: 'Thing', B: 'ThingList', C: 'Condition', D: 'condition', E: 'Other' }, {}],
    },
    shapes,
  })
  assert.deepEqual(linesOf(files.get('apis/v1alpha1/thing.ts'), 'ThingSpec'), [
    '  a?: Thing_SDK',
    '  b?: ThingList_SDK',
    '  c?: Condition_2',
    '  d?: Condition_3',
    '  e?: Other',
    '  name: string',
  ])
})

test('enums have a type and a constant for each value; a text without values, and a service without enums, have none', () => {
  const operations: SmallModel['operations'] = { CreateThing: [{ '!Name': 'String', Size: 'Size' }, {}] }
  const of = (values: readonly string[]): string | undefined =>
    filesOf({ operations, shapes: { Size: { type: 'string', enum: values } } }).get('apis/v1alpha1/enums.ts')
  assert.equal(
    of(['S', 's/m', 's-m']),
    `export type Size = "S" | "s/m" | "s-m"
export const Size_S = "S"
export const Size_s_m = "s/m"
export const Size_s_m_2 = "s-m"
`,
  )
  assert.equal(of([]), 'export {}\n')
  const two = filesOf({
    operations,
    shapes: { Size: { type: 'string', enum: ['a'] }, '1st': { type: 'string', enum: ['b'] } },
  }).get('apis/v1alpha1/enums.ts')
  assert.equal(
    two,
    `export type Size = "a"
export const Size_a = "a"

export type T1St = "b"
export const T1St_b = "b"
`,
  )
})

test('a kind whose name is that of a file of the folder has a file of another name', () => {
  const kinds = ['Group', 'Grouping']
  const operations = Object.fromEntries(kinds.map(kind => [`Create${kind}`, [{ '!Name': 'String' }, {}] as const]))
  const files = filesOf({ operations })
  assert.deepEqual(
    [...files.keys()].map(name => name.replace('apis/v1alpha1/', '')),
    ['group-kind.ts', 'grouping.ts', 'types.ts', 'enums.ts', 'group.ts'],
  )
})

test('of what the model says of a field its first paragraph is the comment, which ends where it should', () => {
  const document = {
    metadata: { apiVersion: '1', endpointPrefix: 'x', protocol: 'json', jsonVersion: '1.1', serviceId: 'X' },
    operations: { CreateThing: { input: { shape: 'In' } } },
    shapes: {
      Text: { type: 'string' },
      In: {
        type: 'structure',
        members: {
          Name: { shape: 'Text', documentation: '<p>One */ or two.</p><p>Three.</p>' },
          Zone: { shape: 'Text' },
        },
      },
    },
  }
  const service = inferService(readModel(JSON.stringify(document), { documentation: true }), {
    alias: 'x',
    loaded: readGeneratorConfig(''),
  })
  const file = typeFiles(service, service.kinds).get('apis/v1alpha1/thing.ts')
  assert.deepEqual(linesOf(file, 'ThingSpec'), ['  /** One * / or two. */', '  name?: string', '  zone?: string'])
})
