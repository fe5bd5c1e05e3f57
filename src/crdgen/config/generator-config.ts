// `generator.yaml` as types: what a service's owner says about its kinds. Keys keep the spelling of the file.
import type { Normaliser } from '#aws'

export interface GeneratorConfig {
  readonly resources?: ReadonlyMap<string, ResourceConfig>
  readonly operations?: ReadonlyMap<string, OperationConfig>
  readonly ignore?: IgnoreConfig
  readonly empty_shapes?: readonly string[]
  readonly custom_shapes?: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly prefix_config?: { readonly spec_field?: string; readonly status_field?: string }
  readonly include_ack_metadata?: boolean
  readonly set_many_output_notfound_err_return?: string
  readonly sdk_names?: SdkNamesConfig
  readonly controller_name?: string
}

export interface SdkNamesConfig {
  readonly model_name?: string
  readonly package_name?: string
  readonly client_interface?: string
  readonly client_struct?: string
}

export interface IgnoreConfig {
  readonly resource_names?: readonly string[]
  readonly operations?: readonly string[]
  readonly shape_names?: readonly string[]
  readonly field_paths?: readonly string[]
}

export interface OperationConfig {
  readonly resource_name?: readonly string[]
  readonly operation_type?: readonly string[]
  readonly output_wrapper_field_path?: string
  readonly input_wrapper_field_path?: string
  readonly override_values?: ReadonlyMap<string, string>
  readonly set_output_custom_method_name?: string
  readonly custom_implementation?: string
  readonly custom_check_required_fields_missing_method?: string
}

export interface ResourceConfig {
  readonly fields?: ReadonlyMap<string, FieldConfig>
  readonly renames?: { readonly operations?: ReadonlyMap<string, RenamesConfig> }
  readonly ignore_idempotency_token?: boolean
  readonly unpack_attributes_map?: UnpackAttributesConfig
  readonly exceptions?: ExceptionsConfig
  readonly synced?: { readonly when?: readonly StateConditionSetting[] }
  readonly updateable?: StateGateSetting
  readonly deletable?: StateGateSetting
  readonly list_operation?: { readonly match_fields?: readonly string[] }
  readonly find_operation?: CustomMethod
  readonly update_operation?: CustomMethod & {
    readonly omit_unchanged_fields?: boolean
    readonly only_set_unchanged_fields?: boolean
  }
  readonly delete_operation?: CustomMethod
  readonly update_conditions_custom_method_name?: string
  readonly reconcile?: { readonly requeue_on_success_seconds?: number }
  readonly pre_delete_sync?: { readonly compare_all?: boolean }
  readonly compare?: { readonly ignore?: readonly string[] }
  readonly is_arn_primary_key?: boolean
  readonly is_adoptable?: boolean
  readonly tags?: TagsConfig
  readonly print?: PrintConfig
  readonly shortNames?: readonly string[]
  readonly api_versions?: readonly ApiVersionConfig[]
  readonly hooks?: ReadonlyMap<string, HookConfig>
  /** Ours: fields whose elements are entries of their own in AWS. */
  readonly sub_resources?: readonly SubResourceConfig[]
  /** Ours: the plural where the rules of English fail. */
  readonly plural?: string
  /** Ours: the manifest says in which region the resource is, in `spec.region`. */
  readonly region_in_spec?: boolean
}

export interface SubResourceConfig {
  readonly field: string
  readonly list: string
  readonly get?: string
  readonly put: string
  readonly delete: string
  readonly key: string
  readonly value?: string
}

export interface RenamesConfig {
  readonly input_fields?: ReadonlyMap<string, string>
  readonly output_fields?: ReadonlyMap<string, string>
}

export interface UnpackAttributesConfig {
  readonly set_attributes_single_attribute?: boolean
  readonly get_attributes_input?: {
    readonly overrides?: ReadonlyMap<string, { readonly values?: readonly string[] }>
  }
}

export interface ExceptionsConfig {
  readonly errors?: ReadonlyMap<
    string,
    { readonly code?: string; readonly message_prefix?: string; readonly message_suffix?: string }
  >
  readonly terminal_codes?: readonly string[]
}

export interface StateConditionSetting {
  readonly path?: string
  readonly in?: readonly string[]
}

export interface StateGateSetting {
  readonly when?: readonly StateConditionSetting[]
  readonly requeue_after_seconds?: number
}

export interface CustomMethod {
  readonly custom_method_name?: string
}

export interface TagsConfig {
  readonly ignore?: boolean
  readonly path?: string
  readonly key_name?: string
  readonly value_name?: string
}

export interface PrintConfig {
  readonly add_age_column?: boolean
  readonly add_synced_column?: boolean
  readonly order_by?: string
  readonly additional_columns?: readonly ColumnConfig[]
}

export interface ColumnConfig {
  readonly name?: string
  readonly json_path?: string
  readonly type?: string
  readonly priority?: number
  readonly index?: number
}

export interface ApiVersionConfig {
  readonly name?: string
  readonly storage?: boolean
  readonly served?: boolean
  readonly deprecated?: boolean
}

/** Opaque here: bound to a hook of ours by its id, never run. */
export interface HookConfig {
  readonly code?: string
  readonly template_path?: string
}

export interface FieldConfig {
  readonly is_attribute?: boolean
  readonly is_read_only?: boolean
  readonly is_required?: boolean
  readonly is_immutable?: boolean
  readonly is_primary_key?: boolean
  readonly is_arn?: boolean
  readonly is_owner_account_id?: boolean
  readonly is_secret?: boolean
  readonly is_iam_policy?: boolean
  readonly is_document?: boolean
  readonly from?: { readonly operation?: string; readonly path?: string }
  readonly custom_field?: { readonly list_of?: string; readonly map_of?: string }
  readonly type?: string
  readonly go_tag?: string
  readonly references?: ReferenceConfig
  readonly late_initialize?: {
    readonly min_backoff_seconds?: number
    readonly max_backoff_seconds?: number
    readonly skip_incomplete_check?: unknown
  }
  readonly compare?: {
    readonly is_ignored?: boolean
    readonly nil_equals_zero_value?: boolean
    readonly pre_delete_include?: boolean
    /** Ours: another way of writing that means the same. */
    readonly normalise?: Normaliser
  }
  readonly set?: readonly SetConfig[]
  readonly custom_sync?: unknown
  readonly print?: { readonly name?: string; readonly priority?: number; readonly index?: number }
}

export interface ReferenceConfig {
  readonly resource?: string
  readonly path?: string
  readonly service_name?: string
  readonly skip_resource_state_validations?: boolean
}

export interface SetConfig {
  readonly method?: string
  readonly from?: string
  readonly to?: string
  readonly ignore?: string
}

export interface DocumentationConfig {
  readonly resources?: ReadonlyMap<
    string,
    {
      readonly note?: string
      readonly fields?: ReadonlyMap<string, { readonly append?: string; readonly prepend?: string; readonly override?: string }>
    }
  >
}
