// The priority of a pod comes from its class. Whoever names no class gets the one that is everybody's, or none; whoever writes a number
// of his own is refused unless it is the right one.
import { isRecord } from '#base'
import type { Draft } from '../../draft.ts'
import { forbidden } from '../../refusals.ts'
import type { StorePort, Table } from '../../store/store.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { AdmissionPlugin } from '../plugin.ts'

interface Priority {
  readonly name: string | undefined
  readonly value: number
  readonly preemptionPolicy: string
}

const none: Priority = { name: undefined, value: 0, preemptionPolicy: 'PreemptLowerPriority' }

export function podPriority({ store }: StorePort): AdmissionPlugin {
  return { name: 'Priority', mutate: attributes => admit(store.table('priorityclasses.scheduling.k8s.io'), attributes) }
}

function admit(classes: Table, attributes: AdmissionAttributes): Draft | undefined {
  const { kind, operation, subresource, object, oldObject } = attributes
  const isPod = kind.resource.group === '' && kind.resource.plural === 'pods' && subresource === ''
  if (object === undefined || !isPod || !isRecord(object.spec)) return object
  if (operation === 'UPDATE') return { ...object, spec: { ...formerOf(oldObject), ...object.spec } }
  return operation === 'CREATE' ? { ...object, spec: withPriority(classes, object, object.spec) } : object
}

/** A client that leaves out what admission gave keeps it. */
function formerOf(old: Readonly<Draft> | undefined): Readonly<Record<string, unknown>> {
  const { priority, preemptionPolicy } = isRecord(old?.spec) ? old.spec : {}
  return { ...(priority !== undefined && { priority }), ...(preemptionPolicy !== undefined && { preemptionPolicy }) }
}

function withPriority(classes: Table, pod: Draft, spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const refuse = (why: string): never => {
    throw forbidden({ group: '', plural: 'pods' }, pod.metadata.name ?? '', why)
  }
  const wanted = typeof spec.priorityClassName === 'string' ? spec.priorityClassName : ''
  const found = wanted === '' ? classOfAll(classes) : classNamed(classes, wanted)
  if (found === undefined) return refuse(`no PriorityClass with name ${wanted} was found`)
  const { name, value, preemptionPolicy } = found
  if (spec.priority !== undefined && spec.priority !== value)
    refuse(`the integer value of priority (${JSON.stringify(spec.priority)}) ${notYours(String(value))}`)
  if (typeof spec.preemptionPolicy === 'string' && spec.preemptionPolicy !== preemptionPolicy)
    refuse(`the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${notYours(preemptionPolicy)}`)
  return { ...spec, priority: value, preemptionPolicy, ...(name !== undefined && { priorityClassName: name }) }
}

function notYours(computed: string): string {
  return `must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`
}

function classNamed(classes: Table, name: string): Priority | undefined {
  const row = classes.rows.get(name)
  return row === undefined ? undefined : priorityOf(row.object)
}

/** The class of pods that name none. Where several classes say that they are it, the one with the lowest value is. */
function classOfAll(classes: Table): Priority {
  let found: Priority | undefined
  classes.rows.visit('', ({ object }) => {
    if (object.globalDefault !== true) return true
    const priority = priorityOf(object)
    if (found === undefined || priority.value < found.value) found = priority
    return true
  })
  return found ?? none
}

function priorityOf({ metadata, value, preemptionPolicy }: Readonly<Draft>): Priority {
  const policy = typeof preemptionPolicy === 'string' ? preemptionPolicy : none.preemptionPolicy
  return { name: metadata.name, value: Number(value), preemptionPolicy: policy }
}
