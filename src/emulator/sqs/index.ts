// SQS as a service of the emulator. What is faithful and what is not: README.md.
import { type ServiceModel, serviceModel } from '#aws'
import { ServiceError } from '../error.ts'
import type { TaggedResource } from '../ports.ts'
import type { Service } from '../service.ts'
import { deliver } from './deliver.ts'
import { emptySqs, type SqsState } from './model.ts'
import { addPermission, removePermission } from './permissions.ts'
import {
  createQueue,
  deleteQueue,
  getQueueAttributes,
  getQueueUrl,
  listDeadLetterSourceQueues,
  listQueues,
  listQueueTags,
  purgeQueue,
  setQueueAttributes,
  tagQueue,
  untagQueue,
} from './queues.ts'
import { sqsQuotas } from './quotas.ts'
import { changeMessageVisibility, changeMessageVisibilityBatch, deleteMessage, deleteMessageBatch } from './receipts.ts'
import { receiveMessage } from './receive.ts'
import { sendMessage, sendMessageBatch } from './send.ts'

export const sqs: Service<SqsState> = {
  name: 'sqs',
  get model(): ServiceModel {
    return serviceModel('sqs')
  },
  address: { hosts: ['sqs'], target: 'AmazonSQS' },
  scope: 'region',
  initial: () => emptySqs,
  operations: {
    AddPermission: addPermission,
    ChangeMessageVisibility: changeMessageVisibility,
    ChangeMessageVisibilityBatch: changeMessageVisibilityBatch,
    CreateQueue: createQueue,
    DeleteMessage: deleteMessage,
    DeleteMessageBatch: deleteMessageBatch,
    DeleteQueue: deleteQueue,
    GetQueueAttributes: getQueueAttributes,
    GetQueueUrl: getQueueUrl,
    ListDeadLetterSourceQueues: listDeadLetterSourceQueues,
    ListQueues: listQueues,
    ListQueueTags: listQueueTags,
    PurgeQueue: purgeQueue,
    ReceiveMessage: receiveMessage,
    RemovePermission: removePermission,
    SendMessage: sendMessage,
    SendMessageBatch: sendMessageBatch,
    SetQueueAttributes: setQueueAttributes,
    TagQueue: tagQueue,
    UntagQueue: untagQueue,
  },
  offers: at => ({
    queues: {
      deliver: (queueArn, message) => {
        const [, , , region = '', account = ''] = queueArn.split(':')
        return deliver(at({ account, region }), queueArn, message)
      },
    },
  }),
  *resources({ store }): Generator<TaggedResource> {
    for (const { arn, tags } of store.get().queues.values()) if (Object.keys(tags).length > 0) yield { arn, type: 'sqs', tags }
  },
  quotas: { title: 'Amazon Simple Queue Service (Amazon SQS)', quotas: sqsQuotas },
  // What an attribute may be called is told by the operations, in SQS's own words.
  invalid: problems => {
    const name = problems.map(problem => /null at '(\w+)'/.exec(problem)?.[1]).find(member => member !== undefined)
    if (name === undefined) return undefined
    const parameter = name.charAt(0).toUpperCase() + name.slice(1)
    return new ServiceError('MissingParameter', 400, `The request must contain the parameter ${parameter}.`)
  },
}
