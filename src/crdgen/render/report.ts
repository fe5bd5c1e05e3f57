// What was decided, for people and programs that want to know why.

import { compareText, didYouMean } from '#base'
import { hookIds } from '../config/read-config.ts'
import type { Field, FieldMap } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { partsOf } from '../parts/find-parts.ts'
import { likelySettersOf } from '../parts/likely-setters.ts'
import { untoldFields } from '../parts/untold.ts'
import { operationsOf } from './ir.ts'
import { suggestReferences } from './suggest-references.ts'
import { goType } from './type-view.ts'

/** Whether somebody wrote what the hooks of a kind ask for, by `service/Kind`. */
export type IsHooked = (id: string) => boolean

export function reportOf(service: InferredService, kinds: readonly InferredKind[], isHooked: IsHooked = () => true): object {
  return {
    service: service.alias,
    group: service.group,
    model: { id: service.model.id, apiVersion: service.model.apiVersion, protocol: service.model.protocol },
    kinds: kinds.map(kind => ({
      kind: kind.kind,
      plural: kind.plural,
      operations: operationsOf(service, kind),
      spec: fieldsOf(kind.spec),
      status: fieldsOf(kind.status),
      parts: partsOf(service, kind).map(({ part, evidence }) => ({ ...part, evidence })),
      likelySetters: likelySettersOf(service, kind),
      untold: untoldFields(
        service,
        kind,
        partsOf(service, kind).map(({ part }) => part),
      ),
      hooks: [...(kind.config.hooks?.keys() ?? [])].sort(compareText),
    })),
    refused: service.refused.map(({ resource, problems }) => ({
      resource,
      problems: problems.map(({ code, message }) => ({ code, message })),
    })),
    suggestedReferences: suggestReferences(service, kinds),
    ignored: service.ignored,
    skew: service.skew,
    warnings: [
      ...service.warnings,
      ...kinds.flatMap(kind => [...unknownHooks(service, kind), ...unboundHooks(service, kind, isHooked)]),
    ],
    operations: service.classified.all,
  }
}

function fieldsOf(fields: FieldMap): readonly object[] {
  return [...fields.values()].sort((a, b) => compareText(a.json, b.json)).map(decisionOf)
}

function decisionOf(field: Field): object {
  const { json, type, required, immutable, origin } = field
  return { field: json, type: goType(type), ...(required ? { required } : {}), ...(immutable ? { immutable } : {}), ...origin }
}

/** Hooks of a config are code in another language: they are kept as text and never run, so what they did is not done. */
export function unboundHooks({ alias }: InferredService, { kind, config }: InferredKind, isHooked: IsHooked): readonly string[] {
  const methods = [config.find_operation, config.update_operation, config.delete_operation].flatMap(
    each => each?.custom_method_name ?? [],
  )
  const all = [...(config.hooks?.keys() ?? []), ...methods].sort(compareText)
  if (all.length === 0 || isHooked(`${alias}/${kind}`)) return []
  return [`${kind}: the config has code of its own that nothing here carries out: ${all.join(', ')}`]
}

function unknownHooks({ loaded }: InferredService, { resource, config }: InferredKind): readonly string[] {
  const unknown = [...(config.hooks?.keys() ?? [])].filter(id => !hookIds.has(id))
  return unknown.map(
    id => `${loaded.placeOf('resources', resource, 'hooks', id)}: "${id}" is no point for a hook${didYouMean(id, hookIds)}`,
  )
}
