// A resource's config as the runtime reads it: our names, plain JSON, defaults written out.
import type { KindSettings } from '#aws'
import { given } from '#base'
import type * as Config from '../config/generator-config.ts'

/** How long to wait when a resource is in no state to be changed or deleted and the config names no time. */
const requeueSecondsDefault = 30

export function settingsOf(config: Config.ResourceConfig, service: Config.GeneratorConfig): KindSettings {
  const { unpack_attributes_map: unpack, exceptions, update_operation: update, tags } = config
  const hooks = [...(config.hooks?.keys() ?? [])].sort()
  const settings = {
    ignoreIdempotencyToken: config.ignore_idempotency_token,
    unpackAttributes: unpack === undefined ? undefined : unpackOf(unpack),
    errors: exceptions?.errors === undefined ? undefined : errorsOf(exceptions.errors),
    terminalCodes: exceptions?.terminal_codes,
    synced: config.synced?.when === undefined ? undefined : conditionsOf(config.synced.when),
    updateable: gateOf(config.updateable),
    deletable: gateOf(config.deletable),
    matchFields: config.list_operation?.match_fields,
    findHook: config.find_operation?.custom_method_name,
    updateHook: update?.custom_method_name,
    deleteHook: config.delete_operation?.custom_method_name,
    conditionsHook: config.update_conditions_custom_method_name,
    omitUnchanged: update?.omit_unchanged_fields,
    onlySetChanged: update?.only_set_unchanged_fields,
    resyncSeconds: config.reconcile?.requeue_on_success_seconds,
    preDeleteCompareAll: config.pre_delete_sync?.compare_all,
    compareIgnore: config.compare?.ignore,
    arnIsPrimaryKey: config.is_arn_primary_key,
    notAdoptable: config.is_adoptable === false,
    regionInSpec: config.region_in_spec,
    tags:
      tags?.ignore === true
        ? undefined
        : { path: tags?.path ?? 'Tags', key: tags?.key_name ?? 'Key', value: tags?.value_name ?? 'Value' },
    hooks: hooks.length === 0 ? undefined : hooks,
    notFoundIsError: service.set_many_output_notfound_err_return,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined && value !== false))
}

function unpackOf(unpack: Config.UnpackAttributesConfig): KindSettings['unpackAttributes'] {
  const overrides = unpack.get_attributes_input?.overrides
  return {
    ...(unpack.set_attributes_single_attribute === true ? { setOneByOne: true } : {}),
    ...(overrides === undefined
      ? {}
      : { getOverrides: Object.fromEntries([...overrides].map(([name, { values = [] }]) => [name, values])) }),
  }
}

function errorsOf(errors: NonNullable<Config.ExceptionsConfig['errors']>): KindSettings['errors'] {
  return Object.fromEntries(
    [...errors].map(([status, { code, message_prefix: messagePrefix, message_suffix: messageSuffix }]) => [
      status,
      given({ code, messagePrefix, messageSuffix }),
    ]),
  )
}

function conditionsOf(conditions: readonly Config.StateConditionSetting[]): NonNullable<KindSettings['synced']> {
  return conditions.map(({ path = '', in: values = [] }) => ({ path, in: values }))
}

function gateOf(gate: Config.StateGateSetting | undefined): KindSettings['updateable'] {
  if (gate === undefined) return undefined
  return { when: conditionsOf(gate.when ?? []), requeueAfterSeconds: gate.requeue_after_seconds ?? requeueSecondsDefault }
}
