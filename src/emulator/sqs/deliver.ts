// A message that another service of AWS puts into a queue, when the queue's policy lets it in.
import type { QueuesPort } from '../ports.ts'
import type { Context } from '../service.ts'
import { settingOf } from './attributes.ts'
import type { Message, SqsState } from './model.ts'

export function deliver(
  context: Context<SqsState>,
  queueArn: string,
  { body, service, sourceArn }: Parameters<QueuesPort['deliver']>[1],
): boolean {
  const state = context.store.get()
  const queue = state.queues.get(queueArn.split(':').at(-1) ?? '')
  const policy = queue?.attributes['Policy']
  if (queue === undefined || policy === undefined) return false
  const { allowed } = context.decideFor(
    { kind: 'service', service },
    {
      action: 'sqs:SendMessage',
      resource: queue.arn,
      resourceAccount: queue.account,
      context: { 'aws:SourceArn': sourceArn },
      resourcePolicy: { kind: 'resource-based', name: `policy of the queue ${queue.name}`, text: policy },
    },
  )
  if (!allowed) return false
  const serial = context.serial()
  const message: Message = {
    key: String(serial).padStart(16, '0'),
    id: context.random(`message/${serial}`).uuid(),
    body,
    sender: service,
    sentMs: context.now,
    visibleMs: context.now + Number(settingOf(queue, 'DelaySeconds')) * 1_000,
    receives: 0,
  }
  context.store.set({
    ...state,
    queues: state.queues.set(queue.name, { ...queue, messages: queue.messages.set(message.key, message) }),
  })
  return true
}
