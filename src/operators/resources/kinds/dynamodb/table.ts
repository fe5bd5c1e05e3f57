// A table of DynamoDB: its global indexes are changed one at a time, each by what is to happen to it, while everything else of a table is
// changed by saying how it is to be.

import { given } from '#base'
import { contains } from '../../delta/compare.ts'
import { isRecord, textOf } from '../../model/convert.ts'
import { requestOf, type Values } from '../../model/request.ts'
import { structuresOf } from '../calls.ts'
import type { Deviation, PlannedCall, SyncContext } from '../deviation.ts'

export const dynamodbTable: Deviation = {
  own: ['GlobalSecondaryIndexes'],
  same: {
    // AWS answers with more about each index than a manifest says, so only what both have is compared.
    GlobalSecondaryIndexes: (wanted, latest) => {
      const [want, have] = [indexesOf(wanted), indexesOf(latest)]
      return want.length === have.length && want.every(index => have.some(each => isSame(index, each)))
    },
  },
  sync: context => (context.isNew ? [] : indexCalls(context)),
  // What is said again although it is so is refused: a stream that is on cannot be switched on.
  update: (input, { delta, wanted }) => onlyChanged(input, delta, wanted.spec),
}

function onlyChanged(input: Values, delta: readonly string[], spec: Values): Values {
  const changed = new Set(delta.map(path => (path.split('.')[1] ?? '').toLowerCase()))
  // A table that is to be paid by capacity is told of both at once.
  if (changed.has('billingmode') && spec['billingMode'] === 'PROVISIONED') changed.add('provisionedthroughput')
  return Object.fromEntries(Object.entries(input).filter(([name]) => name === 'TableName' || changed.has(name.toLowerCase())))
}

interface Index {
  readonly indexName: string
  readonly [field: string]: unknown
}

function indexesOf(value: unknown): readonly Index[] {
  return (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .map(each => ({ ...each, indexName: textOf(each['indexName'] ?? '') }))
}

function isSame(wanted: Index, held: Index): boolean {
  return contains(held, wanted)
}

/** One at a time, as the service takes them: first what goes, then what changes, then what comes. */
function indexCalls({ model, wanted, latest }: SyncContext): readonly PlannedCall[] {
  const [want, have] = [indexesOf(wanted.spec['globalSecondaryIndexes']), indexesOf(latest.spec['globalSecondaryIndexes'])]
  const named = (all: readonly Index[], { indexName }: Index): Index | undefined => all.find(each => each.indexName === indexName)
  const gone = have.find(each => named(want, each) === undefined)
  if (gone !== undefined) return [change(wanted.spec['tableName'], { Delete: { IndexName: gone.indexName } })]
  const whole = requestOf(model, model.kind.operations.create, wanted, { method: 'Create' })
  const asSent = (index: Index): Values =>
    structuresOf(whole['GlobalSecondaryIndexes']).find(each => each['IndexName'] === index.indexName) ?? {}
  const changed = want.find(each => named(have, each) !== undefined && !have.some(held => isSame(each, held)))
  if (changed !== undefined) {
    const { IndexName, ProvisionedThroughput, OnDemandThroughput } = asSent(changed)
    const throughput = given({ ProvisionedThroughput, OnDemandThroughput })
    return [change(wanted.spec['tableName'], { Update: { IndexName, ...throughput } })]
  }
  const fresh = want.find(each => named(have, each) === undefined)
  return fresh === undefined ? [] : [change(wanted.spec['tableName'], { Create: asSent(fresh) }, whole['AttributeDefinitions'])]
}

function change(TableName: unknown, update: Values, AttributeDefinitions?: unknown): PlannedCall {
  const definitions = AttributeDefinitions === undefined ? {} : { AttributeDefinitions }
  return { operation: 'UpdateTable', input: { TableName, ...definitions, GlobalSecondaryIndexUpdates: [update] }, verb: 'UPDATE' }
}
