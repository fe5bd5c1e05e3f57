// What every operation on a queue begins with: which queue, and may the caller do this to it?
import { requestTagKeys } from '../core/caller/condition-keys.ts'
import { missingQueue, sqsFailure } from './errors.ts'
import { type CallSqs, type Queue, queueArn } from './model.ts'

export interface QueueInput {
  readonly QueueUrl: string
}

/** The queue that the URL names, whoever's it is: its policy may let others in. Batches need the right of the single call. */
export function queueAt(call: CallSqs<QueueInput>): Queue {
  const [, account, name] = /\/(\d{12})\/([^/]+)\/?$/.exec(call.input.QueueUrl) ?? []
  if (account === undefined || name === undefined)
    throw sqsFailure(call, 'InvalidAddress', `The address ${call.input.QueueUrl} is not valid for this endpoint.`)
  const queue = call.storeAt({ account, region: call.region }).get().queues.get(name)
  ask(call, { account, name, ...(queue !== undefined && { queue }) })
  if (queue === undefined) throw missingQueue(call)
  return queue
}

interface Asked {
  readonly account: string
  readonly name: string
  readonly queue?: Queue
  /** Tags that the request brings. */
  readonly tags?: Readonly<Record<string, string>>
}

export function ask(call: CallSqs, { account, name, queue, tags = {} }: Asked): void {
  const policy = queue?.attributes['Policy']
  call.authorise({
    action: `sqs:${call.operation.replace(/Batch$/, '')}`,
    resource: queueArn({ partition: call.partition, region: call.region, account }, name),
    context: requestTagKeys(tags),
    resourceAccount: account,
    ...(queue !== undefined && { resourceTags: queue.tags }),
    ...(policy !== undefined && {
      resourcePolicy: { kind: 'resource-based', name: `policy of the queue ${name}`, text: policy },
    }),
  })
}
