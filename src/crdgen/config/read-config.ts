// Reads generator.yaml and documentation.yaml. The rules below are the format: a key that is not here is refused.
import { normalisers } from '#aws'
import { InferError } from '../infer-error.ts'
import type * as Config from './generator-config.ts'
import {
  flag,
  listOf,
  listOrNothing,
  mapOf,
  needing,
  object,
  oneOf,
  opaque,
  type Rule,
  refusal,
  text,
  texts,
  whole,
} from './rules.ts'
import { parseYamlWithPlaces, type YamlDocument, type YamlNode } from './yaml.ts'

/** A config with its text, so that what is found wrong later can be shown at its line too. */
export interface LoadedConfig {
  readonly config: Config.GeneratorConfig
  /** `file:line` of a key: of the longest part of the path that is there. Absent for a service without a config. */
  placeOf(...path: readonly string[]): string
  /** Warnings of keys that are accepted and have no effect. */
  readonly warnings: readonly string[]
}

export function readGeneratorConfig(source: string, file = 'generator.yaml'): LoadedConfig {
  const document = parseYamlWithPlaces(source, file)
  const { root } = document
  if (root === undefined) return { config: {}, placeOf: () => file, warnings: [] }
  const warnings: string[] = []
  const config = generator(root, { document, path: '', warn: warning => warnings.push(warning) })
  return { config, placeOf: (...path) => place(document, root, path), warnings }
}

export function readDocumentationConfig(source: string, file = 'documentation.yaml'): Config.DocumentationConfig {
  const document = parseYamlWithPlaces(source, file)
  return document.root === undefined ? {} : documentation(document.root, { document, path: '', warn: () => {} })
}

/** For a service without a config. */
export const noConfig: LoadedConfig = { config: {}, placeOf: () => 'no config', warnings: [] }

function place(document: YamlDocument, root: YamlNode, path: readonly string[]): string {
  let node: YamlNode | undefined = root
  let { at } = root
  for (const key of path) {
    if (node?.kind === 'list') {
      node = node.items.find(item => item.kind === 'scalar' && item.text === key)
      at = node?.at ?? at
    } else {
      const entry: { readonly keyAt: number; readonly value: YamlNode } | undefined =
        node?.kind === 'map' ? node.entries.get(key) : undefined
      if (entry === undefined) break
      at = entry.keyAt
      node = entry.value
    }
  }
  return refusal('unknown-name', { document, at, problem: '' }).message.replace(/: $/, '')
}

const stateConditions = listOf(object<Config.StateConditionSetting>({ path: text, in: texts }))
const gate = object<Config.StateGateSetting>({ when: stateConditions, requeue_after_seconds: whole })
const customMethod = object<Config.CustomMethod>({ custom_method_name: text })

/**
 * Keys that published configs hold though nothing reads them: of earlier versions of the format, and slips that have gone unnoticed
 * there. They pass with a warning that says what to write.
 */
const pastKeys = {
  top: { model_name: 'write sdk_names.model_name' },
  operation: { primary_identifier_field_name: 'write is_primary_key at the field' },
  resource: {
    terminal_codes: 'write exceptions.terminal_codes',
  },
  field: {
    is_name: 'write is_primary_key',
    is_readonly: 'write is_read_only',
    late_initaliaze: 'write late_initialize',
  },
  print: { path: 'the column shows the field itself' },
} as const

const field = object<Config.FieldConfig>(
  {
    is_attribute: flag,
    is_read_only: flag,
    is_required: flag,
    is_immutable: flag,
    is_primary_key: flag,
    is_arn: flag,
    is_owner_account_id: flag,
    is_secret: flag,
    is_iam_policy: flag,
    is_document: flag,
    from: needing(object({ operation: text, path: text }), 'operation', 'path'),
    custom_field: object({ list_of: text, map_of: text }),
    type: text,
    go_tag: text,
    references: needing(
      object<Config.ReferenceConfig>({ resource: text, path: text, service_name: text, skip_resource_state_validations: flag }),
      'resource',
      'path',
    ),
    late_initialize: object({ min_backoff_seconds: whole, max_backoff_seconds: whole, skip_incomplete_check: opaque }),
    compare: object({
      is_ignored: flag,
      nil_equals_zero_value: flag,
      pre_delete_include: flag,
      normalise: oneOf(...normalisers),
    }),
    set: listOf(object<Config.SetConfig>({ method: text, from: text, to: text, ignore: text })),
    custom_sync: opaque,
    print: object({ name: text, priority: whole, index: whole }, pastKeys.print),
  },
  pastKeys.field,
)

/** Published configs mean another thing by the name, which is no list: what it would add is left out. */
const subResources = listOrNothing(
  needing(
    object<Config.SubResourceConfig>({ field: text, list: text, get: text, put: text, delete: text, key: text, value: text }),
    'field',
    'list',
    'put',
    'delete',
    'key',
  ),
  '"sub_resources" says nothing (a later addition to the format; the fields that it would add are left out)',
)

const verbs = ['sdk_read_one', 'sdk_read_many', 'sdk_get_attributes', 'sdk_create', 'sdk_update', 'sdk_delete']
const steps = ['pre_build_request', 'post_build_request', 'post_request', 'pre_set_output', 'post_set_output']
const otherHooks =
  'delta_pre_compare delta_post_compare late_initialize_pre_read_one late_initialize_post_read_one references_pre_resolve ' +
  'references_post_resolve ensure_tags sync_tags filter_tags convert_tags pre_convert_to_ack_tags post_convert_to_ack_tags ' +
  'pre_convert_from_ack_tags post_convert_from_ack_tags pre_set_resource_identifiers post_set_resource_identifiers ' +
  'pre_populate_resource_from_annotation post_populate_resource_from_annotation new_resource_manager_client_options sdk_file_end'
/** The points at which code may be hung into a kind. */
export const hookIds: ReadonlySet<string> = new Set([
  ...verbs.flatMap(verb => steps.map(step => `${verb}_${step}`)),
  ...otherHooks.split(' '),
])

const resource = object<Config.ResourceConfig>(
  {
    fields: mapOf(field),
    renames: object({
      operations: mapOf(object<Config.RenamesConfig>({ input_fields: mapOf(text), output_fields: mapOf(text) })),
    }),
    ignore_idempotency_token: flag,
    unpack_attributes_map: object<Config.UnpackAttributesConfig>({
      set_attributes_single_attribute: flag,
      get_attributes_input: object({ overrides: mapOf(object({ values: texts })) }),
    }),
    exceptions: object<Config.ExceptionsConfig>({
      errors: mapOf(object({ code: text, message_prefix: text, message_suffix: text })),
      terminal_codes: texts,
    }),
    synced: object({ when: stateConditions }),
    updateable: gate,
    deletable: gate,
    list_operation: object({ match_fields: texts }),
    find_operation: customMethod,
    update_operation: object({ custom_method_name: text, omit_unchanged_fields: flag, only_set_unchanged_fields: flag }),
    delete_operation: customMethod,
    update_conditions_custom_method_name: text,
    reconcile: object({ requeue_on_success_seconds: whole }),
    pre_delete_sync: object({ compare_all: flag }),
    compare: object({ ignore: texts }),
    is_arn_primary_key: flag,
    is_adoptable: flag,
    tags: object<Config.TagsConfig>({ ignore: flag, path: text, key_name: text, value_name: text }),
    print: object<Config.PrintConfig>({
      add_age_column: flag,
      add_synced_column: flag,
      order_by: text,
      additional_columns: listOf(
        object<Config.ColumnConfig>({ name: text, json_path: text, type: text, priority: whole, index: whole }),
      ),
    }),
    shortNames: texts,
    api_versions: listOf(object<Config.ApiVersionConfig>({ name: text, storage: flag, served: flag, deprecated: flag })),
    hooks: mapOf(object<Config.HookConfig>({ code: text, template_path: text })),
    plural: text,
    region_in_spec: flag,
    sub_resources: subResources,
  },
  pastKeys.resource,
)

const generator: Rule<Config.GeneratorConfig> = object<Config.GeneratorConfig>(
  {
    resources: mapOf(resource),
    operations: mapOf(
      object<Config.OperationConfig>(
        {
          resource_name: texts,
          operation_type: texts,
          output_wrapper_field_path: text,
          input_wrapper_field_path: text,
          override_values: mapOf(text),
          set_output_custom_method_name: text,
          custom_implementation: text,
          custom_check_required_fields_missing_method: text,
        },
        pastKeys.operation,
      ),
    ),
    ignore: object<Config.IgnoreConfig>({
      resource_names: texts,
      operations: texts,
      shape_names: texts,
      field_paths: texts,
    }),
    empty_shapes: texts,
    custom_shapes: mapOf(mapOf(text)),
    prefix_config: object({ spec_field: text, status_field: text }),
    include_ack_metadata: flag,
    set_many_output_notfound_err_return: text,
    sdk_names: object<Config.SdkNamesConfig>({
      model_name: text,
      package_name: text,
      client_interface: text,
      client_struct: text,
    }),
    controller_name: text,
  },
  pastKeys.top,
)

const documentation: Rule<Config.DocumentationConfig> = object<Config.DocumentationConfig>({
  resources: mapOf(object({ note: text, fields: mapOf(object({ append: text, prepend: text, override: text })) })),
})

/** An error of the config, at the line of what it says. */
export function configError(loaded: LoadedConfig, path: readonly string[], problem: string): InferError {
  return new InferError('unknown-name', `${loaded.placeOf(...path)}: ${problem}`)
}
