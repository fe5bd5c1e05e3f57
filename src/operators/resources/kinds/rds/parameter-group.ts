// Parameter groups of RDS: which of the many parameters of an engine a group overrides has operations of its own to read, set and reset it, by
// twenty. What the engine reads at its start alone can only wait for a reboot; anything else is to hold at once.
import { batchesOf, compareText } from '#base'
import { fromWire, own, textOf } from '../../model/convert.ts'
import type { KindModel } from '../../model/kind-model.ts'
import type { Content, Values } from '../../model/request.ts'
import { missing, recordOf, structuresOf, update } from '../calls.ts'
import type { Caller, Deviation, PlannedCall, SyncContext } from '../deviation.ts'

interface Noun {
  readonly noun: 'DBParameterGroup' | 'DBClusterParameterGroup'
  readonly list: 'DescribeDBParameters' | 'DescribeDBClusterParameters'
}

/** As many as one call takes. */
const parametersMax = 20

export const rdsParameterGroup: Deviation = parameterGroup({ noun: 'DBParameterGroup', list: 'DescribeDBParameters' })
export const rdsClusterParameterGroup: Deviation = parameterGroup({
  noun: 'DBClusterParameterGroup',
  list: 'DescribeDBClusterParameters',
})

function parameterGroup(one: Noun): Deviation {
  return {
    readMore: async ({ model, caller, wanted }, found) => {
      if (model.spec.named('ParameterOverrides') === undefined) return found
      return withParameters({ model, wanted, found }, await readParameters(one, caller, { wanted, found }))
    },
    own: ['ParameterOverrides', 'Parameters'],
    // The older field of cluster groups is a list, and says nothing of what it does not name.
    same: { Parameters: (_wanted, _latest, { wanted, latest }) => listedIn(wanted).every(each => isHeld(latest, each)) },
    sync: context => parameterCalls(one, context),
  }
}

interface Read {
  /** What somebody set, with all that AWS says of each. */
  readonly set: readonly Values[]
  /** Of what the manifest names and nobody set. */
  readonly unset: readonly Values[]
}

async function readParameters(
  { noun, list }: Noun,
  caller: Caller,
  { wanted, found }: { readonly wanted: Content; readonly found: Content },
): Promise<Read> {
  const id = { [`${noun}Name`]: found.spec['name'] ?? wanted.spec['name'] }
  const told = structuresOf(await caller.list(list, { ...id, Source: 'user' }, 'Parameters'))
  const set = told.filter(({ Source }) => (Source ?? 'user') === 'user')
  const unset: Values[] = []
  for (const names of batchesOf(missing([...valuesWanted(wanted).keys()], set.map(nameOf)), parametersMax)) {
    const Filters = [{ Name: 'parameter-name', Values: names }]
    unset.push(...structuresOf(await caller.list(list, { ...id, Filters }, 'Parameters')))
  }
  return { set, unset }
}

/** Where the engine's own value is what the manifest says, AWS never calls it the user's, and there is nothing to set. */
function withParameters(
  { model, wanted, found }: { readonly model: KindModel; readonly wanted: Content; readonly found: Content },
  { set, unset }: Read,
): Content {
  const wish = valuesWanted(wanted)
  const likewise = unset.filter(each => each['ParameterValue'] === wish.get(nameOf(each)))
  const held = Object.fromEntries([...set, ...likewise].map(each => [nameOf(each), textOf(each['ParameterValue'] ?? '')]))
  const applyTypes = Object.fromEntries([...set, ...unset].map(each => [nameOf(each), textOf(each['ApplyType'] ?? '')]))
  const { parameterOverrides: _taken, ...spec } = found.spec
  const overrides = recordOf(wanted.spec['parameterOverrides'])
  const elsewhere = new Set(listedIn(wanted).map(({ name }) => name))
  const shown = Object.entries(held).filter(([name]) => Object.hasOwn(overrides, name) || !elsewhere.has(name))
  return {
    ...found,
    spec: { ...spec, ...(shown.length === 0 ? {} : { parameterOverrides: Object.fromEntries(shown) }) },
    status: { ...found.status, ...statusesOf(model, set) },
    extra: { ...found.extra, held, applyTypes },
  }
}

function statusesOf(model: KindModel, set: readonly Values[]): Values {
  const field = model.status.named('ParameterOverrideStatuses')
  if (field === undefined) return {}
  const inOrder = [...set].sort((a, b) => compareText(nameOf(a), nameOf(b)))
  const member = { target: 'ParametersList' }
  return { [field.json]: fromWire(inOrder, { service: model.service, type: field.type, member }) }
}

interface Wish {
  readonly name: string
  readonly value: string
  readonly method?: string
}

function listedIn({ spec }: Content): readonly Wish[] {
  return structuresOf(spec['parameters'])
    .filter(({ parameterName }) => parameterName !== undefined)
    .map(({ parameterName, parameterValue, applyMethod }) => ({
      name: textOf(parameterName),
      value: textOf(parameterValue ?? ''),
      ...(applyMethod === undefined ? {} : { method: textOf(applyMethod) }),
    }))
}

function valuesWanted(wanted: Content): ReadonlyMap<string, string> {
  const listed = listedIn(wanted).map(({ name, value }) => [name, value] as const)
  return new Map([...listed, ...Object.entries(recordOf(wanted.spec['parameterOverrides']))])
}

function isHeld(latest: Content, { name, value }: Wish): boolean {
  return own(recordOf(latest.extra?.['held']), name) === value
}

function parameterCalls({ noun }: Noun, { wanted, latest, isNew }: SyncContext): readonly PlannedCall[] {
  const id = { [`${noun}Name`]: wanted.spec['name'] }
  const wish = valuesWanted(wanted)
  const held = recordOf(latest.extra?.['held'])
  const applyTypes = recordOf(latest.extra?.['applyTypes'])
  const asked = new Map(listedIn(wanted).map(({ name, method }) => [name, method]))
  // No database uses a new group yet; of what is not known to be dynamic AWS takes nothing at once.
  const methodOf = (name: string): string => {
    if (isNew) return 'pending-reboot'
    return asked.get(name) ?? (own(applyTypes, name) === 'dynamic' ? 'immediate' : 'pending-reboot')
  }
  const changed = [...wish].filter(([name, value]) => own(held, name) !== value)
  const gone = missing(Object.keys(held), [...wish.keys()])
  return [
    ...batchesOf(
      changed.map(([name, value]) => ({ ParameterName: name, ParameterValue: value, ApplyMethod: methodOf(name) })),
      parametersMax,
    ).map(Parameters => update(`Modify${noun}`, { ...id, Parameters })),
    ...batchesOf(
      gone.map(name => ({ ParameterName: name, ApplyMethod: methodOf(name) })),
      parametersMax,
    ).map(Parameters => update(`Reset${noun}`, { ...id, Parameters })),
  ]
}

function nameOf({ ParameterName }: Values): string {
  return textOf(ParameterName)
}
