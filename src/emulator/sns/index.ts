// SNS as a service of the emulator. What is faithful and what is not: README.md.
import { type ServiceModel, serviceModel } from '#aws'
import type { TaggedResource } from '../ports.ts'
import type { Service } from '../service.ts'
import { emptySns, type SnsState } from './model.ts'
import { snsQuotas } from './quotas.ts'
import {
  getSubscriptionAttributes,
  listSubscriptions,
  listSubscriptionsByTopic,
  publish,
  setSubscriptionAttributes,
  subscribe,
  unsubscribe,
} from './subscriptions.ts'
import {
  createTopic,
  deleteTopic,
  getTopicAttributes,
  listTagsForResource,
  listTopics,
  setTopicAttributes,
  tagResource,
  untagResource,
} from './topics.ts'

export const sns: Service<SnsState> = {
  name: 'sns',
  get model(): ServiceModel {
    return serviceModel('sns')
  },
  address: { hosts: ['sns'], formVersion: '2010-03-31' },
  scope: 'region',
  initial: () => emptySns,
  operations: {
    CreateTopic: createTopic,
    DeleteTopic: deleteTopic,
    GetSubscriptionAttributes: getSubscriptionAttributes,
    GetTopicAttributes: getTopicAttributes,
    ListSubscriptions: listSubscriptions,
    ListSubscriptionsByTopic: listSubscriptionsByTopic,
    ListTagsForResource: listTagsForResource,
    ListTopics: listTopics,
    Publish: publish,
    SetSubscriptionAttributes: setSubscriptionAttributes,
    SetTopicAttributes: setTopicAttributes,
    Subscribe: subscribe,
    TagResource: tagResource,
    Unsubscribe: unsubscribe,
    UntagResource: untagResource,
  },
  *resources({ store }): Generator<TaggedResource> {
    for (const { arn, tags } of store.get().topics.values()) if (Object.keys(tags).length > 0) yield { arn, type: 'sns', tags }
  },
  quotas: { title: 'Amazon Simple Notification Service (Amazon SNS)', quotas: snsQuotas },
}
