// Route 53 record sets have no id of their own: a zone, a name, a type and a set identifier name one, and each change is a document. What
// was changed is known to be in place when Route 53 says so.

import { compareText } from '#base'
import { readPart } from '../../model/answer.ts'
import { isRecord, isReferenceField, textOf, toWire } from '../../model/convert.ts'
import { type KindModel, outputOf, structureNamed } from '../../model/kind-model.ts'
import { propertyNamed } from '../../model/names.ts'
import type { Content, Values } from '../../model/request.ts'
import { hasResource, recordOf } from '../../ownership/ownership-record.ts'
import { structuresOf } from '../calls.ts'
import type { Deviation, PlannedCall, ReadContext } from '../deviation.ts'
import { bareId, dnsName } from './ids.ts'
import { findRecords, listing, type WantedRecord } from './records.ts'

/** Route 53 takes a thousand records and 32,000 characters in a call, and counts an upsert twice. */
const changesMax = 100

export const route53RecordSet: Deviation = {
  refuse: ({ wanted: { spec } }) =>
    spec['hostedZoneID'] === undefined ? 'hostedZoneID or hostedZoneRef is required' : undefined,
  read: readRecord,
  identity: identityOfRecord,
  create: (_input, { model, wanted }) => change(model, 'CREATE', wanted, wanted),
  // A record that is there already is refused; others race us, and the text says whether they did.
  passes: ({ code, message }) =>
    code === 'InvalidChangeBatch' && /already exists|not found|was not found|do not match/i.test(message),
  repeatable: true,
  print: printRecord,
  created: (output, found) => ({ ...found, status: { ...found.status, ...changeStatus(output) } }),
  same: {
    Name: () => true,
    RecordType: () => true,
    HostedZoneID: (wanted, latest) => bareId(wanted) === bareId(latest),
    AliasTarget: (wanted, latest) => sameAlias(wanted, latest),
    ResourceRecords: (wanted, latest) => sameRecords(wanted, latest),
  },
  // Events have the full name; the zone is in the manifest only where no reference names it.
  eventNames: ({ spec = {} }) => [
    ...(typeof spec['name'] === 'string' && spec['name'] !== '' ? [dnsName(spec['name']).split('.')[0] ?? ''] : []),
    ...(typeof spec['hostedZoneID'] === 'string' ? [bareId(spec['hostedZoneID'])] : []),
  ],
  // Route 53 carries out the changes of a zone one by one, but takes a hundred in one call as fast as a single one.
  workers: changesMax,
  joining: {
    operation: 'ChangeResourceRecordSets',
    topic: ({ HostedZoneId }) => bareId(HostedZoneId),
    join: inputs => ({
      HostedZoneId: inputs[0]?.['HostedZoneId'],
      ChangeBatch: { Changes: inputs.flatMap(changesIn) },
    }),
    splits: ({ code }) => code === 'InvalidChangeBatch' || code === 'InvalidInput' || code === 'NoSuchHealthCheck',
    max: changesMax,
  },
  own: [
    'AliasTarget',
    'CIDRRoutingConfig',
    'Failover',
    'GeoLocation',
    'HealthCheckID',
    'MultiValueAnswer',
    'Region',
    'ResourceRecords',
    'SetIdentifier',
    'TTL',
    'Weight',
  ],
  sync: ({ model, wanted, latest, isNew }) => (isNew ? [] : [change(model, 'UPSERT', wanted, latest)]),
  // Route 53 deletes only what it is told exactly.
  delete: ({ model, latest }) => change(model, 'DELETE', latest, latest),
  state: ({ status }) =>
    status['status'] === 'PENDING'
      ? { synced: false, message: 'the change is on its way to all name servers', lookAfterMs: 10_000 }
      : { synced: true, message: '' },
}

/** A record bears no mark: what it says is all there is to know it by. */
function printRecord({ spec }: Content): string {
  const {
    aliasTarget,
    resourceRecords,
    name: _name,
    hostedZoneID: _zone,
    hostedZoneRef: _zoneRef,
    healthCheckRef: _check,
    ...rest
  } = spec
  const alias = isRecord(aliasTarget)
    ? [dnsName(aliasTarget['dnsName']), bareId(aliasTarget['hostedZoneID']), aliasTarget['evaluateTargetHealth'] ?? false]
    : []
  const values = structuresOf(resourceRecords).map(({ value }) => normalValue(textOf(value ?? '')))
  const said = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null)
  return JSON.stringify([alias, values.sort(), said.sort(([a], [b]) => compareText(a, b))])
}

/** The whole name: a look learns it, since the manifest may leave the zone's name out. */
function identityOfRecord({ spec, extra }: Content): Readonly<Record<string, string>> {
  const { hostedZoneID, recordType, setIdentifier } = spec
  const name = extra?.['name'] ?? spec['name']
  if (typeof hostedZoneID !== 'string' || typeof name !== 'string' || !name.endsWith('.')) return {}
  const set = typeof setIdentifier === 'string' && setIdentifier !== '' ? { setIdentifier } : {}
  return { hostedZoneID: bareId(hostedZoneID), name: `${dnsName(name)}.`, recordType: textOf(recordType ?? ''), ...set }
}

/** The name as Route 53 knows it: one without a last dot is below the zone, none is the zone itself. */
export function fullName(name: unknown, zone: string): string {
  const text = typeof name === 'string' ? name : ''
  if (text.endsWith('.')) return text
  return text === '' ? zone : `${text}.${zone}`
}

async function readRecord(context: ReadContext): Promise<Content | undefined> {
  const { wanted, caller } = context
  const HostedZoneId = wanted.spec['hostedZoneID']
  if (typeof HostedZoneId !== 'string') return undefined
  const { HostedZone } = await caller.once('GetHostedZone', { Id: HostedZoneId })
  const zone = textOf((HostedZone as { readonly Name?: unknown } | undefined)?.Name ?? '')
  const name = fullName(wanted.spec['name'], zone)
  const found = await findRecord(context, { HostedZoneId, name })
  // The call that makes the record needs its full name as well.
  if (found === undefined) return { spec: {}, status: {}, extra: { name }, isAbsent: true }
  const status = await followChange(context)
  const { spec } = found
  return { ...found, spec: { ...spec, name: wanted.spec['name'], hostedZoneID: HostedZoneId }, status, extra: { name } }
}

/** Many records of a zone are looked for in one list of it. */
async function findRecord(
  { model, wanted, caller, claim }: ReadContext,
  { HostedZoneId, name }: { readonly HostedZoneId: string; readonly name: string },
): Promise<Content | undefined> {
  const question: WantedRecord = {
    name,
    type: wanted.spec['recordType'],
    setIdentifier: wanted.spec['setIdentifier'] ?? undefined,
    // A record that is yet to be made needs no second look: Route 53 refuses to make what is there.
    isExpected: claim.metadata.deletionTimestamp !== undefined || hasResource(recordOf(claim)),
  }
  const value = await caller.together<WantedRecord, Values | undefined>(
    `records of ${bareId(HostedZoneId)}`,
    question,
    (questions, shared) => findRecords(questions, shared, HostedZoneId),
  )
  if (value === undefined) return undefined
  const whole = { shape: outputOf(model.service.model, listing), value: { ResourceRecordSets: [value] } }
  return readPart(model, listing, { part: whole, whole, wanted, method: 'ReadMany' })
}

function changesIn({ ChangeBatch }: Values): readonly Values[] {
  return structuresOf(isRecord(ChangeBatch) ? ChangeBatch['Changes'] : undefined)
}

/** Asked for only while it is pending: an adopted record has no change of ours. Records that were changed together share their change. */
async function followChange({ wanted, caller }: ReadContext): Promise<Content['status']> {
  const { id, status } = wanted.status
  if (typeof id !== 'string' || status === 'INSYNC') return wanted.status
  const answer = await caller.together<string, Values>(`change ${bareId(id)}`, id, async (questions, shared) => {
    const value = await shared.call('GetChange', { Id: bareId(id) })
    return questions.map(() => ({ ok: true, value }))
  })
  return { ...wanted.status, ...changeStatus(answer) }
}

function changeStatus({ ChangeInfo }: Values): Content['status'] {
  if (!isRecord(ChangeInfo)) return {}
  const { Id, Status, SubmittedAt } = ChangeInfo
  const submittedAt = SubmittedAt instanceof Date ? `${SubmittedAt.toISOString().slice(0, 19)}Z` : SubmittedAt
  return { id: Id, status: Status, submittedAt }
}

/** `named`: where the record's full name is known from. */
function change(model: KindModel, Action: 'CREATE' | 'UPSERT' | 'DELETE', content: Content, named: Content): PlannedCall {
  const record = recordSetOf(model, content)
  const name = named.extra?.['name']
  const ResourceRecordSet = typeof name === 'string' ? { ...record, Name: name } : record
  return {
    operation: 'ChangeResourceRecordSets',
    input: { HostedZoneId: content.spec['hostedZoneID'], ChangeBatch: { Changes: [{ Action, ResourceRecordSet }] } },
    verb: Action === 'CREATE' ? 'CREATE' : Action === 'DELETE' ? 'DELETE' : 'UPDATE',
    records: Action !== 'DELETE',
  }
}

function recordSetOf(model: KindModel, { spec }: Content): Values {
  const { members } = structureNamed(model.service.model, 'ResourceRecordSet')
  const made: Record<string, unknown> = {}
  for (const field of model.kind.spec) {
    const path = field.from?.path.split('.').at(-1)
    const value = spec[field.json]
    if (path === undefined || value === undefined || value === null || isReferenceField(field)) continue
    const member = propertyNamed(members, path)
    if (member !== undefined)
      made[member.name] = toWire(value, { service: model.service, type: field.type, member: member.value, path: field.json })
  }
  return made
}

function sameAlias(wanted: unknown, latest: unknown): boolean {
  if (!isRecord(wanted) || !isRecord(latest)) return wanted === latest
  return (
    dnsName(wanted['dnsName']) === dnsName(latest['dnsName']) &&
    bareId(wanted['hostedZoneID']) === bareId(latest['hostedZoneID']) &&
    (wanted['evaluateTargetHealth'] ?? false) === (latest['evaluateTargetHealth'] ?? false)
  )
}

function sameRecords(wanted: unknown, latest: unknown): boolean {
  const values = (list: unknown): string =>
    JSON.stringify(
      structuresOf(list)
        .map(({ value }) => normalValue(textOf(value ?? '')))
        .sort(),
    )
  return values(wanted) === values(latest)
}

/** Texts are compared as they are quoted, names as names. */
function normalValue(value: string): string {
  return value.startsWith('"') ? value : dnsName(value)
}
