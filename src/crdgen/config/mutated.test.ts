// A config with every key of the format, and what is made of it when one of its keys is taken out, misspelt, of the wrong type or names
// what is not there. Each ends in kinds or in a refusal that says where and what; none in a stack.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dump } from 'js-yaml'
import { seededRandom } from '#base'
import { inferService } from '../infer/infer-service.ts'
import { smallModel, structure } from '../infer/model.fixture.ts'
import { InferError } from '../infer-error.ts'
import { readGeneratorConfig } from './read-config.ts'

const model = smallModel({
  operations: {
    CreateThing: [
      { '!ThingName': 'String', Nested: 'Nested', Token: 'String', Attributes: 'StringMap', OwnerId: 'String', Items: 'Items' },
      { Thing: 'Thing' },
    ],
    GetThingAttributes: [{ ThingName: 'String', AttributeNames: 'Strings' }, { Attributes: 'StringMap' }],
    DescribeThing: [{ '!ThingName': 'String' }, { Thing: 'Thing' }],
    DescribeThings: [{ Ids: 'Strings' }, { Things: 'Things' }],
    UpdateThing: [{ '!ThingName': 'String', Nested: 'Nested' }, {}],
    DropThing: [{ '!ThingName': 'String' }, {}],
    CreateOther: [{ Name: 'String' }, {}],
    DeleteOther: [{ Name: 'String' }, {}],
  },
  shapes: {
    Nested: structure({ Key: 'String', Password: 'String', Empty: 'Empty' }),
    Empty: structure({}),
    Thing: structure({ Arn: 'String', Id: 'String', Status: 'String', Created: 'Timestamp' }),
    Things: { type: 'list', member: { shape: 'Thing' } },
    Items: { type: 'list', member: { shape: 'Item' } },
    Item: structure({ Name: 'String', RoleArn: 'String' }),
  },
})

/** Every key that the format has. */
const whole = {
  ignore: { resource_names: ['Other'], operations: ['DescribeThings'], shape_names: ['Things'], field_paths: ['Nested.Key'] },
  empty_shapes: ['Empty'],
  custom_shapes: { Extra: { Note: 'string' } },
  prefix_config: { spec_field: '.Spec', status_field: '.Status' },
  include_ack_metadata: true,
  set_many_output_notfound_err_return: 'x',
  sdk_names: { model_name: 'small', package_name: 'small', client_interface: 'A', client_struct: 'B' },
  controller_name: 'small',
  operations: {
    CreateThing: { output_wrapper_field_path: 'Thing', set_output_custom_method_name: 'a', custom_implementation: 'b' },
    DropThing: { operation_type: ['Delete'], resource_name: 'Thing' },
    DescribeThing: { override_values: { ThingName: 'x' }, custom_check_required_fields_missing_method: 'c' },
  },
  resources: {
    Thing: {
      ignore_idempotency_token: true,
      renames: { operations: { CreateThing: { input_fields: { ThingName: 'Name' }, output_fields: { Id: 'ID' } } } },
      unpack_attributes_map: {
        set_attributes_single_attribute: true,
        get_attributes_input: { overrides: { AttributeNames: { values: ['All'] } } },
      },
      exceptions: { errors: { 404: { code: 'Gone', message_prefix: 'a', message_suffix: 'b' } }, terminal_codes: ['Bad'] },
      synced: { when: [{ path: 'Status.Status', in: ['ok'] }] },
      updateable: { when: [{ path: 'Status.Status', in: ['ok'] }], requeue_after_seconds: 10 },
      deletable: { when: [{ path: 'Status.Status', in: ['ok'] }], requeue_after_seconds: 10 },
      list_operation: { match_fields: ['Name'] },
      find_operation: { custom_method_name: 'd' },
      update_operation: { custom_method_name: 'e', omit_unchanged_fields: true, only_set_unchanged_fields: true },
      delete_operation: { custom_method_name: 'f' },
      update_conditions_custom_method_name: 'g',
      reconcile: { requeue_on_success_seconds: 60 },
      pre_delete_sync: { compare_all: true },
      compare: { ignore: ['Nested.Password'] },
      is_arn_primary_key: true,
      is_adoptable: true,
      tags: { ignore: false, path: 'Tags', key_name: 'Key', value_name: 'Value' },
      print: {
        add_age_column: true,
        add_synced_column: true,
        order_by: 'index',
        additional_columns: [{ name: 'N', json_path: '.spec.name', type: 'string', priority: 1, index: 2 }],
      },
      shortNames: ['th'],
      api_versions: [{ name: 'v1alpha1', served: true, storage: true, deprecated: false }],
      hooks: { sdk_create_post_request: { code: 'x' }, delta_pre_compare: { template_path: 'y' } },
      plural: 'things',
      region_in_spec: true,
      fields: {
        Name: { is_primary_key: true, is_required: true, is_immutable: true, print: { name: 'NAME', priority: 0, index: 1 } },
        Color: {
          is_attribute: true,
          late_initialize: { min_backoff_seconds: 1, max_backoff_seconds: 2, skip_incomplete_check: {} },
        },
        Owner: { is_attribute: true, is_read_only: true, is_owner_account_id: true },
        Arn: { is_arn: true },
        'Nested.Password': { is_secret: true },
        'Items.RoleArn': {
          references: {
            resource: 'Role',
            path: 'Status.ACKResourceMetadata.ARN',
            service_name: 'iam',
            skip_resource_state_validations: true,
          },
        },
        Policy: { type: 'string', is_iam_policy: true },
        Document: { type: 'string', is_document: true, go_tag: 'json:"doc,omitempty"' },
        Created: { is_read_only: true, from: { operation: 'DescribeThing', path: 'Thing.Created' } },
        Notes: { custom_field: { list_of: 'Extra' } },
        Labels: { custom_field: { map_of: 'String' } },
        Nested: {
          custom_sync: {},
          compare: { nil_equals_zero_value: true, pre_delete_include: true, normalise: 'json' },
          set: [{ method: 'Create', from: 'A.B', to: 'C', ignore: 'to' }],
        },
      },
    },
  },
}

type Tree = { [key: string]: unknown }
type Path = readonly (string | number)[]

/** What comes of a config: its kinds, or the refusal. Anything else is thrown on, and fails the test. */
function outcome(config: unknown): { readonly kinds: readonly string[] } | { readonly refusal: string } {
  try {
    const service = inferService(model, { alias: 'small', loaded: readGeneratorConfig(dump(config), 'g.yaml') })
    return { kinds: service.kinds.map(({ kind }) => kind) }
  } catch (error) {
    if (!(error instanceof InferError)) throw error
    return { refusal: error.message }
  }
}

function changed(path: Path, change: (holder: Tree, key: string) => void): unknown {
  const copy = structuredClone(whole) as unknown as Tree
  let holder = copy
  for (const key of path.slice(0, -1)) holder = holder[key] as Tree
  change(holder, String(path.at(-1)))
  return copy
}

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys.flatMap(key => [[...path, key], ...pathsOf((value as Tree)[key], [...path, key])])
}

/** Keys of the format: not those that a service's owner chooses, such as names of fields. */
const chosen = [
  'operations',
  'resources',
  'fields',
  'custom_shapes',
  'input_fields',
  'output_fields',
  'errors',
  'overrides',
  'override_values',
]
function isOfFormat(path: Path): boolean {
  const [last, holder, above] = [path.at(-1), path.at(-2), path.at(-3)]
  return typeof last === 'string' && above !== 'custom_shapes' && holder !== 'hooks' && !chosen.includes(String(holder))
}

const paths = pathsOf(whole)

describe('a config with every key, one of them changed', () => {
  test('as it is, it makes its kind', () => {
    assert.deepEqual(outcome(whole), { kinds: ['Thing'] })
  })

  test('without any one of its keys it makes kinds, or says what is missing', () => {
    for (const path of paths) {
      const found = outcome(
        changed(path, (holder, key) => {
          if (Array.isArray(holder)) holder.splice(Number(key), 1)
          else delete holder[key]
        }),
      )
      if ('refusal' in found) assert.match(found.refusal, /^g\.yaml:\d+: .|^Thing: ./, path.join('.'))
    }
  })

  test('with a key of the format misspelt it is refused, with the line, the key and the right one', () => {
    const keys = paths.filter(isOfFormat)
    assert.ok(keys.length > 90, `${keys.length} keys`)
    for (const path of keys) {
      const key = String(path.at(-1))
      // Of a short word one letter is a slip, of a longer one two are.
      const slip = key.length < 5 ? `${key}x` : `${key.slice(0, -2)}${key.at(-1)}${key.at(-2)}x`
      const found = outcome(
        changed(path, (holder, name) => {
          holder[slip] = holder[name]
          delete holder[name]
        }),
      )
      assert.ok('refusal' in found, `${path.join('.')} as ${slip} is taken`)
      assert.match(found.refusal, /^g\.yaml:\d+: unknown key "/, path.join('.'))
      assert.ok(found.refusal.includes(`"${slip}"`) && found.refusal.includes(key), `${path.join('.')}: ${found.refusal}`)
    }
  })

  test('with a value of another type it is refused at its line, or the value is read as the text that it is', () => {
    for (const path of paths) {
      for (const wrong of [[['deep']], { a: { b: 'c' } }, 7]) {
        const found = outcome(changed(path, (holder, key) => (holder[key] = wrong)))
        if ('refusal' in found)
          assert.match(found.refusal, /^g\.yaml:\d+: .|^Thing: ./, `${path.join('.')} = ${JSON.stringify(wrong)}`)
      }
    }
  })

  test('with a name that leads nowhere it is refused with its line, warned of, or of no account; never a stack', () => {
    const leaves = paths.filter(path => typeof at(path) === 'string')
    assert.ok(leaves.length > 50)
    for (const path of leaves) {
      for (const name of ['Nowhere', '', 'a..b', '__proto__']) {
        const found = outcome(changed(path, (holder, key) => (holder[key] = name)))
        if ('refusal' in found) assert.match(found.refusal, /g\.yaml(?::\d+)?: .|^Thing: ./, `${path.join('.')} = ${name}`)
      }
    }
  })

  test('of its text with characters lost, doubled and changed it makes kinds or a refusal', () => {
    const random = seededRandom(20_261)
    const text = dump(whole)
    for (let turn = 0; turn < 150; turn++) {
      const place = random.integer(text.length)
      const broken = [
        text.slice(0, place),
        text.slice(0, place) + text.slice(place + 1 + random.integer(20)),
        `${text.slice(0, place)}${':{[&*"\'\n\t #'.charAt(random.integer(11))}${text.slice(place)}`,
      ][random.integer(3)]
      try {
        inferService(model, { alias: 'small', loaded: readGeneratorConfig(broken ?? '', 'g.yaml') })
      } catch (error) {
        assert.ok(error instanceof InferError, `turn ${turn}: ${String(error)}`)
      }
    }
  })
})

function at(path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Tree)[key], whole)
}
