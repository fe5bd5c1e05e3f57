// Batches: up to ten entries, each carried out or refused for itself.
import { ServiceError } from '../error.ts'
import { sqsFailure } from './errors.ts'
import type { CallSqs } from './model.ts'

const entriesMax = 10

export interface BatchEntry {
  readonly Id: string
}

/** Does `one` for each entry; what it throws is the entry's own refusal. */
export function inBatch<E extends BatchEntry>(
  call: CallSqs,
  entries: readonly E[],
  one: (entry: E) => object,
): { readonly Successful: readonly object[]; readonly Failed?: readonly object[] } {
  checkEntries(call, entries)
  const Successful: object[] = []
  const Failed: object[] = []
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...one(entry) })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message })
    }
  }
  delete call.reply.headers['x-amzn-query-error']
  return { Successful, ...(Failed.length > 0 && { Failed }) }
}

function checkEntries(call: CallSqs, entries: readonly BatchEntry[]): void {
  const ids = entries.map(({ Id }) => Id)
  if (ids.length === 0) throw sqsFailure(call, 'EmptyBatchRequest', 'There should be at least one entry in the request.')
  if (ids.length > entriesMax)
    throw sqsFailure(
      call,
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${entriesMax}. You have sent ${ids.length}.`,
    )
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index)
  if (repeated !== undefined) throw sqsFailure(call, 'BatchEntryIdsNotDistinct', `Id ${repeated} repeated.`)
  if (ids.some(id => !/^[\w-]{1,80}$/.test(id)))
    throw sqsFailure(
      call,
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
    )
}
