// What a resource's own state allows: to be changed, to be deleted, to be called in step.
import type { KindSettings, ResourceField } from '#aws'
import { isRecord, textOf } from '../model/convert.ts'
import { type KindModel, onceOfKind } from '../model/kind-model.ts'
import { propertyNamed } from '../model/names.ts'
import type { Content } from '../model/request.ts'

export interface Closed {
  readonly state: string
  readonly afterMs: number
}

/** `undefined`: the resource is in a state in which it may be done. */
export function gateOf(gate: KindSettings['updateable'], latest: Content): Closed | undefined {
  if (gate === undefined) return undefined
  for (const { path, in: values } of gate.when) {
    const found = valueAt(latest, path)
    if (found !== undefined && found !== null && !values.includes(textOf(found)))
      return { state: textOf(found), afterMs: gate.requeueAfterSeconds * 1_000 }
  }
  return undefined
}

/** Words by which services say that a resource is on its way to another state. */
const onTheWay =
  /^(?:creating|pending|provisioning|updating|modifying|deleting|starting|stopping|activating|in[_-]?progress|(?:create|update|delete)[_-]in[_-]progress)$/i

/** The state of a resource that is about to change by itself; `undefined` for one that stays as it is. */
export function transientState(model: KindModel, latest: Content): string | undefined {
  return statesIn(model, latest).find(state => onTheWay.test(state))
}

function statesIn(model: KindModel, { status }: Content): readonly string[] {
  return stateFields(model).flatMap(({ json }) => (typeof status[json] === 'string' ? [status[json]] : []))
}

const stateFields: (model: KindModel) => readonly ResourceField[] = onceOfKind(({ kind, status }) =>
  ['status', 'state', `${kind.resource}Status`, `${kind.resource}State`].flatMap(name => status.named(name) ?? []),
)

/** What is gone may be shown for a while, by a state that says so. After our own delete call, one that lies idle is gone as well. */
export function isEnded(model: KindModel, latest: Content, { afterDelete }: { readonly afterDelete: boolean }): boolean {
  const ends = afterDelete ? /^(?:deleted|terminated|inactive)$/i : /^(?:deleted|terminated)$/i
  return statesIn(model, latest).some(state => ends.test(state))
}

/** The state that `synced.when` of the config asks for. */
export function isSyncedByConfig(model: KindModel, latest: Content): boolean {
  return (model.kind.settings.synced ?? []).every(({ path, in: values }) => {
    const found = valueAt(latest, path)
    return found !== undefined && found !== null && values.includes(textOf(found))
  })
}

function valueAt({ spec, status }: Content, path: string): unknown {
  const steps = path.split('.')
  let value: unknown = { spec, status }
  for (const step of steps) value = isRecord(value) ? propertyNamed(value, step)?.value : undefined
  return value
}
